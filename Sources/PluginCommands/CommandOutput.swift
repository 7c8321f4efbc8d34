internal import Glibc
internal import PlainText
public import PluginKit

/// What a command reads of standard input.
public enum CommandInput {
  /// All of it; nil where it is more than so many bytes.
  public static func all(most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = readSome(0), !piece.isEmpty {
      bytes += piece
      guard bytes.count <= most else { return nil }
    }
    return bytes
  }

  /// Whether procd has recognized the text of the files that the command reads, or has tried to.
  public static var isRecognized: Bool { unsafe getenv("PROCD_RECOGNIZED") != nil }

  /// Ends the command, so that procd recognizes the text of its files and starts it once more; nothing happens
  /// where it has. `plugin.json` says `"recognizes": true`.
  ///
  /// - Parameter reason: told on standard error, as it takes its time.
  public static func askForText(_ reason: String) {
    guard !isRecognized else { return }
    CommandOutput.warn(reason)
    exit(CommandManifest.asksForText)
  }
}

/// What a command says and writes.
public enum CommandOutput {
  /// Writes a result: a file, which appears whole, or standard output where the path is nil or `-`.
  public static func write(_ bytes: [UInt8], to path: String?) throws(PluginFailure) {
    guard let path, path != "-" else { return try write(bytes, to: 1) }
    let file = try ResultFile(path, name: "the result", replaces: true)
    try file.write(bytes)
    try file.close()
  }

  /// Writes bytes to a descriptor, such as that of ``reserved()``.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(PluginFailure) {
    guard writeAll(bytes, to: descriptor) else { throw .writing("the result", errno: errno) }
  }

  /// Writes what a file holds to a descriptor.
  public static func copy(_ path: String, to descriptor: Int32) throws(PluginFailure) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .writing("the result", errno: errno) }
    defer { close(file) }
    while let piece = readSome(file), !piece.isEmpty { try write(piece, to: descriptor) }
  }

  /// Prints lines for people. Words of strangers in them steer no terminal.
  public static func print(_ lines: String) throws(PluginFailure) {
    try write(Array(PlainText(lines: lines).string.utf8), to: 1)
  }

  /// Tells something on standard error, behind the name of the command.
  public static func warn(_ message: String) {
    say("procd \(PluginProgram.command ?? ""): \(message.plain)", to: 2)
  }

  /// Says a line where nobody is left to tell if it cannot be.
  static func say(_ line: String, to descriptor: Int32) {
    writeAll(Array("\(line)\n".utf8), to: descriptor)
  }

  /// Standard output, which is kept for the result alone: what libraries print there goes to standard error from
  /// now on.
  ///
  /// - Returns: the descriptor.
  public static func reserved() -> Int32 {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    dup2(2, 1)
    return output
  }
}
