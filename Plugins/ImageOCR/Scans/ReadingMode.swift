internal import PDFSyntax

/// Which pages of a PDF are read.
enum ReadingMode: String, Sendable, CaseIterable {
  /// Those without text of any kind.
  case skip
  /// Those without text that is seen, and those on which an earlier program put text that is not: this
  /// is replaced.
  case redo
  /// All that have pictures; text that is seen stays, and what pictures repeat of it is left out.
  case force

  /// Whether a page is read.
  func reads(_ content: PageContent) -> Bool {
    guard content.hasPicturesToRead else { return false }
    switch self {
    case .skip: return !content.hasText
    case .redo: return !content.text.isSeen || content.text.isHidden
    case .force: return true
    }
  }
}
