import PDFSyntax
import PDFText

/// Finds the places of a word in a PDF.
struct WordSearch {
  /// A page, from 1, and a box on it in points from the top left of the page as shown.
  struct Place {
    var page: Int
    var box: TextPage.Box
  }

  private(set) var places: [Place] = []
  /// What was odd about the file, and whether some of its content could not be read.
  private(set) var oddities: [String] = []
  private(set) var isPartial = false

  init(_ wanted: String, in bytes: FileBytes, passwords: [String] = []) throws(PDFError) {
    let file = try PDFFile(bytes, passwords: passwords)
    let extractor = try TextExtractor(file)
    for index in 0..<extractor.pageCount {
      // One page at a time is in memory.
      guard let page = extractor.page(index) else { continue }
      for word in page.words where page.text(word) == wanted {
        places.append(Place(page: page.number, box: word.box))
      }
    }
    oddities = file.diagnostics.list.map(\.description)
    isPartial = file.diagnostics.isPartial
  }
}
