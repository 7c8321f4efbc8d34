import CLinux
import Confinement
import Glibc
import SystemPackage

/// How a process is confined before it tries something.
struct Subject {
  let profile: String
  let landlock: Int?

  /// Puts it in force for this process.
  ///
  /// - Parameters:
  ///   - input: a file that it may read.
  ///   - work: the folder that it may write to.
  func confine(input: String?, work: String?) {
    guard profile != "free" else { return }
    let name = String(profile.prefix { $0 != "-" })
    guard let kind = Confinement.Profile(rawValue: name) else { exit(64) }
    var confinement = Confinement(profile: kind)
    confinement.landlockCeiling = landlock
    confinement.readableFiles = input.map { [FilePath($0)] } ?? []
    confinement.writableFolders = work.map { [$0] } ?? []
    confinement.network = profile == "tool-network"
    confinement.threads = profile == "sealed-threads" || kind == .web
    confinement.protectedProcesses = [getppid()]
    if kind == .tool {
      confinement.executableFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64"]
    }
    do { _ = try confinement.enforce() } catch {
      print("refused \(error.message)")
      exit(70)
    }
  }

  /// Runs `body` in a child of its own.
  ///
  /// - Returns: how it ended, and which process it was.
  static func inChild(_ body: () -> Int32) -> (status: Int32, process: Int32) {
    fflush(nil)
    let child = clinux_fork()
    if child == 0 {
      // What a worker's child does: nothing of its parent's stays open.
      clinux_close_from(3)
      _exit(body())
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = clinux_termination_signal(status)
    return (signal > 0 ? 128 + signal : clinux_exit_status(status), child)
  }
}
