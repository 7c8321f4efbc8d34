import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Stacks that become several documents, in confined workers.
@Suite(.serialized) struct SplittingTests {
  private func prepared() throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "labels", "match": { "name": "labels*" },
            "steps": [{ "id": "split", "use": "pages.split",
              "with": { "pattern": "ASN\\\\d+", "keep": true } }],
            "emit": [{ "from": "split.pdf", "as": "{stem} {label}.pdf" }] },
          { "id": "texts", "match": { "name": "texts*" },
            "steps": [{ "id": "split", "use": "pages.split",
                "with": { "pattern": "ASN\\\\d+", "keep": true } },
              { "id": "text", "use": "pdf.text", "in": "split.pdf", "each": true }],
            "emit": [{ "from": "text.text", "as": "{label}.txt" }] },
          { "id": "both", "match": { "name": "both*" },
            "steps": [{ "id": "mail", "use": "pages.split" },
              { "id": "split", "use": "pages.split", "in": "mail.pdf", "each": true,
                "with": { "pattern": "ASN\\\\d+", "keep": true } }],
            "emit": [{ "from": "split.pdf", "as": "{label}.pdf" }] },
          { "id": "late", "match": { "name": "late*" },
            "steps": [{ "id": "split", "use": "pages.split" },
              { "id": "text", "use": "pdf.text", "in": "split.pdf" }],
            "emit": ["split.pdf", "text.text"] },
          { "id": "stack", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "split", "use": "pages.split" }], "emit": ["split.pdf"] }
        ] }
      """, to: "pipelines.json")
    return site
  }

  @Test func `parts are named by number, or by their barcodes`() throws {
    let site = try prepared()
    try site.place.write(
      Data(Barcode.stack([.patchT128, nil, nil, .separator39, nil])), to: "inbox/mail.pdf")
    let labels = Data(Barcode.stack([nil, .number12, nil, .number13]))
    try site.place.write(labels, to: "inbox/labels.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    // The same content gets the same names under its own.
    try site.place.write(labels, to: "inbox/labels2.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      site.place.files(below: "outbox").filter { $0.hasSuffix(".pdf") }.sorted()
        == [
          "labels ASN00012.pdf", "labels ASN00013.pdf", "labels unknown.pdf",
          "labels2 ASN00012.pdf", "labels2 ASN00013.pdf", "labels2 unknown.pdf",
          "mail.1.pdf", "mail.2.pdf",
        ])
    let report = try site.report("labels.pdf")
    #expect(report["steps"]?.arrayValue?[0]["facts"]?["barcodes"] == ["", "ASN00012", "ASN00013"])
    #expect(report["artifacts"]?.arrayValue?[1]["label"] == "ASN00012")
    // Each part is found by its words.
    for sheet in [2, 3, 5] {
      let found = try site.run("find", "sheet\(sheet)")
      #expect(found.status == 0 && found.output.contains("mail.pdf"), "\(found.output)")
    }
    let checked = try Programs.run(
      "/usr/bin/qpdf", ["--check", site.place("outbox/mail.1.pdf").string])
    #expect(checked.status == 0, "\(checked.errors)\(checked.output)")
  }

  @Test func `convert splits a stack without a rule`() throws {
    let place = TemporaryFolder()
    try place.write(
      Data(Barcode.stack([nil, .patchT128, nil, nil, .patchT128, nil])), to: "mail.pdf")
    try place.write(Data(Barcode.stack([.number12, nil, .number13])), to: "labels.pdf")
    func convert(_ arguments: String...) throws -> Programs.Result {
      try Programs.run("procd", ["convert", "--split"] + arguments, in: place.path)
    }
    let sheets = try convert("mail.pdf", "-o", "out")
    #expect(sheets.status == 0, "\(sheets.errors)")
    let labels = try convert(
      "labels.pdf", "-o", "out", "--set", "split.pattern=ASN\\d+", "--set", "split.keep=true")
    #expect(labels.status == 0, "\(labels.errors)")
    #expect(
      place.files(below: "out").sorted() == [
        "labels.ASN00012.pdf", "labels.ASN00013.pdf", "mail.1.pdf", "mail.2.pdf", "mail.3.pdf",
      ])
    #expect(try convert("mail.pdf", "--join", "-o", "x.pdf").status == 64)
  }

  @Test func `each part of a stack is processed further under its label`() throws {
    let site = try prepared()
    try site.place.write(
      Data(Barcode.stack([nil, .number12, nil, .number13])), to: "inbox/texts.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      site.place.files(below: "outbox").sorted()
        == ["ASN00012.txt", "ASN00013.txt", "texts.pdf.report.json", "unknown.txt"])
    let facts = try site.report("texts.pdf")["steps"]?.arrayValue?.last?["facts"]
    #expect(facts?["files"] == 3 && facts?["filesUnread"] == 0)
    #expect(facts?["perFile"]?.arrayValue?.count == 3)
  }

  @Test func `sheets and labels of one stack are split one after the other`() throws {
    let site = try prepared()
    try site.place.write(
      Data(Barcode.stack([.number12, nil, .patchT39, .number13, nil])), to: "inbox/both.pdf")
    let check = try site.run("check")
    #expect(check.status == 0 && !check.errors.contains("emit.skipped"), "\(check)")
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run)")
    #expect(
      site.place.files(below: "outbox").sorted()
        == ["ASN00012.pdf", "ASN00013.pdf", "both.pdf.report.json"])
  }

  @Test func `what cannot be split, and what would lose parts, is refused with its reason`() throws
  {
    let site = try prepared()
    try site.place.write(Data(Barcode.stack([.patchT128, .patchT39])), to: "inbox/sheets.pdf")
    try site.place.write(Data(Barcode.stack([nil, .patchT39, nil])), to: "inbox/late.pdf")
    #expect(try site.run("run", "--once").status == 65)
    #expect(
      try site.json("quarantine/sheets.pdf.report.json")["error"]?["code"] == "pages.separators")
    #expect(try site.json("quarantine/late.pdf.report.json")["error"]?["code"] == "step.inputs")
  }
}
