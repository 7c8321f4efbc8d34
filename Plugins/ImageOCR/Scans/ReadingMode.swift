internal import PDFSyntax

/// Which pages of a PDF are read.
enum ReadingMode: String, Sendable, CaseIterable {
  /// Those without text of any kind, or with a line beside a scan that fills the page.
  case skip
  /// Those without text that is seen, and those with text that is not, as earlier programs put it there: this is
  /// replaced.
  case redo
  /// All that have pictures; text that is seen stays, and what pictures repeat of it is left out.
  case force

  /// Whether a page is read.
  ///
  /// - Parameter isScanWithLine: whether the page is a picture with hardly any text beside it.
  func reads(_ content: PageContent, isScanWithLine: @autoclosure () -> Bool) -> Bool {
    guard content.hasPicturesToRead else { return false }
    switch self {
    case .skip: return !content.hasText || !content.text.isHidden && isScanWithLine()
    case .redo: return !content.text.isSeen || content.text.unseen > 0 || isScanWithLine()
    case .force: return true
    }
  }
}
