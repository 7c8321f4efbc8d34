/// Looks at XML before its parser does, and finds tags that are too large: libxml2 compares each attribute with all those
/// before it, so a tag of 200,000 takes minutes, and each prefix with all that the open elements declare.
///
/// The bytes are UTF-8, in any pieces. As far as they are correct XML, tags are found exactly; a parser stops where they are
/// not.
public struct XMLTagBounds: Sendable {
  private enum Place: Sendable {
    case text, opened, tag, declaration
    /// Within quotes, and whether these are in a tag.
    case quoted(UInt8, inTag: Bool)
    /// In a comment (`-`), a literal text (`]`) or an instruction (`?`), which ends with this byte, twice in the first two,
    /// and `>`; how many of it came last.
    case passed(UInt8, count: Int)
    /// Behind `<!`.
    case marked
  }
  private var place = Place.text
  private var bytes = 0
  private var attributes = 0
  private let mostBytes: Int, mostAttributes: Int

  /// - Parameters:
  ///   - mostBytes: of one tag.
  ///   - mostAttributes: of one tag.
  public init(mostBytes: Int, mostAttributes: Int) {
    (self.mostBytes, self.mostAttributes) = (mostBytes, mostAttributes)
  }

  /// Takes the next bytes.
  ///
  /// - Returns: false if a tag in them is too large.
  public mutating func allow(_ piece: ArraySlice<UInt8>) -> Bool {
    for byte in piece {
      switch place {
      case .text: if byte == UInt8(ascii: "<") { place = .opened }
      case .opened:
        switch byte {
        case UInt8(ascii: "?"): place = .passed(byte, count: 0)
        case UInt8(ascii: "!"): place = .marked
        case UInt8(ascii: "<"): break
        default:
          (bytes, attributes) = (1, 0)
          place = byte == UInt8(ascii: ">") ? .text : .tag
        }
      case .marked:
        switch byte {
        // The second dash of `<!--` is none of the end's.
        case UInt8(ascii: "-"): place = .passed(byte, count: -1)
        case UInt8(ascii: "["): place = .passed(UInt8(ascii: "]"), count: 0)
        default: place = .declaration
        }
      case .tag, .declaration:
        let inTag = if case .tag = place { true } else { false }
        switch byte {
        case UInt8(ascii: "<"): place = .opened
        case UInt8(ascii: ">"): place = .text
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
          place = .quoted(byte, inTag: inTag)
          attributes += 1
        default: break
        }
        guard !inTag || grow() else { return false }
      case .quoted(let quote, let inTag):
        if byte == quote {
          place = inTag ? .tag : .declaration
        } else if inTag, byte == UInt8(ascii: "<") {
          place = .opened
        }
        guard !inTag || grow() else { return false }
      case .passed(let end, let count):
        let needed = end == UInt8(ascii: "?") ? 1 : 2
        if byte == UInt8(ascii: ">"), count >= needed {
          place = .text
        } else {
          place = .passed(end, count: byte == end ? count + 1 : 0)
        }
      }
    }
    return true
  }

  private mutating func grow() -> Bool {
    bytes += 1
    return bytes <= mostBytes && attributes <= mostAttributes
  }
}
