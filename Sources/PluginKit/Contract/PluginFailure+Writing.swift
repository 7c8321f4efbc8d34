internal import Glibc

extension PluginFailure {
  /// The code where a program of procd's own could not be started.
  package static let workerStart = "worker.start"

  /// Why a result could not be written: `transient` where the disk is full or fails, `input` where the file
  /// would be larger than it may be, else `internal`.
  ///
  /// - Parameters:
  ///   - name: what was to be written, for people.
  ///   - code: the `errno` of the call that failed.
  public static func writing(_ name: String, errno code: Int32) -> PluginFailure {
    switch code {
    case ENOSPC, EDQUOT:
      PluginFailure(.transient, "disk.full", "the disk is full, \(name) could not be written")
    case EIO, EROFS:
      PluginFailure(.transient, "disk.failed", "the disk failed, \(name) could not be written")
    case EFBIG:
      PluginFailure(
        .input, "limit.output", "\(name) would be larger than limits.output allows",
        hint: "raise \"output\" in defaults.limits")
    default:
      PluginFailure(
        .internal, "step.write",
        "\(name) could not be written: \(unsafe String(cString: strerror(code)))")
    }
  }
}

extension PluginFailure {
  /// A file that a step or a command could not open.
  ///
  /// - Parameters:
  ///   - what: names it in the sentence.
  ///   - why: what the system says.
  ///   - error: the errno of that: a confined process of root has none of its privileges, and each has its own limit
  ///     of memory.
  package static func unreadable(_ what: String, _ why: String, error: Int32?) -> PluginFailure {
    guard error != ENOMEM else {
      return PluginFailure(
        .input, "limit.memory",
        "\(what) could not be read: the step may not have as much memory as that takes",
        hint: "raise \"memory\" in defaults.limits if such files are wanted")
    }
    return PluginFailure(
      .internal, "step.read", "\(what) could not be read (\(why))",
      hint: error == EACCES && getuid() == 0
        ? "what reads files has none of root's privileges: its owner must be allowed to read it and to enter its folders"
          + " (chmod u+rX), and must be the one who runs this, as in \"sudo -u procd procd …\""
        : nil)
  }
}
