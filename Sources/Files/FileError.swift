internal import PlainText
package import SystemPackage

/// A file operation that the kernel refused: which, on what, and why.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  package var operation: String
  package var path: FilePath
  package var errno: Errno
  /// Why it was not even tried, with what to do; nil where the kernel refused it.
  package var reason: String?

  package init(_ operation: String, _ path: FilePath, _ errno: Errno, reason: String? = nil) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.reason = reason
  }

  package var description: String {
    "cannot \(operation) \(path.printable): \(reason ?? "\(errno)")"
  }

  /// Whether another try may go well although nobody changes anything: a matter of the machine at that moment.
  package var mayPass: Bool {
    let passing: Set<Errno> = [
      .ioError, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .interrupted,
      .resourceTemporarilyUnavailable,
    ]
    return isDiskFull || passing.contains(errno)
  }

  /// Whether the disk, its quota or a read-only mount is at fault: a matter of the place, not of
  /// the file.
  package var isDiskFull: Bool {
    errno == .noSpace || errno == .diskQuotaExceeded || errno == .readOnlyFileSystem
  }
}

extension FilePath {
  /// The path as text on one line; bytes that are no UTF-8 are shown as replacement characters, what would
  /// steer a terminal as escapes.
  package var printable: String { string.plain }

  /// Whether that, or its last names, is this text. Unicode normal forms of one text are equal.
  package func isShown(as text: String) -> Bool {
    let shown = printable
    return shown == text || shown.hasSuffix("/" + text)
  }
}

extension String {
  /// Whether people may type a name that procd prints like this in other bytes than it has: characters that are not
  /// printable are escaped, and others have several Unicode normal forms.
  package var hasSeveralSpellings: Bool {
    utf8.contains { !(0x20...0x7E).contains($0) || $0 == 0x5C }
  }
}
