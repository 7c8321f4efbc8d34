import Outbox
import Pipelines
import SystemPackage
import TestSupport
import Testing

@Suite struct OutputNameTests {
  private static let job = "01JOBJOBJOBJOBJOBJOBJOBJOB"
  private func name(_ text: String) -> OutputName { OutputName(of: FilePath(text), job: Self.job) }

  /// Every name that is given to anything of this file.
  private func all(_ name: OutputName) -> [FilePath] {
    name.originals + name.originals.map(OutputName.report) + name.originals.map(OutputName.why)
      + name.reports + name.results(ending: ".pdf")
      + name.results(ending: ".ocr.searchable")
  }

  @Test func `a file's results, report and original are named after it`() {
    let letter = name("letter.jpg")
    #expect(letter.originals == ["letter.jpg", FilePath("letter~\(Self.job).jpg")])
    #expect(
      letter.reports == ["letter.jpg.report.json", FilePath("letter~\(Self.job).jpg.report.json")])
    #expect(
      letter.results(ending: ".pdf")
        == ["letter.pdf", "letter.jpg.pdf", FilePath("letter~\(Self.job).pdf")])
    #expect(letter.results(ending: ".ocr.pdf").first == "letter.ocr.pdf")
    #expect(letter.results(named: "a.b.txt") == ["a.b.txt", FilePath("a.b~\(Self.job).txt")])
    #expect(name("README").results(ending: ".txt").first == "README.txt")
    #expect(name(".profile").results(ending: ".txt").first == ".profile.txt")
    #expect(name("a.tar.gz").results(ending: ".txt").first == "a.tar.txt")
  }

  @Test(arguments: [
    String(repeating: "a", count: 251) + ".pdf", String(repeating: "a", count: 255),
    String(repeating: "€", count: 83) + ".pdf", String(repeating: "é", count: 127),
    String(repeating: "😀", count: 63), "a." + String(repeating: "x", count: 253),
    String(repeating: "é", count: 121) + "é.jpeg",
    String(repeating: "aé", count: 80) + ".report.json",
    String(repeating: "€", count: 80) + ".why.txt",
  ])
  func `no name is longer than 255 bytes or cut inside a character, and no suffix is cut`(
    text: String
  ) {
    let name = name(text)
    for given in all(name) {
      #expect(given.bytes.count <= 255, "\(given)")
      #expect(String(validating: given.bytes, as: UTF8.self) != nil, "cut inside a character")
    }
    #expect(
      name.results(ending: ".pdf").allSatisfy { $0.string.hasSuffix(".pdf") })
    #expect(name.reports.allSatisfy { $0.string.hasSuffix(".report.json") })
    #expect(name.originals[1].string.contains("~\(Self.job)"))
    #expect(name.results(ending: ".pdf")[2].string.contains("~\(Self.job)"))
    #expect(Set(name.originals).count == 2)
  }

  @Test func `names that are no UTF-8 fit too once they are repaired`() {
    for count in [1, 80, 200, 251] {
      let name = OutputName(
        of: FilePath(bytes: Array(repeating: 0xE9, count: count) + Array(".pdf".utf8)),
        job: Self.job)
      for given in all(name) { #expect(given.bytes.count <= 255, "\(count) bytes") }
      for given in name.reports + name.results(ending: ".txt") {
        #expect(String(validating: given.bytes, as: UTF8.self) != nil)
      }
      #expect(name.reports.allSatisfy { $0.string.hasSuffix(".report.json") })
    }
    // The original keeps its bytes.
    let latin = FilePath(bytes: [0x66, 0xFC, 0x2E, 0x70])
    #expect(OutputName(of: latin, job: Self.job).originals.first == latin)
  }

  @Test(arguments: ["report.json", "a.report.json", "a.why.txt", ".report.json"])
  func `names of reports and notes are left to reports and notes`(text: String) {
    let given = name(text).originals + name("x").results(named: text)
    for name in given {
      #expect(name.string != "report.json")
      #expect(
        !name.string.hasSuffix(".report.json") && !name.string.hasSuffix(".why.txt"), "\(name)")
      #expect(name.string.hasSuffix(".json") || name.string.hasSuffix(".txt"))
    }
    #expect(name("report.json").originals.first == "report~1.json")
    #expect(name("a.report").results(ending: ".json").first == "a.json")
    #expect(name("a.report.x").results(ending: ".json").first == "a.report~1.json")
  }

  @Test func `both Unicode forms of a name stay two names`() {
    let composed = name("caf\u{E9}.pdf"), decomposed = name("cafe\u{301}.pdf")
    for (left, right) in zip(all(composed), all(decomposed)) { #expect(left.bytes != right.bytes) }
    #expect(composed.originals[0].bytes == Array("caf\u{E9}.pdf".utf8))
    #expect(decomposed.originals[0].bytes == Array("cafe\u{301}.pdf".utf8))
    #expect(Set([composed.originals[0], decomposed.originals[0]]).count == 2)
  }
}
