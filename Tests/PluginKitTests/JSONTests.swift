import TestSupport
import Testing

@testable import PluginKit

@Suite struct JSONTests {
  private func value(_ text: String) throws -> JSON { try JSONReader.read(text).value }

  @Test(arguments: [
    (#""a\n\t\r\b\f\"\\\/""#, "a\n\t\r\u{8}\u{C}\"\\/"), (#""\u0041\u00e9""#, "Aé"),
    (#""\ud83d\ude00""#, "😀"), (#""\uD83D""#, "\u{FFFD}"), (#""\uDE00x""#, "\u{FFFD}x"),
    (#""\u0000""#, "\0"), ("\"é€😀\"", "é€😀"), ("\"\"", ""),
  ])
  func `a string is what its escapes say`(text: String, meant: String) throws {
    #expect(try value(text) == .string(meant))
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("12", .integer(12)), ("-7", .integer(-7)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
      ("-0.25", .number(-0.25)), ("1e3", .number(1000)), ("1E-2", .number(0.01)),
      ("1.5e+2", .number(150)),
    ] as [(String, JSON)])
  func `a number is read as it is`(text: String, meant: JSON) throws {
    #expect(try value(text) == meant)
  }

  @Test(arguments: [
    "", " ", "01", "-01", "1.", ".5", "-", "+1", "1e", "1e+", "--1", "1-2", "1.e5", "-.5", "0x10",
    "1e999", "NaN", "Infinity", "tru", "truth", "nul", "[1,]", "[,1]", "[1 2]", "[", "{", "{\"a\"",
    "{\"a\":", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "\"a", "\"a\\", "\"\\x\"", "\"\\u12\"",
    "\"\\ud800\\u0041\"", "\"a\nb\"", "\"\u{1}\"", "1 2", "{} []", "'a'", "// x\n1", "[1] // x",
    "{\"a\":1,\"a\":2}",
  ])
  func `what is no JSON is refused with a place inside the text`(text: String) {
    do throws(JSONError) {
      let node = try JSONReader.read(text)
      Issue.record("\(text) was read as \(node.value)")
    } catch {
      #expect((0...text.utf8.count).contains(error.offset))
      #expect(!error.message.isEmpty)
    }
  }

  @Test func `text that is not UTF-8 is refused, in values and in names`() {
    for bytes: [UInt8] in [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xC0, 0x80, 0x22],
      [0x7B, 0x22, 0xFE, 0x22, 0x3A, 0x31, 0x7D], [0xFF],
    ] {
      #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
    }
  }

  @Test func `a byte order mark before the text is passed over`() throws {
    #expect(try JSONReader.read([0xEF, 0xBB, 0xBF, 0x31]).value == 1)
  }

  @Test func `nesting is taken up to its limit and refused beyond, however deep`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    #expect(throws: Never.self) { try JSONReader.read(nested(63, "[", "]")) }
    #expect(throws: JSONError.self) { try JSONReader.read(nested(64, "[", "]")) }
    #expect(throws: JSONError.self) { try JSONReader.read(nested(1_000_000, "[", "]")) }
    #expect(throws: JSONError.self) { try JSONReader.read(nested(1_000_000, "{\"a\":", "}")) }
    #expect(throws: JSONError.self) {
      try JSONReader.read(String(repeating: "[", count: 1_000_000))
    }
  }

  @Test func `a name given twice is an error at its second place`() {
    do throws(JSONError) {
      _ = try JSONReader.read("{\"a\": 1, \"b\": 2, \"a\": 3}")
      Issue.record("a name given twice was taken")
    } catch {
      #expect(error == JSONError(offset: 17, message: "\"a\" is given twice"))
    }
  }

  @Test func `every node knows its place`() throws {
    let text = "{ \"a\" : [1, true] }"
    let node = try JSONReader.read(text)
    #expect(node.range == 0..<19)
    let member = try #require(node.members.first)
    #expect(member.nameRange == 2..<5)
    #expect(member.value.range == 8..<17)
  }

  private static let rich: JSON = [
    "text": "quote \" slash \\ line\n tab\t é 😀 \u{1} \u{7F}", "empty": "", "list": [1, 2.5, -3],
    "deep": [["a": [:]], []], "none": .null, "yes": true, "no": false, "max": .integer(.max),
    "tiny": .number(.leastNormalMagnitude), "third": .number(1.0 / 3), "ä": ["x": ["y": ["z": 1]]],
  ]

  @Test func `what is written is read back the same, on one line and for people`() throws {
    #expect(try JSONReader.read(Self.rich.line).value == Self.rich)
    #expect(try JSONReader.read(Self.rich.text).value == Self.rich)
    #expect(!Self.rich.line.contains(0x0A))
    #expect(Self.rich.text.last == 0x0A)
    #expect(try value("{\"a\":[1,{\"b\":null}]}").line == Array("{\"a\":[1,{\"b\":null}]}".utf8))
  }

  @Test func `numbers that JSON cannot hold are written as null`() throws {
    #expect(JSON.number(.infinity).line == Array("null".utf8))
    #expect(JSON.number(.nan).line == Array("null".utf8))
  }

  @Test func `reading mutated text ends, and what is read is written and read the same`() throws {
    var numbers = SeededNumbers(seed: 11)
    let original = Self.rich.text
    var read = 0, refused = 0
    for _ in 0..<30_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        default:
          bytes.insert(Array("{}[]\",:0e-\\u".utf8).randomElement(using: &numbers) ?? 0, at: place)
        }
      }
      do throws(JSONError) {
        let value = try JSONReader.read(bytes).value
        read += 1
        #expect((try? JSONReader.read(value.line).value) == value)
      } catch {
        refused += 1
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(read > 100 && refused > 1000, "\(read) read, \(refused) refused")
  }

  @Test func `setting a member keeps the others and their order`() {
    let object: JSON = ["a": 1, "b": 2, "c": 3]
    #expect(object.setting("b", 9) == ["a": 1, "b": 9, "c": 3])
    #expect(object.setting("b", nil) == ["a": 1, "c": 3])
    #expect(object.setting("d", 4) == ["a": 1, "b": 2, "c": 3, "d": 4])
    #expect(JSON.integer(1).setting("a", 2) == ["a": 2])
  }

  @Test func `a number without a fraction is an integer, others are not`() {
    #expect(JSON.number(3).integerValue == 3)
    #expect(JSON.number(3.5).integerValue == nil)
    #expect(JSON.number(1e300).integerValue == nil)
    #expect(JSON.string("3").integerValue == nil)
  }
}
