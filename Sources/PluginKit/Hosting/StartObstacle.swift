internal import Glibc

/// Why a plugin's program cannot be started.
package enum StartObstacle {
  /// - Parameters:
  ///   - program: a path, or a name that is looked for.
  ///   - folders: where, joined by colons as in PATH.
  /// - Returns: a sentence; nil where nothing is known to be in the way.
  package static func of(_ program: String, in folders: String) -> String? {
    guard let path = place(of: program, in: folders) else { return "\(program) is not installed" }
    guard unsafe access(path, F_OK) == 0 else {
      if errno == EACCES {
        return "\(program) may not be reached: a folder on the way to it is closed to this user"
      }
      let source = sourceEndings.first { unsafe access("\(path).\($0)", F_OK) == 0 }
      return "\(program) does not exist"
        + (source.map { "; build it from its .\($0) file first" } ?? "")
    }
    guard unsafe access(path, X_OK) == 0 else {
      return "\(program) may not be executed: chmod +x makes it a program"
    }
    return interpreter(of: path, in: folders).map { "\(program) needs \($0)" }
  }

  private static let sourceEndings = ["swift", "c", "cc", "cpp", "go", "rs"]

  private static func place(of program: String, in folders: String) -> String? {
    if program.contains("/") { return program }
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { unsafe access($0, X_OK) == 0 }
  }

  /// The missing interpreter that the first line of a script names.
  private static func interpreter(of script: String, in folders: String) -> String? {
    let file = unsafe open(script, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = readSome(file), bytes.starts(with: Array("#!".utf8)) else { return nil }
    let line = bytes.prefix(256).dropFirst(2).prefix { $0 != 0x0A }
    let words = String(decoding: line, as: UTF8.self).split {
      $0 == " " || $0 == "\t" || $0 == "\r"
    }
    guard let first = words.first.map(String.init) else { return nil }
    if line.last == 0x0D {
      return "a first line that ends with a newline alone, not with CR and newline as on Windows"
    }
    if unsafe access(first, F_OK) != 0 {
      return "the interpreter \(first), which does not exist"
    }
    // env(1) looks for the next word that is neither an option nor a variable.
    guard first.hasSuffix("/env"),
      let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
      place(of: String(name), in: folders).map({ unsafe access($0, X_OK) != 0 }) ?? true
    else { return nil }
    return "the interpreter \(name), which is not installed"
  }
}
