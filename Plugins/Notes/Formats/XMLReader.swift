internal import Bytes
internal import CXML
internal import Glibc
internal import PluginKit

/// An element of an XML document.
struct XMLElement {
  /// Without its prefix.
  var name: String
  /// By their names without prefixes; the last of two counts.
  var attributes: [String: String] = [:]
  /// The text that stands directly in it.
  var text = ""
  /// What stands in it as it is written, of elements for which that was asked.
  var markup: String?
  var children: [XMLElement] = []
  var line: Int

  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// Reads XML by libxml2. Documents that declare types or entities are refused, so nothing is expanded or
/// fetched; depth and size are limited.
enum XMLReader {
  /// Why a document cannot be read.
  struct Mistake: Error {
    var message: String
  }

  private static let mostElements = 1_000_000

  /// The root element.
  ///
  /// - Parameter markupOf: an element whose content is kept as it is written.
  static func read(_ bytes: [UInt8], markupOf: String) throws(Mistake) -> XMLElement {
    guard bytes.count <= NotesLimits.changesFile else { throw Mistake(message: "it is too large") }
    let bytes = try text(bytes), end = bytes.count
    guard bytes.span.first(of: "<!DOCTYPE", in: 0..<end) == nil,
      bytes.span.first(of: "<!ENTITY", in: 0..<end) == nil
    else { throw declares }
    var tags = XMLTagBounds(
      mostBytes: NotesLimits.tagBytes, mostAttributes: NotesLimits.attributes)
    guard tags.allow(bytes[...]) else {
      throw Mistake(
        message:
          "one of its tags has more than \(NotesLimits.tagBytes >> 20) MiB or \(NotesLimits.attributes) attributes"
      )
    }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue
      | XML_PARSE_NOWARNING.rawValue
    let result: Result<XMLElement, Mistake> = unsafe bytes.withUnsafeBytes { raw in
      guard
        let reader = unsafe xmlReaderForMemory(
          raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count), nil,
          "UTF-8", Int32(options))
      else { return .failure(Mistake(message: "it cannot be read")) }
      defer { unsafe xmlFreeTextReader(reader) }
      do throws(Mistake) {
        return .success(try unsafe tree(reader, markupOf: markupOf))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// A document as UTF-8.
  private static func text(_ bytes: [UInt8]) throws(Mistake) -> [UInt8] {
    let isBig = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0x00, 0x3C])
    if isBig || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0x00]) {
      let units = stride(from: 0, to: bytes.count & ~1, by: 2).map { index in
        let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    guard let declaration = head.firstRange(of: "<?xml"),
      let place = head[declaration.upperBound...].prefix(while: { $0 != ">" })
        .firstRange(of: "encoding")
    else { return bytes }
    let name = head[place.upperBound...].drop { " \t\n\r=\"'".contains($0) }
      .prefix { !"\"'".contains($0) }
    switch name.uppercased() {
    case "UTF-8", "UTF8", "US-ASCII", "ASCII": return bytes
    case "ISO-8859-1", "LATIN1", "WINDOWS-1252":
      return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    default: throw Mistake(message: "it is written in \(name.prefix(32)), not in UTF-8")
    }
  }

  private static var declares: Mistake {
    Mistake(message: "it declares a document type, which no file of notes needs")
  }

  private static func tree(
    _ reader: xmlTextReaderPtr, markupOf: String
  ) throws(Mistake) -> XMLElement {
    var open: [XMLElement] = []
    var count = 0
    var status = unsafe xmlTextReaderRead(reader)
    while status == 1 {
      var skips = false
      let kind = unsafe UInt32(bitPattern: xmlTextReaderNodeType(reader))
      switch kind {
      case XML_READER_TYPE_DOCUMENT_TYPE.rawValue: throw declares
      case XML_READER_TYPE_ELEMENT.rawValue:
        count += 1
        guard count <= mostElements, open.count < NotesLimits.xmlDepth else {
          throw Mistake(message: "it is too deep or too large")
        }
        var element = unsafe element(reader)
        if element.name == markupOf {
          element.markup = unsafe markup(reader)
          skips = true
        }
        if skips || (unsafe xmlTextReaderIsEmptyElement(reader)) == 1 {
          guard !open.isEmpty else { return element }
          open[open.count - 1].children.append(element)
        } else {
          open.append(element)
        }
      case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue,
        XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue:
        if !open.isEmpty, let value = unsafe xmlTextReaderConstValue(reader) {
          open[open.count - 1].text += unsafe text(value)
        }
      case XML_READER_TYPE_END_ELEMENT.rawValue:
        guard let closed = open.popLast() else { break }
        guard !open.isEmpty else { return closed }
        open[open.count - 1].children.append(closed)
      default: break
      }
      status = unsafe skips ? xmlTextReaderNext(reader) : xmlTextReaderRead(reader)
    }
    let line = unsafe xmlTextReaderGetParserLineNumber(reader)
    throw Mistake(message: "it is no correct XML (line \(line))")
  }

  private static func element(_ reader: xmlTextReaderPtr) -> XMLElement {
    var element = unsafe XMLElement(
      name: xmlTextReaderConstLocalName(reader).map { unsafe text($0) } ?? "",
      line: Int(xmlTextReaderGetParserLineNumber(reader)))
    var more = unsafe xmlTextReaderMoveToFirstAttribute(reader)
    while more == 1 {
      if let name = unsafe xmlTextReaderConstLocalName(reader),
        let value = unsafe xmlTextReaderConstValue(reader)
      {
        element.attributes[unsafe text(name)] = unsafe text(value)
      }
      more = unsafe xmlTextReaderMoveToNextAttribute(reader)
    }
    unsafe xmlTextReaderMoveToElement(reader)
    return element
  }

  private static func markup(_ reader: xmlTextReaderPtr) -> String? {
    guard let inner = unsafe xmlTextReaderReadInnerXml(reader) else { return nil }
    // What xmlFree stands for; that itself is a variable that all threads share.
    defer { unsafe free(inner) }
    return unsafe text(inner)
  }

  private static func text(_ pointer: UnsafePointer<xmlChar>) -> String {
    unsafe String(cString: pointer)
  }

  /// Rich text without what stands before its first element; nil where it is no correct XML.
  static func body(of rich: String) -> String? {
    let start = rich.utf8.firstRange(of: "<body".utf8) ?? rich.utf8.firstRange(of: "<p".utf8)
    guard let start else { return nil }
    let body = String(rich[start.lowerBound...])
    guard body.utf8.count < NotesLimits.textOfNote,
      (try? read(Array(body.utf8), markupOf: "")) != nil
    else { return nil }
    // What follows the element would not be noticed by a reader that ends with it.
    let last = body.last { !$0.isWhitespace }
    return last == ">" ? body : nil
  }
}
