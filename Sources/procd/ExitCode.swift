/// The exit codes of the commands that read files; the worst of several files counts.
enum ExitCode {
  static let allWell: Int32 = 0
  static let usage: Int32 = 64
  static let unreadable: Int32 = 65
  static let programMissing: Int32 = 69
  static let notConfined: Int32 = 71
  /// Something stands where a result goes.
  static let exists: Int32 = 73
  static let outputFailed: Int32 = 74
}
