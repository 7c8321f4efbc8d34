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
