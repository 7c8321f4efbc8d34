import Outbox
import Pipelines
import SystemPackage
import TestSupport
import Testing

@Suite struct OutputNameTests {
  private func name(_ text: String) -> OutputName { OutputName(of: FilePath(text)) }

  /// The names of originals and of what stands beside them, plain and with a number.
  private func originals(_ name: OutputName) -> [FilePath] {
    [1, 2, 1000].map(name.original).flatMap {
      [$0, OutputName.report(of: $0), OutputName.why(of: $0)]
    }
  }

  /// Every name that is given to anything of this file.
  private func all(_ name: OutputName) -> [FilePath] {
    let others = [1, 2, 1000].flatMap { number in
      [
        name.report(number), name.kept(number), name.result(ending: ".pdf", number),
        name.result(ending: ".ocr.searchable", number),
      ]
    }
    return originals(name) + others
  }

  @Test func `a file's results, report and original are named after it`() {
    let letter = name("letter.jpg")
    #expect([1, 2].map(letter.original) == ["letter.jpg", "letter~2.jpg"])
    #expect([1, 2].map(letter.kept) == ["letter.jpg", "letter~2.jpg"])
    #expect(
      [1, 2].map(letter.report) == ["letter.jpg.report.json", "letter~2.jpg.report.json"])
    #expect(
      [1, 2, 3].map { letter.result(ending: ".pdf", $0) }
        == ["letter.pdf", "letter~2.pdf", "letter~3.pdf"])
    #expect(letter.result(ending: ".ocr.pdf", 1) == "letter.ocr.pdf")
    #expect(
      [1, 2].map { OutputName.result(named: "a.b.txt", $0) } == ["a.b.txt", "a.b~2.txt"])
    #expect(name("README").result(ending: ".txt", 1) == "README.txt")
    #expect(name(".profile").result(ending: ".txt", 1) == ".profile.txt")
    #expect(name("a.tar.gz").result(ending: ".txt", 1) == "a.tar.txt")
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
    for number in [1, 2, 1000] {
      #expect(name.result(ending: ".pdf", number).string.hasSuffix(".pdf"))
      #expect(name.report(number).string.hasSuffix(".report.json"))
    }
    #expect(name.original(1000).string.contains("~1000"))
    #expect(name.result(ending: ".pdf", 1000).string.contains("~1000"))
    #expect(name.original(1) != name.original(2))
  }

  @Test(arguments: [
    ("guide.xml.gz", "guide~2.xml.gz"), ("a.tar.BZ2", "a~2.tar.BZ2"), ("notes.gz", "notes~2.gz"),
    ("version-1.5.gz", "version-1.5~2.gz"), (".hidden.gz", ".hidden~2.gz"),
  ])
  func `a number stands before all of an ending that rules go by`(text: String, numbered: String) {
    let name = name(text)
    #expect(name.original(1).string == text)
    #expect(name.original(2).string == numbered)
    #expect(name.kept(2).string == numbered)
    #expect(OutputName.result(named: text, 2).string == numbered)
  }

  @Test func `names that are no UTF-8 fit too once they are repaired`() {
    for count in [1, 80, 200, 251] {
      let name = OutputName(
        of: FilePath(bytes: Array(repeating: 0xE9, count: count) + Array(".pdf".utf8)))
      for given in all(name) { #expect(given.bytes.count <= 255, "\(count) bytes") }
      for given in [1, 2].flatMap({ [name.report($0), name.result(ending: ".txt", $0)] }) {
        #expect(String(validating: given.bytes, as: UTF8.self) != nil)
      }
      #expect(name.report(2).string.hasSuffix(".report.json"))
    }
    // The original keeps its bytes.
    let latin = FilePath(bytes: [0x66, 0xFC, 0x2E, 0x70])
    #expect(OutputName(of: latin).original(1) == latin)
  }

  @Test(arguments: ["report.json", "a.report.json", "a.why.txt", ".report.json"])
  func `names of reports and notes are left to reports and notes`(text: String) {
    let given = [1, 2].flatMap { [name(text).original($0), OutputName.result(named: text, $0)] }
    for name in given {
      #expect(name.string != "report.json")
      #expect(
        !name.string.hasSuffix(".report.json") && !name.string.hasSuffix(".why.txt"), "\(name)")
      #expect(name.string.hasSuffix(".json") || name.string.hasSuffix(".txt"))
    }
    #expect([1, 2].map(name("report.json").original) == ["report~1.json", "report~2.json"])
    #expect(name("a.report").result(ending: ".json", 1) == "a.json")
    #expect(name("a.report.x").result(ending: ".json", 1) == "a.report~1.json")
  }

  @Test func `both Unicode forms of a name stay two names`() {
    let composed = name("caf\u{E9}.pdf"), decomposed = name("cafe\u{301}.pdf")
    for (left, right) in zip(all(composed), all(decomposed)) { #expect(left.bytes != right.bytes) }
    #expect(composed.original(1).bytes == Array("caf\u{E9}.pdf".utf8))
    #expect(decomposed.original(1).bytes == Array("cafe\u{301}.pdf".utf8))
    #expect(Set([composed.original(1), decomposed.original(1)]).count == 2)
  }
}
