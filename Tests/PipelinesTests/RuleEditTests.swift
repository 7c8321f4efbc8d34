import Pipelines
import PluginKit
import Testing

/// Changes of one rule in a configuration that somebody wrote by hand.
@Suite struct RuleEditTests {
  private let text = """
    {
      "version": 1,
      // not JSON, so it is not here
      "pipelines": [
        { "id": "a",   "match": "*", "emit": ["source"] },
        {
          "id": "b",
          "emit": ["source"]
        },
        { "id": "c", "emit": ["source"] }
      ],
      "outbox":   "outbox"
    }

    """.replacing("  // not JSON, so it is not here\n", with: "")

  private func ids(_ text: [UInt8]) throws -> [String] {
    try JSONReader.read(text).value["pipelines"]?.arrayValue?
      .map { $0["id"]?.stringValue ?? "" } ?? []
  }

  private func edited(_ change: RuleEdit.Change, _ text: String? = nil) throws -> RuleEdit {
    try RuleEdit(change, in: Array((text ?? self.text).utf8))
  }

  @Test func `a rule is replaced in its place, and nothing else is written anew`() throws {
    let rule = "{\n  \"id\": \"new\",\n  \"emit\": [\"source\"]\n}"
    let edit = try edited(.replace("b", by: Array(rule.utf8)))
    let expected = text.replacing("\"id\": \"b\",\n", with: "\"id\": \"new\",\n")
    #expect(String(decoding: edit.text, as: UTF8.self) == expected)
    let place = try #require(edit.rule)
    #expect(try JSONReader.read(Array(edit.text[place])).value["id"] == "new")
  }

  @Test(arguments: [
    ("a", ["n", "a", "b", "c"]), ("c", ["a", "b", "n", "c"]), (nil, ["a", "b", "c", "n"]),
  ])
  func `a rule is added before another one or at the end`(
    before: String?, order: [String]
  ) throws {
    let edit = try edited(
      .add(rule: Array(#"{"id": "n", "emit": ["source"]}"#.utf8), before: before))
    #expect(try ids(edit.text) == order)
    let place = try #require(edit.rule)
    #expect(try JSONReader.read(Array(edit.text[place])).value["id"] == "n")
    #expect(String(decoding: edit.text, as: UTF8.self).contains(#""outbox":   "outbox""#))
  }

  @Test func `the first rule goes into an empty list`() throws {
    for empty in ["[]", "[\n  ]"] {
      let edit = try edited(
        .add(rule: Array(#"{"id": "n"}"#.utf8), before: nil), "{\"pipelines\": \(empty)}")
      #expect(try ids(edit.text) == ["n"])
      let place = try #require(edit.rule)
      #expect(String(decoding: edit.text[place], as: UTF8.self) == #"{"id": "n"}"#)
    }
  }

  @Test(arguments: ["a", "b", "c"])
  func `a rule is removed with its comma`(id: String) throws {
    let edit = try edited(.remove(id))
    #expect(try ids(edit.text) == ["a", "b", "c"].filter { $0 != id })
    #expect(edit.rule == nil)
  }

  @Test func `the only rule leaves an empty list`() throws {
    #expect(try ids(edited(.remove("a"), #"{"pipelines": [ {"id": "a"} ]}"#).text) == [])
  }

  @Test(arguments: [
    ("a", "c", ["b", "a", "c"]), ("c", "a", ["c", "a", "b"]), ("a", nil, ["b", "c", "a"]),
    ("b", "b", ["a", "b", "c"]), ("a", "b", ["a", "b", "c"]),
  ])
  func `a rule is moved as it is written`(id: String, before: String?, order: [String]) throws {
    let edit = try edited(.move(id, before: before))
    #expect(try ids(edit.text) == order)
    #expect(
      String(decoding: edit.text, as: UTF8.self).contains(#"{ "id": "c", "emit": ["source"] }"#))
  }

  @Test(arguments: ["", "[]", "{}", #"{"pipelines": 3}"#, "{", #"{"pipelines": []}"#])
  func `a file without such a rule is refused`(text: String) throws {
    #expect(throws: RuleEdit.Refusal.self) { try edited(.remove("a"), text) }
    #expect(throws: RuleEdit.Refusal.self) { try edited(.move("a", before: nil), text) }
  }

  @Test(arguments: [
    #"{"id": "n"}], "plugins": ["/tmp"], "$x": [{}"#, #"{"id": "n"}, {"id": "o"}"#, "[]", "", "{",
  ])
  func `what is not one object is no rule`(rule: String) {
    #expect(throws: RuleEdit.Refusal.self) {
      try edited(.add(rule: Array(rule.utf8), before: nil))
    }
    #expect(throws: RuleEdit.Refusal.self) { try edited(.replace("a", by: Array(rule.utf8))) }
  }

  @Test func `line breaks within a rule stay out of its strings`() throws {
    let rule = "{\n\n  \"id\": \"n\",\r\n  \"about\": \"two\\nlines\"\n}"
    let edit = try edited(.add(rule: Array(rule.utf8), before: nil))
    let read = try JSONReader.read(edit.text).value["pipelines"]?.arrayValue?.last
    #expect(read?["about"] == "two\nlines")
  }
}
