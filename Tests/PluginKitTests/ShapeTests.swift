import PluginKit
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    ("250ms", 250), ("2s", 2000), ("5m", 300_000), ("1h", 3_600_000), ("30d", 2_592_000_000),
    ("1.5s", 1500), ("0s", 0), ("3 s", 3000), ("0.0004s", 0),
  ])
  func `a time is its number of milliseconds`(text: String, meant: Int) {
    #expect(Quantity.milliseconds(text) == meant)
  }

  @Test(arguments: [
    "", "2", "s", "-2s", "+2s", "2 seconds", "2S", "2 s ", "1e3s", ".5s", "5.s", "1.5.0s", "٣s",
    "99999999999999999999d", "infs", "2s2s", "0x2s",
  ])
  func `what is no time is none`(text: String) { #expect(Quantity.milliseconds(text) == nil) }

  @Test(arguments: [
    ("100B", 100), ("512KiB", 524_288), ("64MiB", 67_108_864), ("2GiB", 2_147_483_648),
    ("1TiB", 1_099_511_627_776), ("1KB", 1000), ("1.5MB", 1_500_000), ("2 GB", 2_000_000_000),
  ])
  func `a size is its number of bytes`(text: String, meant: Int) {
    #expect(Quantity.bytes(text) == meant)
  }

  @Test(arguments: ["1", "1kb", "1K", "1PiB", "1 KiBs", "9999999999TiB"])
  func `what is no size is none`(text: String) { #expect(Quantity.bytes(text) == nil) }

  @Test(arguments: [("0640", 0o640), ("660", 0o660), ("0777", 0o777), ("0600", 0o600)])
  func `permissions are octal`(text: String, meant: UInt32) {
    #expect(Quantity.permissions(text) == meant)
  }

  @Test(arguments: ["", "64", "0440", "0240", "2640", "06400", "0680", "rw-r-----", "+640"])
  func `what is no permission of an owner who reads and writes is none`(text: String) {
    #expect(Quantity.permissions(text) == nil)
  }

  @Test func `pixels have units of their own`() {
    #expect(Quantity.pixels("250Mpx") == 250_000_000)
    #expect(Quantity.pixels("1.5kpx") == 1500)
    #expect(Quantity.pixels("12px") == 12)
    #expect(Quantity.pixels("12") == nil)
    #expect(Quantity.pixels("12MB") == nil)
  }
}

@Suite struct ShapeTests {
  private func codes(_ shape: Shape, _ text: String) throws -> [String] {
    shape.complaints(about: try JSONReader.read(text)).map(\.code)
  }

  @Test(
    arguments: [
      (.integer(1...5), "3", nil), (.integer(1...5), "6", "value.kind"),
      (.integer(1...5), "3.5", "value.kind"), (.integer(1...5), "\"3\"", "value.kind"),
      (.number(0...1), "0.5", nil), (.number(0...1), "1", nil), (.number(0...1), "2", "value.kind"),
      (.boolean, "false", nil), (.boolean, "0", "value.kind"), (.text, "\"\"", "value.kind"),
      (.string, "\"\"", nil), (.identifier, "\"a-b_9\"", nil),
      (.identifier, "\"-a\"", "value.kind"),
      (.identifier, "\"é\"", "value.kind"), (.identifier, "\"\"", "value.kind"),
      (.fileExtension, "\"txt\"", nil), (.fileExtension, "\"words.jsonl\"", nil),
      (.fileExtension, "\"a/b\"", "value.kind"), (.fileExtension, "\"..\"", "value.kind"),
      (.fileExtension, "\".txt\"", "value.kind"),
      (.permissions, "\"0640\"", nil), (.permissions, "640", "value.kind"),
      (.permissions, "\"0440\"", "value.kind"),
      (.either([.oneOf(["no"]), .duration]), "\"no\"", nil),
      (.either([.oneOf(["no"]), .duration]), "\"3d\"", nil),
      (.either([.oneOf(["no"]), .duration]), "\"on\"", "value.kind"),
      (.regex, "\"a+\"", nil), (.regex, "\"a(\"", "value.regex"),
      (.oneOf(["red", "green"]), "\"red\"", nil), (.oneOf(["red"]), "\"rde\"", "value.unknown"),
      (.list(.text, atLeast: 1), "[]", "value.empty"), (.list(.text), "[1]", "value.kind"),
      (.oneOrMany(.text), "\"a\"", nil), (.oneOrMany(.text), "[\"a\", 1]", "value.kind"),
      (.map(.boolean), "{\"x\": true}", nil), (.map(.boolean), "{\"x\": 1}", "value.kind"),
      (.either([.text, .list(.text)]), "[\"a\"]", nil),
      (.either([.text, .boolean]), "1", "value.kind"),
      (.any, "null", nil), (.text, "null", "value.kind"),
    ] as [(Shape, String, String?)])
  func `a value fits its shape or says why not`(shape: Shape, text: String, code: String?) throws {
    #expect(try codes(shape, text) == [code].compactMap(\.self))
  }

  @Test func `an object names what is unknown, what is missing, and what was meant`() throws {
    let shape = ObjectShape(
      "lamp",
      [Field("colour", .text, "Its colour", required: true), Field("watts", .integer(1...9), "")])
    // What is missing was mistyped: that is told once.
    let complaints = Shape.object(shape).complaints(about: try JSONReader.read("{\"color\": 1}"))
    #expect(complaints.map(\.code) == ["key.unknown"])
    #expect(complaints[0].hint == "did you mean \"colour\"? known: colour, watts")
    #expect(complaints[0].range == 1..<8)
    let missing = Shape.object(shape).complaints(about: try JSONReader.read("{\"height\": 1}"))
    #expect(missing.map(\.code) == ["key.unknown", "key.missing"])
    // What was put aside with a dollar is missing, and not mistyped.
    #expect(try codes(.object(shape), "{\"$colour\": \"red\"}") == ["key.missing"])
    #expect(missing[1].message == "a lamp needs \"colour\": Its colour")
    var open = shape
    open.open = true
    #expect(try codes(.object(open), "{\"colour\": \"red\", \"more\": 1}") == [])
    #expect(try codes(.object(shape), "{\"colour\": \"red\", \"$note\": 1}") == [])
  }

  @Test func `defaults fill what is left out and nothing else`() {
    let shape = ObjectShape(
      "lamp", [Field("a", .integer(0...9), "", byDefault: 1), Field("b", .integer(0...9), "")])
    #expect(shape.filled(["b": 2]) == ["b": 2, "a": 1])
    #expect(shape.filled(["a": 5]) == ["a": 5])
    #expect(shape.filled(.null) == ["a": 1])
  }

  @Test func `the nearest name is found where one is near`() {
    let names = ["inbox", "outbox", "pipelines"]
    #expect(nearestName(to: "inbxo", among: names) == "inbox")
    #expect(nearestName(to: "PIPELINE", among: names) == "pipelines")
    #expect(nearestName(to: "quarantine", among: names) == nil)
    #expect(nearestName(to: "", among: []) == nil)
    #expect(nearestName(to: String(repeating: "a", count: 100_000), among: names) == nil)
  }

  @Test func `media types match patterns without regard to case and parameters`() {
    #expect(mediaType("image/png", matches: "image/*"))
    #expect(mediaType("IMAGE/PNG; x=1", matches: "image/png"))
    #expect(mediaType("image/png", matches: "*/*"))
    #expect(!mediaType("image/png", matches: "text/*"))
    #expect(!mediaType("images/png", matches: "image/*"))
    #expect(!mediaType("image/pngx", matches: "image/png"))
  }
}
