internal import Bytes
internal import PluginKit

/// Makes correct XML of an entry of a guide (or of the tag of the root) that is none, as it was probably
/// meant.
///
/// libxml2 ends at the first mistake. What it could not read lies here as a whole, so this may look at it as
/// often as it likes: it is for the few entries of a file that are wrong, not for its speed. Total: any bytes
/// give elements that are closed, and texts in which only known entities are left.
struct XMLMender {
  /// What was made of the bytes before `end`.
  struct Mended {
    var text: [UInt8]
    var end: Int
    var mistakes: Int
  }

  private let bytes: [UInt8]
  /// Whether the document has no more bytes than these.
  private let isLast: Bool
  private var position = 0
  private var made: [UInt8] = []
  private var mistakes = 0
  private var open: [ArraySlice<UInt8>] = []

  init(_ bytes: [UInt8], isLast: Bool) { (self.bytes, self.isLast) = (bytes, isLast) }

  /// Mends up to the end of the first entry; nil where its end is not there yet.
  ///
  /// - Parameter inRoot: false where the root has yet to come: then only its tag is mended.
  mutating func mend(inRoot: Bool) throws(PluginFailure) -> Mended? {
    while position < bytes.count {
      guard let next = find("<", from: position) else {
        guard isLast else { return nil }
        if !open.isEmpty { text(position..<bytes.count) }
        position = bytes.count
        break
      }
      if !open.isEmpty { text(position..<next) }
      position = next
      guard isLast || bytes.count - next > 9 else { return nil }
      let rest = bytes[next...].dropFirst()
      if rest.starts(with: "!--".utf8) {
        guard pass("-->", from: next + 4) else { return nil }
      } else if rest.starts(with: "![CDATA[".utf8) {
        guard pass("]]>", from: next + 9) else { return nil }
        let end =
          bytes[next..<position].suffix(3).elementsEqual("]]>".utf8) ? position - 3 : position
        if !open.isEmpty { text(next + 9..<max(end, next + 9), isLiteral: true) }
      } else if rest.first == 0x3F || rest.first == 0x21 {
        guard pass(rest.first == 0x3F ? "?>" : ">", from: next + 2) else { return nil }
      } else if rest.first == 0x2F {
        guard let tagEnd = try tagEnd(next + 2) else { return nil }
        let name = bytes[next + 2..<nameEnd(next + 2)]
        if inRoot, !open.contains(name), name.elementsEqual("tv".utf8) {
          // What is open ends before it.
          mistakes += open.count
          if open.isEmpty { (made, position) = (Array("</tv>".utf8), tagEnd) }
          break
        }
        position = tagEnd
        if isCut(tagEnd) {
          break
        } else if let place = open.lastIndex(of: name) {
          mistakes += open.count - 1 - place
          close(downTo: place)
          if open.isEmpty { break }
        } else if inRoot {
          mistakes += 1
        }
      } else if let first = rest.first, Self.isName(first), !(0x2D...0x39).contains(first) {
        guard let tagEnd = try tagEnd(next + 1) else { return nil }
        let name = bytes[next + 1..<nameEnd(next + 1)]
        if !open.isEmpty, Element.named[String(decoding: name, as: UTF8.self)]?.isEntry == true {
          // Somebody forgot to close the one before.
          mistakes += open.count
          close(downTo: 0)
          break
        }
        position = tagEnd
        if isCut(tagEnd) { break }
        let isEmpty = tag(name)
        if !isEmpty { open.append(name) }
        if !inRoot || open.isEmpty { break }
        guard open.count < Limits.depth else { throw XMLReader.tooDeep }
      } else {
        // Somebody forgot to write it as `&lt;`.
        mistakes += 1
        if !open.isEmpty { made += "&lt;".utf8 }
        position += 1
      }
    }
    // More of what is open may come.
    guard isLast || open.isEmpty || position < bytes.count else { return nil }
    // The document ends inside the entry: half of one must not replace what is known of the whole.
    if inRoot, isLast, position == bytes.count, !open.isEmpty { (made, open) = ([], []) }
    if inRoot { close(downTo: 0) }
    return Mended(text: made, end: position, mistakes: mistakes)
  }

  private mutating func close(downTo place: Int) {
    while open.count > place, let name = open.popLast() {
      made += "</".utf8
      made += name
      made.append(0x3E)
    }
  }

  // MARK: - Places

  private func find(_ mark: StaticString, from: Int) -> Int? {
    from <= bytes.count ? bytes.span.first(of: mark, in: from..<bytes.count) : nil
  }

  /// Goes behind a mark, at the end of a document to its end. False where it is not there yet.
  private mutating func pass(_ mark: StaticString, from: Int) -> Bool {
    let found = find(mark, from: from).map { $0 + mark.utf8CodeUnitCount }
    position = found ?? bytes.count
    return found != nil || isLast
  }

  private func nameEnd(_ from: Int) -> Int {
    bytes[from...].firstIndex { !Self.isName($0) } ?? bytes.count
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
    default: false
    }
  }

  /// Behind the next `>` that is not in quotes.
  private func tagEnd(_ from: Int) throws(PluginFailure) -> Int? {
    var quote: UInt8 = 0, index = from
    while index < bytes.count {
      let byte = bytes[index]
      if index - from > Limits.tagBytes { throw XMLReader.tooLong("tag") }
      index += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == 0x3E {
        return index
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      }
    }
    return isLast ? bytes.count : nil
  }

  private func isCut(_ tagEnd: Int) -> Bool { tagEnd == bytes.count && bytes.last != 0x3E }

  // MARK: - What is written

  /// Writes the start tag that ends at the position, with those of its attributes that are ones.
  ///
  /// - Returns: whether the element is empty.
  private mutating func tag(_ name: ArraySlice<UInt8>) -> Bool {
    let isEmpty = bytes[position - 2] == 0x2F, end = position - (isEmpty ? 2 : 1)
    var index = name.endIndex, seen: Set<ArraySlice<UInt8>> = [name[name.endIndex...]]
    func blanks() { while index < end, bytes[index] <= 0x20 { index += 1 } }
    made.append(0x3C)
    made += name
    while true {
      blanks()
      guard index < end else { break }
      let attribute = bytes[index..<min(nameEnd(index), end)]
      index = attribute.endIndex
      blanks()
      guard index < end, bytes[index] == 0x3D, seen.insert(attribute).inserted else {
        mistakes += 1
        break
      }
      index += 1
      blanks()
      guard index < end, bytes[index] == 0x22 || bytes[index] == 0x27,
        let close = bytes[index + 1..<end].firstIndex(of: bytes[index])
      else {
        mistakes += 1
        break
      }
      made.append(0x20)
      made += attribute
      made += [0x3D, bytes[index]]
      text(index + 1..<close)
      made.append(bytes[index])
      index = close + 1
    }
    made += (isEmpty ? "/>" : ">").utf8
    return isEmpty
  }

  /// Writes a text in which all is text but the entities that everybody knows.
  private mutating func text(_ range: Range<Int>, isLiteral: Bool = false) {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      switch byte {
      case 0x3C: made += "&lt;".utf8
      case 0x3E: made += "&gt;".utf8
      case 0x26:
        let rest = bytes[index..<min(index + 12, range.upperBound)]
        guard !isLiteral, let last = rest.firstIndex(of: 0x3B),
          let entity = Self.entity(String(decoding: rest[..<last], as: UTF8.self))
        else {
          if !isLiteral { mistakes += 1 }
          made += "&amp;".utf8
          break
        }
        made += entity.utf8
        index = last + 1
      case 0xEF
      where bytes[index...].prefix(2).elementsEqual([0xBF, 0xBE])
        || bytes[index...].prefix(2).elementsEqual([0xBF, 0xBF]):
        // The two letters of Unicode that XML does not allow.
        made += "\u{FFFD}".utf8
        index += 2
      default: made.append(byte)
      }
    }
  }

  /// An entity as it may stand in any document; nil for what is none.
  private static func entity(_ name: String) -> String? {
    if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return "&\(name);" }
    guard name.hasPrefix("#") else {
      // Entities of HTML, which XML knows only from a document type.
      return XMLReader.letter(ofEntity: name).map { "&#\($0);" }
    }
    let isHexadecimal = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
    guard let value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
      Unicode.Scalar(value) != nil
    else { return nil }
    // Control characters mean nothing in a text, the two at the end are no letters.
    return value < 0x20 ? " " : value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : "&#\(value);"
  }
}
