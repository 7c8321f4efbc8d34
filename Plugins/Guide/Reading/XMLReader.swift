internal import Bytes
internal import CXML
internal import PluginKit

/// Takes what an XML document says. The root has depth 1.
protocol XMLEvents: AnyObject {
  func began(_ element: Element, at depth: Int, _ attributes: XMLAttributes) throws(PluginFailure)
  /// - Parameter text: what stood since the last element began that means something.
  func ended(_ element: Element, at depth: Int, _ text: [UInt8]) throws(PluginFailure)
}

/// Those attributes of an element that mean something.
struct XMLAttributes {
  fileprivate var found: [(attribute: Attribute, value: [UInt8])] = []

  /// Empty where there is none.
  subscript(attribute: Attribute) -> [UInt8] {
    found.first { $0.attribute == attribute }?.value ?? []
  }
}

/// Reads XML by libxml2 as a stream, in memory that does not depend on the size of the document.
///
/// No entity is ever expanded or fetched: the parser is given nobody who knows one. libxml2 ends at the first
/// mistake, but files have mistakes, so the bytes of the entry that is read are kept until it has ended.
/// Where it breaks, it is mended and read once more by another parser, which goes on from there. So any bytes
/// give events; only limits throw.
@safe final class XMLReader {
  /// Places that were no correct XML.
  private(set) var mended = 0
  /// Whether the root is open: at the end, whether the document was cut.
  var isInRoot: Bool { !open.isEmpty }

  private let events: any XMLEvents
  private var context: xmlParserCtxtPtr?
  private var tags = bounds
  /// Bytes that the parser in use was given.
  private var given = 0
  /// What does not belong to an entry that has ended, and how much of it the parser was given.
  private var kept: [UInt8] = []
  private var keptGiven = 0
  /// How many of the last bytes of `kept` are still needed.
  private var needed = 0
  /// Mending is tried when there are so many bytes: twice as many as the last time.
  private var mendsAt = 0
  private static let longestWait = 128 << 10
  private var skipsTo: (marks: [StaticString], behind: Bool)?
  private var open: [Element] = []
  private var text: [UInt8] = []
  private var failure: PluginFailure?
  private var isStopped = false

  init(_ events: any XMLEvents) {
    self.events = events
    restart(inRoot: false)
  }

  deinit { unsafe Self.free(context) }

  func read(_ source: DocumentBytes) throws(PluginFailure) {
    var isLast = false
    while !isLast {
      let piece = try source.next()
      isLast = piece.isEmpty
      kept += piece
      if skipsTo == nil || skip(isLast) { try advance(isLast) }
    }
  }

  /// Reads what is kept as far as it goes.
  private func advance(_ isLast: Bool) throws(PluginFailure) {
    while true {
      if !isBroken {
        needed = kept.count
        give(kept[keptGiven...])
        if let failure { throw failure }
        kept.removeFirst(kept.count - needed)
        keptGiven = kept.count
      }
      // Behind a bare `&` libxml2 waits for the next semicolon, however far it is.
      if kept.count > Self.longestWait { isStopped = true }
      guard !kept.isEmpty, isBroken || isLast else { return }
      guard isLast || kept.count >= mendsAt else { return }
      let wasInRoot = isInRoot
      var mender = XMLMender(kept, isLast: isLast)
      guard let made = try mender.mend(inRoot: wasInRoot) else {
        mendsAt = kept.count * 2
        return try giveUpWhatIsTooLong()
      }
      mendsAt = 0
      mended += made.mistakes
      restart(inRoot: wasInRoot)
      give(made.text[...])
      if let failure { throw failure }
      if isBroken {
        // It cannot be read at all.
        mended += 1
        restart(inRoot: wasInRoot)
      }
      // Where one entry was wrong the next may be, too: it is mended at once.
      isStopped = made.mistakes > 0
      kept.removeFirst(made.end)
      keptGiven = 0
    }
  }

  /// Passes over an entry or a comment of which more is here than may be kept.
  private func giveUpWhatIsTooLong() throws(PluginFailure) {
    guard kept.count > Limits.entryBytes else { return }
    // The root is told of before the end of its tag.
    let start = kept.drop { $0 <= 0x20 || $0 == 0x3E }
    let pairs: [(String, StaticString)] = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")]
    for (begin, end) in pairs where start.starts(with: begin.utf8) { skipsTo = ([end], true) }
    if skipsTo == nil {
      guard !start.starts(with: "<!".utf8) else { throw Self.tooLong("document type") }
      guard start.first != 0x3C || start.prefix(Limits.tagBytes).contains(0x3E) else {
        throw Self.tooLong("tag")
      }
      skipsTo = (["<programme", "<channel", "</tv"], false)
      mended += 1
    }
    restart(inRoot: isInRoot)
    kept = Array(kept.suffix(Self.longestMark))
  }

  private static let longestMark = 10
  private static let bounds = XMLTagBounds(
    mostBytes: Limits.tagBytes, mostAttributes: Limits.attributes)

  /// - Returns: whether it came to what was sought.
  private func skip(_ isLast: Bool) -> Bool {
    guard let skipsTo else { return true }
    var found: Int?
    for mark in skipsTo.marks {
      guard var place = kept.span.first(of: mark, in: 0..<kept.count) else { continue }
      if skipsTo.behind { place += mark.utf8CodeUnitCount }
      found = min(found ?? place, place)
    }
    kept.removeFirst(found ?? max(0, isLast ? kept.count : kept.count - Self.longestMark))
    guard found != nil else { return false }
    (self.skipsTo, keptGiven, mendsAt) = (nil, 0, 0)
    return true
  }

  static let tooDeep = PluginFailure(
    .input, "limit.depth", "elements are nested deeper than \(Limits.depth), which no guide needs")

  static func tooLong(_ what: String) -> PluginFailure {
    PluginFailure(
      .input, "limit.tag",
      "a \(what) has more than \(Limits.tagBytes >> 10) KiB or \(Limits.attributes) attributes, which no guide needs"
    )
  }

  /// Returns the Unicode value of an HTML 4 entity, such as 252 for `uuml`, or nil if there is no such entity.
  static func letter(ofEntity name: String) -> UInt32? {
    unsafe htmlEntityLookup(name).map { unsafe $0.pointee.value }
  }

  // MARK: - The parser

  private var isBroken: Bool {
    unsafe isStopped || context == nil || context?.pointee.wellFormed == 0
  }

  /// Begins with another parser, where need be as if the root had just begun.
  private func restart(inRoot: Bool) {
    unsafe Self.free(context)
    open.removeAll()
    (isStopped, given, needed) = (false, 0, 0)
    tags = Self.bounds
    var handler = unsafe Self.handler
    unsafe context = xmlCreatePushParserCtxt(
      &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
    // Entities are replaced so that `&amp;` in an attribute is; there are no others, see above. The bytes are
    // UTF-8, whatever the document says.
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    _ = unsafe xmlCtxtUseOptions(context, Int32(options))
    if inRoot { give(Array("<tv>".utf8)[...]) }
  }

  private static func free(_ context: xmlParserCtxtPtr?) {
    guard let context = unsafe context else { return }
    // Declarations of the document are kept in one that is not the parser's.
    unsafe xmlFreeDoc(context.pointee.myDoc)
    unsafe xmlFreeParserCtxt(context)
  }

  private func give(_ bytes: ArraySlice<UInt8>) {
    given += bytes.count
    guard tags.allow(bytes) else { return fail(Self.tooLong("tag")) }
    unsafe bytes.withUnsafeBytes {
      _ = unsafe xmlParseChunk(
        context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), 0)
    }
  }

  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { reader, name, prefix, _, _, _, count, _, attributes in
      unsafe XMLReader.of(reader)?.began(name, prefix, attributes, Int(count))
    }
    unsafe handler.endElementNs = { reader, _, _, _ in unsafe XMLReader.of(reader)?.ended() }
    unsafe handler.characters = { reader, text, count in
      unsafe XMLReader.of(reader)?.add(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.cdataBlock = { reader, text, count in
      unsafe XMLReader.of(reader)?.add(
        UnsafeBufferPointer(start: text, count: Int(count)), isLiteral: true)
    }
    // Told where a document type may declare it elsewhere; else an entity that is not known is a mistake.
    unsafe handler.reference = { reader, name in
      guard let reader = unsafe XMLReader.of(reader), let name = unsafe name else { return }
      reader.mended += 1
      var text = Array("&\(unsafe String(cString: name));".utf8)
      unsafe text.withUnsafeMutableBufferPointer { unsafe reader.add(UnsafeBufferPointer($0)) }
    }
    return unsafe handler
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
    unsafe pointer.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - What it tells

  private func began(
    _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) {
    guard !isStopped, failure == nil, let name = unsafe name else { return }
    guard open.count < Limits.depth else { return fail(Self.tooDeep) }
    let element =
      unsafe prefix == nil ? Element.named[unsafe String(cString: name)] ?? .other : .other
    // Somebody forgot to close the one before, which is a mistake that only shows much later.
    if element.isEntry, open.count > 1 { return isStopped = true }
    var found = XMLAttributes()
    for index in 0..<count {
      // Name, prefix, address, start and end of each.
      guard let name = unsafe attributes?[index * 5], let start = unsafe attributes?[index * 5 + 3],
        let end = unsafe attributes?[index * 5 + 4]
      else { continue }
      if let attribute = Attribute.named[unsafe String(cString: name)] {
        let value = unsafe Array(UnsafeBufferPointer(start: start, count: start.distance(to: end)))
        found.found.append((attribute, value))
      }
    }
    open.append(element)
    if element != .other { text.removeAll(keepingCapacity: true) }
    do throws(PluginFailure) { try events.began(element, at: open.count, found) } catch {
      fail(error)
    }
    if open.count == 1 { settle() }
  }

  private func ended() {
    guard !isStopped, failure == nil, let element = open.popLast() else { return }
    do throws(PluginFailure) { try events.ended(element, at: open.count + 1, text) } catch {
      fail(error)
    }
    if open.count <= 1 { settle() }
  }

  private func add(_ characters: UnsafeBufferPointer<UInt8>, isLiteral: Bool = false) {
    guard !isStopped, failure == nil else { return }
    if open.count <= 1 {
      // Of a literal text the beginning is still needed, as it comes in pieces.
      if !isLiteral { settle() }
    } else if text.count < Limits.textBytes {
      unsafe text.append(contentsOf: characters)
    }
  }

  /// What came so far is not needed any more.
  private func settle() { needed = min(needed, unsafe max(0, given - cxml_bytes_read(context))) }

  private func fail(_ failure: PluginFailure) {
    self.failure = failure
    isStopped = true
  }
}
