import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// The lines that a page tells of where they are wanted.
struct RulingLineTests {
  private func rules(_ content: String, page: String = "", wanted: Bool = true) throws
    -> [TextPage.Rule]
  {
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages([content], page: page))))
    extractor.notesRules = wanted
    return try #require(extractor.page(0)).rules
  }

  @Test func `strokes and thin fills are lines, areas and slants are none`() throws {
    #expect(
      try rules("100 700 m 300 700 l S") == [
        TextPage.Rule(isHorizontal: true, place: 92, extent: 100...300)
      ])
    #expect(
      try rules("100 600 0.5 92 re f") == [
        TextPage.Rule(isHorizontal: false, place: 100.25, extent: 100...192)
      ])
    #expect(try rules("100 600 50 50 re S").count == 4)
    #expect(try rules("100 600 50 50 re f 10 10 m 60 40 l S 0 0 m 1 2 3 4 5 6 c S").isEmpty)
    // A stroke as wide as a band is an area; a path that is not painted is nothing.
    #expect(try rules("20 w 100 700 m 300 700 l S").isEmpty)
    #expect(try rules("100 600 50 50 re W n").isEmpty)
  }

  @Test func `lines follow the matrix and the page's rotation`() throws {
    #expect(
      try rules("q 2 0 0 2 0 0 cm 50 350 m 150 350 l S Q") == [
        TextPage.Rule(isHorizontal: true, place: 92, extent: 100...300)
      ])
    let turned = try #require(
      try rules("100 700 m 300 700 l S", page: "/Rotate 90").first)
    #expect(!turned.isHorizontal && turned.place == 700 && turned.extent == 100...300)
  }

  @Test func `nothing is noted unless it is wanted, and never without bound`() throws {
    #expect(try rules("100 700 m 300 700 l S", wanted: false).isEmpty)
    let many = String(repeating: "0 0 m 9 0 l S ", count: 50_000)
    #expect(try rules(many).count == 40_000)
    let huge = "1e300 0 0 1e300 0 0 cm 1e300 0 m 2e300 0 l S"
    #expect(try rules(huge).isEmpty)
  }

  @Test func `text that is drawn as outlines is noticed, dots and large shapes are none`() throws {
    func isUnread(
      _ shape: (Int) -> (width: Int, height: Int), _ painting: String = "f", scattered: Int = 0
    ) throws
      -> Bool
    {
      let shapes = (0..<200).map { index in
        let (x, y) = (
          50 + index % 20 * 25 + scattered * (index * 7 % 23),
          50 + index / 20 * 60 + scattered * (index * 11 % 47)
        )
        let (width, height) = shape(index)
        let (right, top) = (x + width, y + height)
        return
          "\(x) \(y) m \(x) \(top) l \(right) \(top) \(right) \(y) \(right) \(y) c h \(painting)"
      }
      let extractor = try TextExtractor(
        PDFFile(FileBytes(PDFBuilder.pages([shapes.joined(separator: "\n"), "BT ET"]))))
      return extractor.unreadPages(among: [0, 1]) == [0]
    }
    #expect(try isUnread { (4 + $0 % 7, 6 + $0 % 5) })
    #expect(try !isUnread { _ in (5, 5) })
    #expect(try !isUnread { (100 + $0 % 7, 80 + $0 % 5) })
    #expect(try !isUnread({ (4 + $0 % 7, 6 + $0 % 5) }, "n"))
    // Letters stand on lines.
    #expect(try !isUnread({ (4 + $0 % 7, 6 + $0 % 5) }, scattered: 1))
  }
}
