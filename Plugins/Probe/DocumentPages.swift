internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// The text of a document page by page: of a PDF, or of a text, which form feeds part. A PDF that cannot be opened, and
/// what has bytes that are zero, has no text. Each page is read once, however often it is asked for.
struct DocumentPages {
  private let extractor: TextExtractor?
  let count: Int
  private var texts: [Int: String] = [:]

  /// No more is read of a text that is no PDF, in bytes.
  private static let mostOfText = 4 << 20

  init(_ file: consuming MappedFile, _ limits: StepLimits) {
    let bytes = FileBytes(file)
    do throws(PDFError) {
      let extractor = try TextExtractor(PDFFile(bytes))
      self.extractor = extractor
      count = min(extractor.pageCount, limits.pages)
    } catch {
      extractor = nil
      let text = bytes.span.array(0..<Self.mostOfText)
      let isText = !text.contains(0) && !text.starts(with: "%PDF-".utf8)
      let pages =
        isText
        ? String(decoding: text, as: UTF8.self)
          .split(separator: "\u{0C}", omittingEmptySubsequences: false).map(String.init) : []
      count = pages.count
      texts = Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($0.offset, $0.element) })
    }
  }

  /// - Parameter index: from 0.
  mutating func text(_ index: Int) -> String {
    if let text = texts[index] { return text }
    let text = extractor?.page(index)?.text ?? ""
    texts[index] = text
    return text
  }
}
