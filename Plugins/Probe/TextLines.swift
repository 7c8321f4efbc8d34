internal import Bytes
internal import PluginKit

/// Counts lines of a file's text that match an expression. A file without text has none; why, is for the steps to tell.
struct TextLines {
  let pages: PageSelection
  let regex: TextPattern
  let limits: StepLimits

  func count(in file: consuming MappedFile) -> Int {
    var document = DocumentPages(file, limits)
    var count = 0
    for index in 0..<document.count where pages.contains(index + 1) {
      for line in document.text(index).split(whereSeparator: \.isNewline) {
        if regex.firstMatch(in: String(line)) != nil { count += 1 }
      }
    }
    return count
  }
}

/// The pages that an option names; the first where it names none.
func pageSelection(_ text: String?) throws(PluginFailure) -> PageSelection {
  guard let pages = PageSelection(text ?? "1") else {
    throw PluginFailure(.options, "option.pages", "pages are written 1, 1-3, 2-5,9 or all")
  }
  return pages
}

/// The expression that an option holds.
func expression(_ text: String) throws(PluginFailure) -> TextPattern {
  do { return try TextPattern(text) } catch {
    throw PluginFailure(.options, "option.regex", "the expression cannot be read: \(error)")
  }
}
