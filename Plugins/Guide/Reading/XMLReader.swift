internal import PluginKit

/// Reads XML as a stream: elements, their attributes and their text, in memory that does not depend
/// on the size of the document.
///
/// Total: any bytes give events until they end; what is no correct XML is read as it was probably meant
/// and counted. Entities that a document declares are never expanded, so a small file cannot become a
/// large text. Only limits throw.
struct XMLReader: ~Copyable {
  enum Event: Equatable {
    case start(Element)
    case end(Element)
    case finished
  }

  /// Places that are no correct XML.
  private(set) var mended = 0
  /// Whether the document ended inside an element.
  private(set) var isCut = false
  /// How many elements are open.
  var depth: Int { open.count }
  /// The text since ``collect()`` was called, entities replaced.
  private(set) var text: [UInt8] = []

  private var source: DocumentBytes
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)
  private var position = 0
  private var end = 0
  private var sourceEnded = false
  private var collects = false

  private struct OpenElement {
    var key: UInt64
    var element: Element
  }
  private var open: [OpenElement] = []
  /// Ends that are to be told: of an empty element, or of ones that were not closed.
  private var pendingEnds = 0

  private var attributes: [XMLBytes.FoundAttribute] = []
  private let elementNames = NameTable.elements
  private let attributeNames = NameTable.attributes

  init(_ source: DocumentBytes) { self.source = source }

  /// Bytes of the file that were used so far.
  var bytesRead: Int { source.bytesRead }

  /// Begins to keep text; it ends with the element that is open now.
  mutating func collect() {
    text.removeAll(keepingCapacity: true)
    collects = true
  }

  /// Gives the text of an attribute of the element that began last, entities replaced: empty where it
  /// has none.
  mutating func read(_ attribute: Attribute, into value: inout [UInt8]) {
    value.removeAll(keepingCapacity: true)
    for found in attributes where found.attribute == attribute {
      var odd = 0
      XMLBytes.decode(buffer.span, found.start, found.end, into: &value, &odd)
      mended += odd
      return
    }
  }

  /// The next event.
  mutating func next() throws(PluginFailure) -> Event {
    if pendingEnds > 0 {
      pendingEnds -= 1
      return close()
    }
    while true {
      let start = position, next = XMLBytes.find(0x3C, buffer.span, start, end)
      // An entity may go on in the next piece.
      position = next == end && !sourceEnded ? beforeEntity(start) : next
      if collects, position > start { keepText(start, position) }
      if next == end {
        if try fill() { continue }
        if position < end { continue }
        if !open.isEmpty {
          isCut = true
          pendingEnds = open.count - 1
          return close()
        }
        return .finished
      }
      if let event = try markup() { return event }
    }
  }

  private mutating func close() -> Event {
    collects = false
    return .end(open.removeLast().element)
  }

  /// Gets more bytes behind those that are still needed. False at the end.
  private mutating func fill() throws(PluginFailure) -> Bool {
    guard !sourceEnded else { return false }
    if position > 0 {
      let from = position, count = end - position
      unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe start.copyMemory(from: start + from, byteCount: count)
      }
      end -= position
      position = 0
    }
    let count = try source.read(into: &buffer, from: end)
    sourceEnded = count == 0
    end += count
    return count > 0
  }

  // MARK: - Markup

  /// Reads what begins with `<` at the position. Nil where it is nothing to tell.
  private mutating func markup() throws(PluginFailure) -> Event? {
    // Enough to tell what it is.
    while end - position < 9, try fill() {}
    guard end - position > 1 else {
      position = end
      return nil
    }
    switch buffer[position + 1] {
    case 0x2F: return try endTag()
    case 0x21: try declaration(); return nil
    case 0x3F: try skip(past: Self.instructionEnd, from: 2); return nil
    case let byte where XMLBytes.isNameStart(byte): return try startTag()
    default:
      // A `<` that somebody forgot to write as `&lt;`.
      mended += 1
      if collects { keepText(position, position + 1) }
      position += 1
      return nil
    }
  }

  private mutating func startTag() throws(PluginFailure) -> Event? {
    guard let tag = try findTag(from: 1) else { return nil }
    if !tag.isCorrect { mended += 1 }
    guard open.count < Limits.depth else {
      throw PluginFailure(
        .input, "limit.depth",
        "elements are nested deeper than \(Limits.depth), which no guide needs")
    }
    let element = Element(rawValue: elementNames[tag.key]) ?? .other
    open.append(OpenElement(key: tag.key, element: element))
    if tag.isEmpty { pendingEnds += 1 }
    return .start(element)
  }

  private mutating func endTag() throws(PluginFailure) -> Event? {
    guard let tag = try findTag(from: 2) else { return nil }
    guard let place = open.lastIndex(where: { $0.key == tag.key }) else {
      mended += 1
      return nil
    }
    // Elements inside it that nobody closed end with it.
    pendingEnds = open.count - 1 - place
    mended += pendingEnds
    return close()
  }

  /// Reads the tag at the position and goes on behind it; nil where the document ends before it does.
  ///
  /// - Parameter name: where its name begins.
  private mutating func findTag(from name: Int) throws(PluginFailure) -> XMLBytes.FoundTag? {
    // Taken out and put back, as the buffer must not be looked at while this changes.
    var found = attributes
    attributes = []
    defer { attributes = found }
    while true {
      found.removeAll(keepingCapacity: true)
      let tag = XMLBytes.tag(buffer.span, position + name, end, attributeNames, into: &found)
      guard (tag?.end ?? end) - position <= Limits.tagBytes else { throw Self.tooLong("tag") }
      if let tag {
        position = tag.end + 1
        return tag
      }
      // From its beginning once more: it lies at the end of the buffer, so that is rare.
      guard try fill() else {
        position = end
        return nil
      }
    }
  }

  /// Comments, document types and texts that are not to be looked into.
  private mutating func declaration() throws(PluginFailure) {
    if starts(with: Self.commentStart, at: position) {
      try skip(past: Self.commentEnd, from: 4)
    } else if starts(with: Self.literalStart, at: position) {
      position += Self.literalStart.count
      try literalText()
    } else {
      try skipDocumentType()
    }
  }

  private func starts(with mark: [UInt8], at place: Int) -> Bool {
    guard place >= 0, end - place >= mark.count else { return false }
    for index in mark.indices where buffer[place + index] != mark[index] { return false }
    return true
  }

  private static let commentStart = Array("<!--".utf8), commentEnd = Array("-->".utf8)
  private static let literalStart = Array("<![CDATA[".utf8), literalEnd = Array("]]>".utf8)
  private static let instructionEnd = Array("?>".utf8)

  /// Comments may be long, as some programs put half a guide into one: they are passed over piece by
  /// piece.
  private mutating func skip(past mark: [UInt8], from: Int) throws(PluginFailure) {
    position += from
    while true {
      let last = XMLBytes.find(0x3E, buffer.span, position, end)
      if last < end {
        position = last + 1
        if starts(with: mark, at: position - mark.count) { return }
      } else {
        // The mark may begin in this piece.
        position = max(position, end - 2)
        guard try fill() else {
          position = end
          return
        }
      }
    }
  }

  private mutating func literalText() throws(PluginFailure) {
    while true {
      let last = XMLBytes.find(0x5D, buffer.span, position, end)
      if collects, last > position { keepLiteral(position, last) }
      position = last
      while end - position < 3, try fill() {}
      guard end - position >= 3 else {
        position = end
        return
      }
      if starts(with: Self.literalEnd, at: position) {
        position += Self.literalEnd.count
        return
      }
      if collects { keepLiteral(position, position + 1) }
      position += 1
    }
  }

  private mutating func skipDocumentType() throws(PluginFailure) {
    var index = position + 2, brackets = 0, quote: UInt8 = 0
    while true {
      while index < end {
        let byte = buffer[index]
        if quote != 0 {
          if byte == quote { quote = 0 }
        } else {
          switch byte {
          case 0x22, 0x27: quote = byte
          case 0x5B: brackets += 1
          case 0x5D: brackets -= 1
          case 0x3E where brackets <= 0:
            position = index + 1
            return
          default: break
          }
        }
        index += 1
      }
      guard end - position <= Limits.tagBytes else { throw Self.tooLong("document type") }
      let from = position
      guard try fill() else {
        position = end
        return
      }
      index -= from - position
    }
  }

  private static func tooLong(_ what: String) -> PluginFailure {
    PluginFailure(
      .input, "limit.tag",
      "a \(what) has more than \(Limits.tagBytes >> 10) KiB, which no guide needs")
  }

  // MARK: - Text

  private mutating func keepText(_ from: Int, _ to: Int) {
    guard text.count < Limits.textBytes else { return }
    // Taken out and put back, as the buffer must not be looked at while this changes.
    var kept = text, odd = 0
    text = []
    XMLBytes.decode(buffer.span, from, to, into: &kept, &odd)
    text = kept
    mended += odd
  }

  /// The place of an ampersand shortly before the end, else the end.
  private func beforeEntity(_ from: Int) -> Int {
    for index in (max(from, end - 12)..<max(from, end)).reversed() {
      if buffer[index] == 0x3B { return end }
      if buffer[index] == 0x26 { return index }
    }
    return end
  }

  private mutating func keepLiteral(_ from: Int, _ to: Int) {
    guard text.count < Limits.textBytes else { return }
    text.append(contentsOf: buffer[from..<to])
  }
}
