package import SystemPackage

/// A file operation that the kernel refused: which, on what, and why.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  package var operation: String
  package var path: FilePath
  package var errno: Errno

  package init(_ operation: String, _ path: FilePath, _ errno: Errno) {
    self.operation = operation
    self.path = path
    self.errno = errno
  }

  package var description: String { "\(operation) \(path.printable): \(errno)" }

  /// Whether the disk, its quota or a read-only mount is at fault: a matter of the place, not of
  /// the file.
  package var isDiskFull: Bool {
    errno == .noSpace || errno == .diskQuotaExceeded || errno == .readOnlyFileSystem
  }
}

extension FilePath {
  /// The path as text; bytes that are no UTF-8 are shown as replacement characters, control
  /// characters as escapes, so that a file name cannot write to a terminal.
  package var printable: String {
    var text = ""
    for scalar in string.unicodeScalars {
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
        text += "\\x" + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
