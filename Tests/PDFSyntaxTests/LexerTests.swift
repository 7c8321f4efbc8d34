import Testing

@testable import PDFSyntax

struct LexerTests {
  private func object(_ text: String) -> PDFObject? {
    let bytes = Array(text.utf8)
    var parser = ObjectParser(bytes.span)
    return parser.object()
  }

  @Test(arguments: [
    ("42", PDFObject.integer(42)), ("-7", .integer(-7)), ("+3", .integer(3)),
    ("3.5", .real(3.5)), ("-.5", .real(-0.5)), ("4.", .real(4)), ("1-2", .integer(12)),
    ("true", .boolean(true)), ("null", .null), ("/Name", .name("Name")),
    ("/A#20B", .name("A B")), ("(a(b)c)", .string(Array("a(b)c".utf8))),
    ("(\\101\\n\\)\\\nx)", .string(Array("A\n)x".utf8))), ("<48 65 6>", .string(Array("He`".utf8))),
    ("12 0 R", .reference(PDFReference(12))), ("[1 2 x]", .array([.integer(1), .integer(2)])),
  ])
  func `objects are read as written`(text: String, expected: PDFObject) {
    #expect(object(text) == expected)
  }

  @Test func `numbers end where no number goes on`() {
    let bytes = Array("1rg".utf8)
    var lexer = Lexer(bytes.span)
    let number = lexer.next()
    let word = lexer.next()
    #expect(number.kind == .integer && number.integer == 1)
    #expect(word.isKeyword("rg"))
  }

  @Test func `huge numbers do not overflow`() {
    #expect(object(String(repeating: "9", count: 400))?.number?.isNaN == false)
    #expect(object("-" + String(repeating: "9", count: 19)) != nil)
  }

  @Test func `nesting without end is cut, not followed`() {
    #expect(object(String(repeating: "[", count: 100_000)) != nil)
    #expect(object(String(repeating: "<</A ", count: 100_000)) != nil)
  }

  @Test func `repeated keys count once, the last wins`() {
    #expect(object("<</A 1/B 2/A 3>>")?.dictionary?.integer("A") == 3)
  }

  @Test func `the serializer writes what the parser reads`() {
    let source: PDFObject = .dictionary([
      "A": .array([.integer(-1), .real(0.25), .boolean(false), .null]),
      "B C": .string([0, 40, 41, 92, 255]), "D": .name("x/y"),
      "E": .reference(PDFReference(3, 1)), "F": .string(Array("plain (text)".utf8)),
    ])
    let bytes = ObjectSerializer.bytes(of: source)
    var parser = ObjectParser(bytes.span)
    #expect(parser.object() == source)
  }
}
