/// Tells UTF-8 from Windows-1252 by the bytes of a document, piece by piece.
///
/// Text in Windows-1252 almost never contains the byte sequence of a UTF-8 letter. So the encoding is UTF-8 if there are
/// more such sequences than bytes that belong to none. Earlier pieces count half as much with each further piece, because
/// a guide may be put together from several sources.
struct EncodingEvidence {
  enum Encoding: String {
    case utf8 = "UTF-8"
    case windows1252 = "WINDOWS-1252"
  }

  /// The encoding that the document names, or UTF-8 if it names none.
  let stated: Encoding
  private var sequences = 0.0, strays = 0.0

  init(_ stated: Encoding) { self.stated = stated }

  /// The encoding of what was looked at last.
  var encoding: Encoding {
    sequences == strays ? stated : sequences > strays ? .utf8 : .windows1252
  }

  /// - Parameter bytes: a piece of the document, which may begin or end inside a letter.
  mutating func look(at bytes: ArraySlice<UInt8>) {
    sequences /= 2
    strays /= 2
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      guard byte >= 0x80 else { continue }
      let following: Int
      switch byte {
      case 0xC2...0xDF: following = 1
      case 0xE0...0xEF: following = 2
      case 0xF0...0xF4: following = 3
      default:
        strays += 1
        continue
      }
      let rest = bytes[index...].prefix(following)
      if !rest.allSatisfy({ $0 & 0xC0 == 0x80 }) {
        strays += 1
      } else if rest.count == following {
        sequences += 1
        index += following
      }
    }
  }
}
