import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The plugin for mail, a script around Python's email package, as users would have it.
@Suite(.enabled(if: Programs.find("python3") != nil, "SKIPPED: python3 is not installed"))
struct MailPluginTests {
  private let site: Site

  init() throws {
    site = try Site()
    for name in ["plugin.json", "procd-mail"] {
      let target = site.place("plugins/mail/\(name)")
      try FileManager.default.createDirectory(
        atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Programs.repository.appending("Plugins/Mail/\(name)").string, toPath: target.string)
    }
    // The rule of docs/how-to.md.
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [{ "id": "mail",
          "match": { "any": [{ "mime": "message/rfc822" }, { "name": "*.eml" }] },
          "steps": [{ "id": "mail", "use": "mail.read" }], "to": "mail/{stem}",
          "emit": ["mail.text", { "from": "mail.attachment?", "as": "{label}" }] }] }
      """, to: "pipelines.json")
  }

  private static let mail = """
    From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>
    To: ada@example.org
    Date: Mon, 05 Jan 2026 10:00:00 +0100
    Subject: =?utf-8?b?R3LDvMOfZQ==?=
    Content-Type: multipart/mixed; boundary="outer"

    --outer
    Content-Type: multipart/alternative; boundary="inner"

    --inner
    Content-Type: text/plain; charset=iso-8859-1
    Content-Transfer-Encoding: quoted-printable

    F=FCnf Kr=E4ne
    --inner
    Content-Type: multipart/related; boundary="page"

    --page
    Content-Type: text/html

    <p>Five cranes</p><img src="cid:logo">
    --page
    Content-Type: image/png
    Content-ID: <logo>

    logo
    --page
    Content-Type: application/pdf; name="plan 5/2026.pdf"

    %PDF-1.4 plan
    --page--
    --inner--
    --outer
    Content-Type: application/octet-stream
    Content-Disposition: attachment; filename="../../etc/passwd"
    Content-Transfer-Encoding: base64

    cm9vdDp4
    --outer
    Content-Type: message/rfc822

    From: b@example.org
    Subject: Earlier

    What was said
    --outer--

    """

  @Test func `mails are found by their sender`() throws {
    try site.place.write(Self.mail, to: "inbox/a.eml")
    try site.place.write("From: bo@harbor.example\nSubject: b\n\njürgen wrote\n", to: "inbox/b.eml")
    #expect(try site.run("run", "--once").status == 0)
    func found(_ words: String...) throws -> String {
      try Programs.run("procd", ["find"] + words, in: site.place.path).output
    }
    for words in ["from:jurgen", "from:j@example.org"] {
      let output = try found(words)
      #expect(output.contains("a.eml") && !output.contains("b.eml"), "\(output)")
    }
    #expect(try found("wrote", "from:bo").contains("b.eml"))
    #expect(try found("from:ada").isEmpty)
  }

  @Test func `an attachment without an extension gets that of its type`() throws {
    let photo = try Self.sample("letter-photo.jpg")
    try site.place.write(
      Self.mail(attaching: [
        ("scan0001", "image/jpeg", photo),
        ("Invoice No. 12", "application/octet-stream", Site.pdf("x")),
        ("notes 2.2026", "text/plain", Data("x".utf8)),
        ("raw", "application/octet-stream", Data("x".utf8)),
        ("list.csv", "text/plain", Data("a,b\n".utf8)),
      ]), to: "inbox/order.eml")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      site.place.files(below: "outbox/mail/order").filter { !$0.hasPrefix("order.") }.sorted()
        == ["Invoice No. 12.pdf", "list.csv", "notes 2.2026.txt", "raw", "scan0001.jpg"])
  }

  @Test func `attachments are recognized one by one, and a damaged one harms none of the others`()
    throws
  {
    // The rule of docs/how-to.md.
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [{ "id": "mail", "match": { "name": "*.eml" }, "to": "mail/{stem}",
          "steps": [{ "id": "mail", "use": "mail.read" },
            { "id": "ocr", "use": "ocr.tesseract", "in": "mail.attachment", "each": true },
            { "id": "text", "use": "pdf.text", "in": "ocr.pdf", "each": true }],
          "emit": ["mail.text", { "from": "ocr.pdf?", "else": "mail.attachment", "as": "{label}" },
            { "from": "text.text?", "as": "{label}" }] }] }
      """, to: "pipelines.json")
    let photo = try Self.sample("letter-photo.jpg")
    let document = try Self.sample("report-mixed.pdf")
    try site.place.write(
      Self.mail(attaching: [
        // What the header says of a file is not relied upon.
        ("letter.jpg", "application/octet-stream", photo), ("REPORT.PDF", "text/plain", document),
        ("torn.jpg", "image/jpeg", photo.prefix(200)),
        ("list.csv", "text/csv", Data("a,b\n".utf8)),
        ("empty.png", "image/png", Data()),
      ]), to: "inbox/order.eml")
    try site.place.write("Subject: none\n\nnothing attached\n", to: "inbox/none.eml")
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      site.place.files(below: "outbox/mail").sorted() == [
        "none/none.eml.report.json", "none/none.txt", "order/REPORT.pdf", "order/REPORT.txt",
        "order/empty.png", "order/letter.pdf",
        "order/letter.txt", "order/list.csv", "order/order.eml.report.json", "order/order.txt",
        "order/torn.jpg",
      ])
    // A mail without attachments went as its rule says.
    #expect(!run.errors.contains("none.eml"), "\(run.errors)")
    let steps = try #require(
      site.json("outbox/mail/order/order.eml.report.json")["steps"]?.arrayValue)
    #expect(steps[1]["facts"]?["files"] == 2 && steps[1]["facts"]?["filesUnread"] == 1)
    let perFile = steps[1]["facts"]?["perFile"]?.arrayValue ?? []
    #expect(perFile.map { $0["file"]?.stringValue } == ["letter.jpg", "REPORT.PDF"])
    #expect(perFile.allSatisfy { $0["pagesUnread"] == 0 && $0["perPage"] == nil }, "\(perFile)")
    #expect(perFile.first?["language"] == "eng" && perFile.first?["confidence"] != nil)
    #expect(
      steps[1]["notes"]?.arrayValue?.first?.stringValue?.hasPrefix("torn.jpg could not be read: ")
        == true)
    let report = try site.json("outbox/mail/order/order.eml.report.json")
    #expect(report["partial"] == true)
    #expect(site.place.read("outbox/mail/order/torn.jpg") == photo.prefix(200))
    #expect(try site.run("find", "MOORING").output.contains("order.eml"))

    // The same mail under another name gets the same results, called as the rule says.
    let archived = try #require(site.place.read("archive/order.eml"))
    try site.place.write(archived, to: "inbox/again.eml")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("status", "again.eml").output.contains("whose results were reused"))
    func names(_ mail: String) -> [String] {
      site.place.files(below: "outbox/mail/\(mail)").map { $0.replacing(mail, with: "*") }.sorted()
    }
    #expect(names("again") == names("order"))
    #expect(names("again").contains("letter.txt") && names("again").contains("*.txt"))
  }

  @Test func `what was made of a file through several steps stands for it`() throws {
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [{ "id": "mail", "match": { "name": "*.eml" },
          "steps": [{ "id": "mail", "use": "mail.read" },
            { "id": "ocr", "use": "ocr.tesseract", "in": "mail.attachment", "each": true },
            { "id": "text", "use": "pdf.text", "in": "ocr.pdf", "each": true }],
          "emit": [{ "from": "text.text?", "else": "mail.attachment", "as": "{label}" }] }] }
      """, to: "pipelines.json")
    try site.place.write(
      Self.mail(attaching: [
        ("letter.jpg", "image/jpeg", try Self.sample("letter-photo.jpg")),
        ("list.csv", "text/csv", Data("a,b\n".utf8)),
      ]), to: "inbox/order.eml")
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      site.place.files(below: "outbox").sorted()
        == ["letter.txt", "list.csv", "order.eml.report.json"])
  }

  @Test func `a fault that is none of the files stops a step with each, as any other`() throws {
    try site.place.write(
      """
      { "name": "down", "version": "1", "command": ["./down"],
        "steps": { "down.read": { "outputs": { "text": { "mime": "text/plain", "extension": "txt" } } } } }
      """, to: "plugins/down/plugin.json")
    try site.place.write(
      "#!/bin/sh\necho 'the server is down' >&2\nexit 75\n", to: "plugins/down/down")
    try #require(chmod(site.place("plugins/down/down").string, 0o755) == 0)
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "defaults": { "retry": { "attempts": 1 } },
        "pipelines": [{ "id": "mail", "match": { "name": "*.eml" },
          "steps": [{ "id": "mail", "use": "mail.read" },
            { "id": "down", "use": "down.read", "in": "mail.attachment", "each": true }],
          "emit": ["mail.text", "down.text?"] }] }
      """, to: "pipelines.json")
    try site.place.write(
      Self.mail(attaching: [("list.csv", "text/csv", Data("a,b\n".utf8))]), to: "inbox/order.eml")
    let run = try site.run("run", "--once")
    #expect(run.status == 65, "\(run.errors)")
    #expect(site.place.exists("quarantine/order.eml"))
  }

  private static func sample(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: Programs.repository.appending("docs/samples/\(name)").string)
    )
  }

  private static func mail(attaching files: [(name: String, type: String, Data)]) -> Data {
    var text = "Subject: Order\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee attached\n"
    for (name, type, content) in files {
      text += "--b\nContent-Type: \(type)\nContent-Transfer-Encoding: base64\n"
      text += "Content-Disposition: attachment; filename=\"\(name)\"\n\n"
      text += content.base64EncodedString(options: .lineLength76Characters) + "\n"
    }
    return Data((text + "--b--\n").utf8)
  }

  @Test func `a mail becomes its text and its attachments under their names`() throws {
    try site.place.write(Self.mail, to: "inbox/order.eml")
    try site.place.write(
      "MIME-Version: 1.0\nSubject: page\nContent-Type: text/html\n\n<p>A</p><style>x</style>B &amp; C",
      to: "inbox/page.eml")
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    func text(_ path: String) -> String? {
      site.place.read("outbox/mail/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }
    let order = try #require(text("order/order.txt"), "\(site.place.files(below: "outbox"))")
    #expect(order.contains("From: Jürgen <j@example.org>\n") && order.contains("Subject: Grüße\n"))
    #expect(order.contains("Attachments: plan 5_2026.pdf, etc_passwd, Earlier.eml\n"), "\(order)")
    #expect(order.hasSuffix("\n\nFünf Kräne\n"), "\(order)")
    #expect(
      text("order/plan 5_2026.pdf") == "%PDF-1.4 plan" && text("order/etc_passwd") == "root:x")
    #expect(text("order/Earlier.eml")?.contains("What was said") == true)
    #expect(text("page/page.txt")?.hasSuffix("\n\nA\nB & C\n") == true)
    let step = try #require(
      try site.json("outbox/mail/order/order.eml.report.json")["steps"]?.arrayValue?.first)
    #expect(step["facts"]?["attachments"] == 3 && step["facts"]?["date"] == "2026-01-05")
    #expect("\(step["notes"] ?? .null)".contains("mail.pictures"))
  }

  @Test func `a cut mail is read in part, and what is none is refused`() throws {
    let at = try #require(Self.mail.range(of: "cm9v"))
    try site.place.write(String(Self.mail[..<at.upperBound]), to: "inbox/cut.eml")
    try site.place.write("Just words\n", to: "inbox/words.eml")
    let run = try site.run("run", "--once")
    #expect(run.status == 65, "\(run.errors)")
    let report = try site.json("outbox/mail/cut/cut.eml.report.json")
    #expect(report["partial"] == true && "\(report)".contains("mail.cut"), "\(report)")
    #expect(
      try site.json("quarantine/words.eml.report.json")["error"]?["code"] == "mail.broken")
  }

  @Test func `of a header that is too long its beginning is kept, and of one that is broken all`()
    throws
  {
    let words = Data("word ".utf8).base64EncodedString()
    let mails = [
      "subject": "Subject: "
        + Array(repeating: "=?utf-8?b?\(words)?=", count: 50_000).joined(separator: "\n ")
        + "\n\nText\n",
      "many": "Subject: x\nTo: "
        + (0..<80_000).map { "A <a\($0)@example.org>" }.joined(separator: ",\n ") + "\n\nText\n",
      "deep": "Subject: x\nTo: \(String(repeating: "(", count: 3000))\n\nText\n",
      "type":
        "Subject: x\nContent-Type: text/plain; a=\(String(repeating: "(", count: 3000))\n\nText\n",
    ]
    for (name, mail) in mails { try site.place.write(mail, to: "inbox/\(name).eml") }
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    func text(_ name: String) -> String {
      String(
        decoding: site.place.read("outbox/mail/\(name)/\(name).txt") ?? Data(), as: UTF8.self)
    }
    #expect(text("subject").hasPrefix("Subject: word word word "))
    #expect(text("many").contains("To: A <a0@example.org>, A <a1@example.org>, "))
    #expect(text("deep").contains("To: (((("))
    // What it is cannot be known, so it is attached as it is.
    #expect(site.place.read("outbox/mail/type/attachment-1") == Data("Text\n".utf8))
    for name in mails.keys {
      let report = try site.json("outbox/mail/\(name)/\(name).eml.report.json")
      #expect(report["partial"] == true && "\(report)".contains("mail.header"), "\(report)")
    }
  }

  @Test func `converted attachments keep their names, also where two are the same`() throws {
    let one = Data("one".utf8), two = Data("two".utf8)
    try site.place.write(
      Self.mail(attaching: [
        ("Rechnung März.csv", "text/csv", one), ("preise.csv", "text/csv", one),
        ("preise.csv", "text/csv", two),
      ]), to: "order.eml")
    let told = try site.run("convert", "order.eml", "-o", "out", "-c", "pipelines.json")
    #expect(told.status == 0, "\(told)")
    #expect(
      site.place.files(below: "out").sorted() == [
        "order.Rechnung März.csv", "order.preise.csv", "order.preise~2.csv", "order.txt",
      ])
    #expect(site.place.read("out/order.preise~2.csv") == two)
    let several = try site.run("convert", "order.eml", "all.csv", "-c", "pipelines.json")
    #expect(several.status != 0 && !several.errors.contains("--to"), "\(several)")
  }

  @Test func `what is attached has no ending of its own, and other files are not for its rule`()
    throws
  {
    try site.place.write("Subject: x\n\nText\n", to: "a.eml")
    let other = try site.run("convert", "a.eml", "a.docx", "-c", "pipelines.json")
    #expect(other.status == 64 && other.errors.contains("there are: txt."), "\(other.errors)")
    // The beginning of a sheet of Excel 4.
    try site.place.write(
      Data([9, 4, 6, 0, 0, 0, 0x10, 0]) + Data(repeating: 0x20, count: 24), to: "old.xls")
    let old = try site.run("convert", "old.xls", "a.txt", "-c", "pipelines.json")
    #expect(
      old.status == 65 && old.errors.contains("no pipeline takes files of the type")
        && old.errors.contains("save it as .xlsx") && !old.errors.contains("*.eml"), "\(old.errors)"
    )
  }
}
