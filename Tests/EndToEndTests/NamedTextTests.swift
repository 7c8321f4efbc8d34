import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Results that are named by what the document says.
@Suite(.serialized) struct NamedTextTests {
  private func site() throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "letters", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "text", "use": "pdf.text" }],
            "texts": {
              "date": { "date": "dmy", "else": "undated" },
              "customer": { "regex": "Customer no\\\\. (\\\\d+/?\\\\d*)" } },
            "to": "mail/{text:date.yyyy}",
            "emit": [{ "from": "text.text", "as": "{text:date} {text:customer}.txt" }] } ] }
      """, to: "pipelines.json")
    return site
  }

  @Test func `a date and a number of the text become the name`() throws {
    let site = try site()
    try site.place.write(
      Site.pdf("Berlin, 5. Mai 2024. Customer no. 4711/9. Paid on 06.06.2024"), to: "inbox/a.pdf")
    let explained = try site.run("explain", "inbox/a.pdf")
    #expect(explained.output.contains("mail/{text:date.yyyy}/{text:date} {text:customer}.txt"))
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.exists("outbox/mail/2024/2024-05-05 4711_9.txt"))
    let report = try site.json("outbox/mail/2024/a.pdf.report.json")
    #expect(report["texts"]?["date"] == "2024-05-05" && report["texts"]?["customer"] == "4711/9")
  }

  @Test func `a rule by text takes plain text as well, by its lines and pages`() throws {
    let site = try Site()
    func match(_ text: String) -> String {
      #"{ "mime": "text/plain", "text": \#(text) }"#
    }
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "first", "match": \(match(#"{ "regex": "^Invoice", "lines": 2 }"#)),
            "to": "first", "emit": ["source"] },
          { "id": "late", "match": \(match(#"{ "regex": "^Invoice", "pages": "2-3,7" }"#)),
            "to": "late", "emit": ["source"] },
          { "id": "rest", "match": { "name": "*" }, "to": "rest", "emit": ["source"] } ] }
      """, to: "pipelines.json")
    try site.place.write("Invoice 1\r\nInvoice 2\r\n", to: "inbox/a.txt")
    try site.place.write("Invoice 1\n\u{C}Invoice 2\n", to: "inbox/b.txt")
    try site.place.write("an Invoice\n", to: "inbox/c.txt")
    try site.place.write(
      Data("Invoice\nInvoice\n\u{0}\u{1}".utf8), to: "inbox/d.bin")
    #expect(try site.run("run", "--once").status == 0)
    for path in ["first/a.txt", "late/b.txt", "rest/c.txt", "rest/d.bin"] {
      #expect(site.place.exists("outbox/\(path)"), "\(path)")
    }
    try site.place.write(
      #"{ "version": 1, "pipelines": [{ "id": "a", "match": { "text": { "regex": "x", "pages": "5-2" } }, "emit": ["source"] }] }"#,
      to: "wrong.json")
    #expect(try site.run("check", "wrong.json").errors.contains("1, 1-3, 2-5,9 or all"))
  }

  @Test func `files are sorted by the sender whose name comes first`() throws {
    let site = try Site()
    try site.place.write(
      #"""
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "letters", "match": { "mime": "text/plain" },
            "texts": { "sender": {
              "names": { "Waterworks": "water ?works", "Bank": "Harbour Bank|HB plc" },
              "else": "others" } },
            "to": "{text:sender}", "emit": ["source"] } ] }
      """#, to: "pipelines.json")
    try site.place.write("WATERWORKS\nPay to Harbour Bank\n", to: "inbox/a.txt")
    try site.place.write("hb PLC\nfor your water works\n", to: "inbox/b.txt")
    try site.place.write("Dear Ann\n", to: "inbox/c.txt")
    #expect(try site.run("run", "--once").status == 0)
    for path in ["Waterworks/a.txt", "Bank/b.txt", "others/c.txt"] {
      #expect(site.place.exists("outbox/\(path)"), "\(path)")
    }
    let wrong =
      #"{ "version": 1, "pipelines": [{ "id": "a", "texts": { "s": { "names": { "A": "(" } }, "t": { "names": { "A": "a" }, "date": "dmy" } }, "emit": ["source"] }] }"#
    try site.place.write(wrong, to: "wrong.json")
    let told = try site.run("check", "wrong.json").errors
    #expect(told.contains("[text.two]") && told.contains("regex"), "\(told)")
  }

  @Test func `what is not found has the name that was given for that`() throws {
    let site = try site()
    try site.place.write(Site.pdf("no such things"), to: "inbox/b.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.exists("outbox/mail/undated/undated unknown.txt"))
  }

  @Test func `a second file of the same content gets the same kind of name`() throws {
    let site = try site()
    for name in ["a", "b"] {
      try site.place.write(Site.pdf("on 7 June 2024, Customer no. 12"), to: "inbox/\(name).pdf")
      #expect(try site.run("run", "--once").status == 0)
    }
    let names = site.place.files(below: "outbox/mail/2024").filter { $0.hasSuffix(".txt") }
    #expect(names.count == 2 && names.allSatisfy { $0.contains("2024-06-07 12") }, "\(names)")
  }

  @Test func `a text that nobody looks for is a mistake`() throws {
    let site = try site()
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing("{text:customer}", with: "{text:costumer}"), to: "pipelines.json")
    let result = try site.run("check")
    #expect(result.status == 78 && result.errors.contains("{text:costumer} stands for nothing"))
  }
}
