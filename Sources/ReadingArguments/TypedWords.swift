internal import Glibc
package import SystemPackage

/// What was typed behind the program's name. The parser of arguments knows texts only, but a path is bytes: each
/// byte that is no UTF-8 stands in the text as one of the last 128 characters of Unicode's private use, which
/// ``SystemPackage/FilePath/init(typed:)`` turns back into it.
package enum TypedWords {
  package static var all: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      // A path would lose the second slash of `http://`.
      unsafe CommandLine.unsafeArgv[index].map { word in
        unsafe text(of: UnsafeBufferPointer(start: word, count: strlen(word)))
      }
    }
  }

  static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  /// The bytes as text; those characters themselves, which nobody types, are taken for bytes that are no UTF-8, so
  /// that no two paths become the same.
  private static func text(of word: UnsafeBufferPointer<CChar>) -> String {
    let bytes = unsafe word.map { UInt8(bitPattern: $0) }
    var text = String.UnicodeScalarView(), rest = bytes[...]
    while !rest.isEmpty {
      var iterator = rest.makeIterator(), decoder = UTF8()
      if case .scalarValue(let scalar) = decoder.decode(&iterator),
        !escapes.contains(scalar.value)
      {
        text.append(scalar)
        rest.removeFirst(UTF8.width(scalar))
      } else if let escaped = Unicode.Scalar(0x10FF00 + UInt32(rest.removeFirst())) {
        text.append(escaped)
      }
    }
    return String(text)
  }
}

extension FilePath {
  /// The path that a word of ``TypedWords`` names.
  package init(typed word: String) {
    var bytes: [CChar] = []
    for scalar in word.unicodeScalars {
      if TypedWords.escapes.contains(scalar.value) {
        bytes.append(CChar(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
      }
    }
    self.init(platformString: bytes.prefix { $0 != 0 } + [0])
  }
}
