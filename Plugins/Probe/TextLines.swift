internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// Counts lines of a file's text that match an expression.
struct TextLines {
  let pages: String
  let expression: String
  let limits: StepLimits

  func count(in file: consuming MappedFile) throws(PluginFailure) -> Int {
    let regex: Regex<AnyRegexOutput>
    do { regex = try Regex(expression) } catch {
      throw PluginFailure(.options, "option.regex", "the expression cannot be read: \(error)")
    }
    func matches(_ line: String) -> Bool {
      // A match that fails for its own reasons is none.
      (try? regex.firstMatch(in: line)) != nil
    }
    let extractor: TextExtractor
    do throws(PDFError) {
      extractor = try TextExtractor(PDFFile(FileBytes(file)))
    } catch {
      // No text is no match; why the file has none is for the steps to tell.
      return 0
    }
    var count = 0
    let wanted = PageSelection(pages)
    for index in 0..<min(extractor.pageCount, limits.pages) where wanted.holds(index + 1) {
      guard let page = extractor.page(index) else { continue }
      for line in page.text.split(separator: "\n") where matches(String(line)) { count += 1 }
    }
    return count
  }
}
