import Glibc

/// The program for all commands that do not only read files.
enum DaemonProgram {
  /// Replaces this process by `procd-daemon`, beside this executable or in `../libexec/procd`, with
  /// the same arguments. Returns only where there is none.
  static func replaceProcess() -> Int32 {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard length > 0 else {
      Console.complain("the place of this program cannot be found.")
      return ExitCode.programMissing
    }
    let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    for candidate in ["\(folder)/procd-daemon", "\(folder)/../libexec/procd/procd-daemon"] {
      unsafe execv(candidate, CommandLine.unsafeArgv)
    }
    Console.complain("the program procd-daemon is missing; it should stand beside procd.")
    return ExitCode.programMissing
  }
}
