import Foundation
import SystemPackage
import TestSupport
import Testing

/// `extract`, `rows` and `tables` with `-j` and `-o`: confined children read, results come in order.
@Suite struct ParallelReadingTests {
  /// A folder with PDFs of which each says its number, and one that is none.
  private func folder() throws -> (folder: TemporaryFolder, names: [String]) {
    let folder = TemporaryFolder()
    var names: [String] = []
    for number in 1...12 {
      let name = "file-\(number).pdf"
      let lines = (1...(number % 3 * 20 + 1)).map { "file \(number) line \($0)" }
      try folder.write(Data(PDFBuilder.pages([PDFBuilder.lines(lines)])), to: name)
      names.append(name)
    }
    try folder.write("no PDF at all", to: "broken.pdf")
    names.insert("broken.pdf", at: 5)
    return (folder, names)
  }

  @Test(arguments: ["-", "2", "0"])
  func `several files at a time give the same output as one`(landlock: String) throws {
    let (folder, names) = try folder()
    let environment = landlock == "-" ? [:] : ["PROCD_LANDLOCK": landlock]
    let one = try Programs.run(
      "procd", ["extract"] + names, in: folder.path, environment: environment)
    let many = try Programs.run(
      "procd", ["extract", "-j3"] + names, in: folder.path, environment: environment)
    #expect(one.status == 65)
    #expect(many.status == 65)
    #expect(one.output == many.output)
    #expect(one.output.contains("file 12 line 1"))
    #expect(one.errors == many.errors)
  }

  @Test func `a folder gets a file for each that can be read, and nothing else`() throws {
    let (folder, names) = try folder()
    let result = try Programs.run(
      "procd", ["extract", "-j2", "-o", "out"] + names, in: folder.path)
    #expect(result.status == 65)
    #expect(folder.files(below: "out") == (1...12).map { "file-\($0).txt" }.sorted())
    let text = try #require(folder.read("out/file-7.txt"))
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("file 7 line 1"))
  }

  @Test func `names that differ in how an accent is written are two names`() throws {
    let (folder, _) = try folder()
    let names = ["\u{E9}.pdf", "e\u{301}.pdf"]
    for (place, name) in names.enumerated() {
      try folder.write(try #require(folder.read("file-\(place + 1).pdf")), to: name)
    }
    let result = try Programs.run("procd", ["extract", "-o", "out"] + names, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let texts = try FileManager.default.contentsOfDirectory(atPath: folder("out").string).map {
      try String(decoding: #require(folder.read("out/\($0)")), as: UTF8.self).prefix(6)
    }
    #expect(Set(texts) == ["file 1", "file 2"])
  }

  @Test func `two inputs that would be written under one name are refused`() throws {
    let (folder, _) = try folder()
    try folder.write(try #require(folder.read("file-1.pdf")), to: "other/file-1.pdf")
    let result = try Programs.run(
      "procd", ["extract", "-o", "out", "file-1.pdf", "other/file-1.pdf"], in: folder.path)
    #expect(result.status == 64)
    #expect(result.errors.contains("file-1.txt"))
    #expect(!folder.exists("out"))
  }
}
