import Bytes
import PDFSyntax
import PDFText
import PluginKit

/// Looks into one source after another; runs in a process that has confined itself.
struct SourceReader {
  /// Writes what a command makes of one open file; throws before it writes anything where it makes nothing of it.
  typealias Body = (_ extractor: TextExtractor, _ source: Source, _ output: inout OutputFile)
    throws(ReadFailure) -> Void

  let passwords: [String]
  /// Which pages are wanted; nil for all.
  let pages: PageSelection?
  let body: Body

  /// What is said of a source whose pages are pictures, and what helps; without full stop.
  static let noText = "its pages have no text. --ocr recognizes scans first"

  /// Writes what the command makes of a source. False, with one sentence on standard error and
  /// nothing written, where the source cannot be read or nothing can be made of it.
  func read(_ source: Source, head: [UInt8], into output: inout OutputFile) -> Bool {
    guard let extractor = open(source) else { return false }
    let count = extractor.pageCount
    if let pages, count > 0, !(1...count).contains(where: pages.contains) {
      Console.complain(
        "\(source.name): it has \(count) page\(count == 1 ? "" : "s"), none of them is among"
          + " \(pages.description).")
      return false
    }
    output.write(head)
    do throws(ReadFailure) { try body(extractor, source, &output) } catch {
      Console.complain("\(source.name): \(error.reason).")
      return false
    }
    warn(source, extractor.file.diagnostics)
    return true
  }

  private func open(_ source: Source) -> TextExtractor? {
    var start: [UInt8] = []
    do {
      let bytes = try source.read()
      start = bytes.span.array(0..<12)
      let file = try PDFFile(bytes, passwords: passwords)
      return try TextExtractor(file)
    } catch let failure as ReadFailure {
      Console.complain("\(source.name): \(failure.reason).")
    } catch let error as PDFError {
      var text = error.description
      if error == .passwordNeeded, !passwords.isEmpty {
        text = passwords.count == 1 ? "the password is wrong" : "no password fits"
      } else if error == .passwordNeeded {
        text += ": --passwords names a file of passwords"
      } else if error == .notPDF, let hint = Self.hint(start) {
        text += ": \(hint)"
      }
      Console.complain("\(source.name): \(text).")
    } catch {
      Console.complain("\(source.name): it cannot be read.")
    }
    return nil
  }

  /// What helps with a file that is no PDF, by its first bytes.
  private static func hint(_ start: [UInt8]) -> String? {
    let images: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47], [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
      Array("GIF8".utf8),
    ]
    let isWebP =
      start.starts(with: Array("RIFF".utf8)) && start.dropFirst(8).elementsEqual("WEBP".utf8)
    if isWebP || images.contains(where: start.starts) {
      return "--ocr recognizes the text of images first"
    }
    // ZIP, as all of OpenDocument and Office Open XML, and what stood before those.
    if start.starts(with: Array("PK".utf8)) || start.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      return "procd convert reads office documents"
    }
    return nil
  }

  /// Says that pages are pictures or drawings with hardly any text.
  static func warnOfUnread(
    _ source: Source, _ extractor: TextExtractor, among sparse: [Int]
  ) {
    if let sentence = extractor.sentenceOfUnreadPages(among: sparse) {
      Console.complain("\(source.name): \(sentence). --ocr recognizes scans first.")
    }
  }

  private func warn(_ source: Source, _ diagnostics: Diagnostics) {
    guard diagnostics.isPartial,
      let first = diagnostics.list.first(where: { $0.severity == .lost })
    else { return }
    Console.complain("\(source.name): only part of it could be read: \(first).")
  }
}
