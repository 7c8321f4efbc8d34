/// Tells UTF-8 from Windows-1252 by the bytes of a document, piece by piece.
///
/// Letters of Windows-1252 almost never follow each other as the bytes of one UTF-8 letter do, so the two are told apart
/// by which there is more of: sequences that are UTF-8, or bytes that belong to none. What was seen before counts for
/// less with every piece, because guides are put together from several sources.
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
