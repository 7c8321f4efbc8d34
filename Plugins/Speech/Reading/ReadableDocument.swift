internal import PDFText
internal import PluginKit

/// A document whose passages are read page by page.
protocol ReadableDocument {
  /// What it calls itself.
  var title: String? { get }
  /// The language that it states.
  var statedLanguage: String? { get }
  var pageCount: Int { get }
  /// The entries of its own table of contents.
  var outline: [OutlineEntry] { get }
  /// Letters and digits in all, running lines left out.
  var letters: Int { get }
  /// Lines at the head or foot of pages that are left out.
  var runningLines: Int { get }
  /// Its beginning, by which its language is told.
  var beginning: String { get }
  /// The passages of a page, counted from 1, in reading order.
  func passages(_ page: Int) -> [Passage]
  /// The picture of a page, counted from 1, where it is one; of so many bytes at most.
  func picture(_ page: Int, most: Int) -> PagePicture?
  /// What is shown of a page, counted from 1, in points; nil for documents that have no pages to be drawn.
  func size(_ page: Int) -> TextPage.Box?
  /// Tells the host what was odd about the file.
  ///
  /// - Returns: whether a part of it could not be read.
  func tell(_ host: any StepHost) -> Bool
}

extension ReadableDocument {
  func picture(_ page: Int, most: Int) -> PagePicture? { nil }
  func size(_ page: Int) -> TextPage.Box? { nil }
}
