import Bytes
import Foundation
import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import ImageOCR

@Suite struct JoinTests {
  private struct Joined {
    var file: PDFFile
    var result: PageJoin.Result
  }

  private func join(
    _ files: [(String, [UInt8])], order: PageOrder = .files, choosing chosen: [String] = []
  ) throws -> Joined {
    var bytes: [UInt8] = []
    let result = try PageJoin(limits: OCRLimits(), passwords: []).join(
      files.map { PageJoin.File(name: $0.0, bytes: FileBytes($0.1)) }, order: order,
      choosing: chosen, progress: { _, _ in }
    ) { (piece) throws(PluginFailure) in
      bytes += piece
    }
    return Joined(file: try PDFFile(FileBytes(bytes)), result: result)
  }

  @Test(arguments: [
    ([2, 2], [0, 2, 1, 3]), ([3, 2], [0, 3, 1, 4, 2]), ([1, 0], [0]), ([1, 1], [0, 1]),
  ])
  func `backs lie from the last to the first`(counts: [Int], expected: [Int]) throws {
    // Pages numbered through the files: those of the second after those of the first, reversed.
    let places = try PageOrder.oddEven.places(counts)
    let numbered = places.map { place in
      place.file == 0 ? place.page : counts[0] + (counts[1] - 1 - place.page)
    }
    #expect(numbered == expected)
  }

  @Test(arguments: [[2, 3], [4, 2], [1], [1, 1, 1], []])
  func `sides that do not fit are refused`(counts: [Int]) {
    let failure = #expect(throws: PluginFailure.self) { try PageOrder.oddEven.places(counts) }
    #expect(failure?.code == "pages.sides")
  }

  @Test func `pages of PDFs are copied with what they need, and images become pages`() throws {
    let pdf = PDFBuilder.pages([PDFBuilder.lines(["one"]), PDFBuilder.lines(["two"])])
    let joined = try join([("a.pdf", pdf), ("b.pgm", DrawnPage.letter.portableGreyMap)])
    let pages = try PageTree(joined.file)
    #expect(pages.count == 3 && joined.result.pages == 3)
    let first = try #require(pages.page(0))
    #expect(
      String(decoding: first.content(joined.file, limit: 1 << 20), as: UTF8.self).contains("one"))
    #expect(joined.file.dictionary(first.resources, "Font")?.isEmpty == false)
    let last = try #require(pages.page(2))
    #expect(joined.file.dictionary(last.resources, "XObject")?.isEmpty == false)
  }

  @Test func `chosen pages come in their order, each turned by what is asked for`() throws {
    let pdf = PDFBuilder.pages([PDFBuilder.lines(["one"]), PDFBuilder.lines(["two"])])
    let joined = try join(
      [("a.pdf", pdf), ("b.pgm", DrawnPage.letter.portableGreyMap)],
      choosing: ["2@90", "1:2@270", "1:1", "1:2"])
    let pages = try PageTree(joined.file)
    let rotations = (0..<pages.count).compactMap { pages.page($0)?.rotation }
    #expect(rotations == [90, 270, 0, 0])
    let contents = (0..<pages.count).compactMap { index in
      pages.page(index).map {
        String(decoding: $0.content(joined.file, limit: 1 << 20), as: UTF8.self)
      }
    }
    #expect(contents[1].contains("two") && contents[2].contains("one"))
    #expect(contents[3].contains("two"))
  }

  @Test(arguments: ["3", "0", "1:3", "1:0", "1@45", "", "1:1:1", "-1", "1@90@90", "99999999999"])
  func `a page that is not there cannot be chosen`(text: String) {
    let failure = #expect(throws: PluginFailure.self) { try PageOrder.places([text], [2, 1]) }
    #expect(failure?.code == "pages.choice")
  }

  @Test func `attributes that a page inherits come along`() throws {
    var builder = PDFBuilder()
    let content = builder.addStream(Array("BT ET".utf8))
    let page = builder.add("<< /Type /Page /Parent 3 0 R /Contents \(content) 0 R >>")
    let pages = builder.add(
      "<< /Type /Pages /Kids [\(page) 0 R] /Count 1 /MediaBox [0 0 300 400] /Rotate 90"
        + " /CropBox [10 10 290 390] /Resources << /ExtGState << /G << /CA 1 >> >> >> >>")
    let root = builder.add("<< /Type /Catalog /Pages \(pages) 0 R >>")
    let joined = try join([("a.pdf", builder.file(root: root))])
    let copy = try #require(try PageTree(joined.file).page(0))
    #expect(copy.mediaBox == Rectangle(x0: 0, y0: 0, x1: 300, y1: 400))
    #expect(copy.cropBox == Rectangle(x0: 10, y0: 10, x1: 290, y1: 390))
    #expect(copy.rotation == 90)
    #expect(joined.file.dictionary(copy.resources, "ExtGState") != nil)
  }

  @Test func `a link to a page that came along leads to its copy, others nowhere`() throws {
    // Objects 1 to 6: content, first page, second page, annotation to the second, to the tree, tree.
    var builder = PDFBuilder()
    let content = builder.addStream(Array("BT ET".utf8))
    let first = builder.add(
      "<< /Type /Page /Parent 6 0 R /Contents 1 0 R /Annots [4 0 R 5 0 R] /StructParents 3 >>")
    _ = builder.add("<< /Type /Page /Parent 6 0 R /Contents \(content) 0 R >>")
    _ = builder.add(
      "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /P \(first) 0 R /Dest [3 0 R /Fit] >>")
    _ = builder.add("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [6 0 R /Fit] >>")
    let pages = builder.add(
      "<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 /MediaBox [0 0 300 400] >>")
    let root = builder.add("<< /Type /Catalog /Pages \(pages) 0 R >>")
    let joined = try join([("a.pdf", builder.file(root: root))])
    let tree = try PageTree(joined.file)
    #expect(tree.count == 2)
    let page = try #require(tree.page(0))
    #expect(page.dictionary["StructParents"] == nil)
    let links = try #require(joined.file.array(page.dictionary, "Annots"))
    let targets = links.map { link in
      joined.file.array(joined.file.resolve(link).dictionary ?? [:], "Dest")?.first
    }
    #expect(targets.first == tree.page(1)?.reference.map { .reference($0) })
    #expect(targets.last == PDFObject.null)
  }

  @Test func `a file that is neither is named in the refusal`() {
    let failure = #expect(throws: PluginFailure.self) {
      try join([("a.pgm", DrawnPage.letter.portableGreyMap), ("b.doc", Array("text".utf8))])
    }
    #expect(failure?.code == "image.unknown" && failure?.message.hasPrefix("b.doc: ") == true)
  }
}
