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
    // In UTF-16 a zero stands before or behind each letter.
    let letters = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
    let end = letters.count
    guard letters.span.first(of: "<!DOCTYPE", in: 0..<end) == nil,
      letters.span.first(of: "<!ENTITY", in: 0..<end) == nil
    else { throw declares }
    guard bytes.count <= NotesLimits.changesFile else { throw Mistake(message: "it is too large") }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    let result: Result<XMLElement, Mistake> = unsafe bytes.withUnsafeBytes { raw in
      guard
        let reader = unsafe xmlReaderForMemory(
          raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count), nil, nil,
          Int32(options))
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
