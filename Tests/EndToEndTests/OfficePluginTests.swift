import Foundation
import SystemPackage
import TestSupport
import Testing

/// The plugin for office documents, a shell script around Debian's converters, as users would have it.
@Suite struct OfficePluginTests {
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Programs.repository.appending("Plugins/Office").string)
    for name in files where !name.hasPrefix("_") {
      let target = folder("plugins/office/\(name)")
      try FileManager.default.createDirectory(
        atPath: target.removingLastComponent().string, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Programs.repository.appending("Plugins/Office/\(name)").string,
        toPath: target.string)
    }
    try folder.write(
      """
      {
        "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [
          { "id": "sheets", "match": { "name": ["*.xlsx", "*.ods"] },
            "steps": [{ "id": "office", "use": "office.rows" }], "emit": ["office.csv"] },
          { "id": "documents", "match": "*",
            "steps": [{ "id": "office", "use": "office.text" }], "emit": ["office.text", "office.markdown"] }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  /// procd as it is installed, with this plugin beside it.
  @Test func `convert needs no rule for what the plugin reads`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder(), files = FileManager.default
    // A link would lead back to where the programs lie.
    for name in ["procd", "procd-daemon", "procd-worker", "procd-worker-ocr"] {
      try files.copyItem(
        atPath: Programs.folder.appending(name).string, toPath: folder(name).string)
    }
    try files.removeItem(atPath: folder("pipelines.json").string)
    try folder.write("# Harbor\n\nDear *Ada*\n", to: "letter.md")
    let made = try Programs.run(pandoc, ["letter.md", "-o", "letter.docx"], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let one = try Programs.run(
      folder("procd").string, ["convert", "letter.docx", "made.md"], in: folder.path)
    #expect(one.status == 0, "\(one.errors)")
    #expect(try text("made.md", in: folder).contains("# Harbor"))
    let many = try Programs.run(
      folder("procd").string, ["convert", "letter.docx", "-o", "out"], in: folder.path)
    #expect(many.status == 0, "\(many.errors)")
    #expect(try text("out/letter.txt", in: folder).contains("Dear Ada"))
  }

  private func text(_ path: String, in folder: TemporaryFolder) throws -> String {
    let data = try #require(folder.read(path), "\(path) is missing; there are \(folder.files())")
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `a name alone makes no document`() throws {
    let folder = try folder()
    let photo = try #require(
      FileManager.default.contents(
        atPath: Programs.repository.appending("docs/samples/letter-photo.jpg").string))
    for name in ["photo.rtf", "photo.docx", "photo.xlsx", "photo.ods"] {
      try folder.write(photo, to: "inbox/\(name)")
    }
    try folder.write(Site.pdf("x"), to: "inbox/list.docx")
    #expect(try Programs.run("procd", ["run", "--once"], in: folder.path).status == 65)
    #expect(!folder.exists("outbox/photo.txt") && !folder.exists("outbox/list.txt"))
    for name in ["photo.rtf", "photo.docx", "photo.xlsx", "photo.ods", "list.docx"] {
      let why = try text("quarantine/\(name).why.txt", in: folder)
      #expect(why.contains("no document") || why.contains("no workbook"), "\(why)")
    }
  }

  @Test func `text and Markdown are made of documents, and what is none is refused`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write(
      "% The title\n\n# Harbor\n\nDear *Ada*, it costs 5 €.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![A crane](x.png)\n",
      to: "letter.md")
    for format in ["docx", "odt", "rtf", "epub", "html"] {
      try folder.write("", to: "inbox/\(format)/.keep")
      let made = try Programs.run(
        pandoc, ["--standalone", "letter.md", "-o", "inbox/\(format)/letter.\(format)"],
        in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
    }
    for (name, page) in [
      "same": "<head><title>Pier</title></head><h1>Pier</h1><p>Seen</p>",
      "bare": "<title>Pier</title><h1>Pier</h1><p>Seen</p>",
      "site": "<head><title>Pier - The harbor</title></head><h1>Pier</h1><p>Seen</p>",
      "line": "<head><title>Pier</title></head><p>Pier</p><p>Seen</p>",
      "none": "<head><title>Pier</title></head><p>Seen</p>",
      "bold": "<p><b>Pier</b></p><p>Seen</p>",
    ] {
      try folder.write(page, to: "inbox/title-\(name).html")
    }
    try folder.write(#"{\rtf1\ansi \u8364?uro Gr\u252?\u223?e \\u5?}"#, to: "inbox/escaped.rtf")
    let whole = try #require(folder.read("inbox/docx/letter.docx"))
    try folder.write(whole.prefix(2000), to: "inbox/cut.docx")
    try folder.write("<p> </p><script>alert(1)</script>", to: "inbox/blank.html")
    // What a page includes is not fetched, nor read from the disk.
    try folder.write(
      "<head><title>Pier</title><meta name=author content=Ann></head><h1>Pier</h1><p>Ann</p><p>Seen</p><iframe src='/etc/passwd'></iframe><img src='file:///etc/passwd'>",
      to: "inbox/far.html")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 65, "\(run.errors)")
    for format in ["docx", "odt", "rtf", "epub", "html"] {
      let plain = try text("outbox/\(format)/letter.txt", in: folder)
      #expect(
        plain.contains("Harbor") && plain.contains("Dear Ada, it costs 5 €"), "\(format): \(plain)"
      )
      #expect(plain.contains("The title"), "\(format): \(plain)")
      let markdown = try text("outbox/\(format)/letter.md", in: folder)
      #expect(markdown.contains("# Harbor") && markdown.contains("*Ada*"), "\(format): \(markdown)")
      #expect(
        !markdown.contains("<div") && (format == "rtf" || !markdown.contains("x.png")),
        "\(format): \(markdown)")
    }
    #expect(
      try text("outbox/far.txt", in: folder).split(whereSeparator: \.isWhitespace)
        == ["Pier", "Ann", "Seen"])
    for name in ["same", "bare", "site", "line", "none", "bold"] {
      #expect(try text("outbox/title-\(name).md", in: folder) == "# Pier\n\nSeen\n", "\(name)")
    }
    #expect(try text("outbox/escaped.txt", in: folder).hasPrefix(#"€uro Grüße \u5?"#))
    #expect(try text("quarantine/cut.docx.why.txt", in: folder).contains("cannot be read"))
    #expect(try text("quarantine/blank.html.why.txt", in: folder).contains("no text"))
  }

  @Test func `headers and footers are in the text`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write("Dear Ada\n", to: "letter.md")
    try folder.write("", to: "inbox/.keep")
    try folder.write("", to: "inbox/.keep")
    for format in ["docx", "odt"] {
      let made = try Programs.run(pandoc, ["letter.md", "-o", "bare.\(format)"], in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
    }
    let script = #"""
      import zipfile
      W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
      def field(name): return ('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ' + name
        + ' </w:instrText></w:r><w:r><w:t>77</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>')
      def copy(name, change, more=()):
        with zipfile.ZipFile("bare." + name) as bare, zipfile.ZipFile("inbox/letter." + name, "w") as made:
          for item in bare.namelist(): made.writestr(item, change(item, bare.read(item)))
          for item, text in more: made.writestr(item, text)
      line = '<w:p><w:r><w:t>Invoice</w:t></w:r><w:r><w:tab/><w:t>4711</w:t></w:r></w:p>'
      copy("docx", lambda item, data: data, [
        ("word/header1.xml", f'<w:hdr {W}>{line}{line}</w:hdr>'),
        ("word/footer1.xml", f'<w:ftr {W}><w:p><w:r><w:t>IBAN 12</w:t></w:r>{field("PAGE")}</w:p></w:ftr>')])
      head = b'<style:header><text:p>Invoice 4711</text:p></style:header><style:footer><text:p>IBAN 12<text:page-number>77</text:page-number></text:p></style:footer></style:master-page>'
      def styles(item, data):
        if item != "styles.xml": return data
        at = data.index(b"<style:master-page")
        end = data.index(b">", at)
        close = data[end - 1:end] == b"/"
        return data[:end - close] + b">" + (head if close else head.replace(b"</style:master-page>", b"")) + data[end + 1:]
      copy("odt", styles)
      """#
    let made = try Programs.run("/usr/bin/python3", ["-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    for name in folder.files(below: "outbox") where name.hasSuffix(".txt") || name.hasSuffix(".md")
    {
      let lines = try text("outbox/\(name)", in: folder).split(separator: "\n")
      #expect(lines == ["Invoice 4711", "Dear Ada", "IBAN 12"], "\(name)")
    }
    #expect(folder.files(below: "outbox").count { $0.hasSuffix(".txt") } == 2)
  }

  @Test func `a header that cannot be read is told, not left out`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write("Dear Ada\n", to: "letter.md")
    try folder.write("", to: "inbox/.keep")
    for (name, header) in [("broken", "<hdr>"), ("large", "<hdr>\" + ' ' * (5 << 20) + \"</hdr>")] {
      _ = try Programs.run(pandoc, ["letter.md", "-o", "inbox/\(name).docx"], in: folder.path)
      let added = try Programs.run(
        "/usr/bin/python3",
        [
          "-c",
          "import zipfile; zipfile.ZipFile('inbox/\(name).docx', 'a').writestr('word/header1.xml', \"\(header)\")",
        ], in: folder.path)
      try #require(added.status == 0, "\(added.errors)")
    }
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 65, "\(run.errors)")
    #expect(try text("quarantine/broken.docx.why.txt", in: folder).contains("no element found"))
    #expect(
      try text("quarantine/large.docx.why.txt", in: folder).contains(
        "word/header1.xml in it is larger than 4 MiB"))
  }

  @Test func `Markdown has the tables whose cells hold more than a line`() throws {
    _ = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write(
      "<p>x</p><table><tr><th>Part</th><th>Sum</th></tr><tr><td><p>Crane</p><p>used<br>once</p></td>"
        + "<td><ul><li>one</li><li>two</li></ul></td></tr><tr><td colspan=2>Total</td></tr></table>",
      to: "inbox/cells.html")
    #expect(try Programs.run("procd", ["run", "--once"], in: folder.path).status == 0)
    let rows = try text("outbox/cells.md", in: folder).split(separator: "\n")
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    #expect(rows.contains(["Crane used once", "one two"]), "\(rows)")
    #expect(rows.contains(["Part", "Sum"]) && rows.contains(["Total", ""]), "\(rows)")
  }

  /// What is drawn twice, for new and for old programs, is there once; what was deleted is not.
  @Test func `text boxes and fields are in the text where they stand`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write("BODY\n", to: "letter.md")
    try folder.write("", to: "inbox/.keep")
    for format in ["docx", "odt"] {
      let made = try Programs.run(pandoc, ["letter.md", "-o", "bare.\(format)"], in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
    }
    let script = #"""
      import zipfile
      def copy(name, part, old, new):
        with zipfile.ZipFile("bare." + name) as bare, zipfile.ZipFile("inbox/letter." + name, "w") as made:
          for item in bare.namelist():
            data = bare.read(item)
            made.writestr(item, data.replace(old.encode(), new.encode()) if item == part else data)
      W = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"'
      def run(text): return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'
      def old(text): return (f'<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p>{run(text)}</w:p></w:txbxContent>'
        + '</v:textbox></v:shape></w:pict></w:r>')
      def new(text): return ('<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><x:txbx xmlns:x="urn:x"><w:txbxContent>'
        + f'<w:p>{run(text)}</w:p></w:txbxContent></x:txbx></w:drawing></mc:Choice><mc:Fallback>{old(text)}</mc:Fallback>'
        + '</mc:AlternateContent></w:r>')
      date = '<w:fldSimple w:instr=" DATE ">' + run("12.03.2024") + '</w:fldSimple>'
      copy("docx", "word/document.xml", '<w:p>', f'<w:p {W}>{run("Before")}{old("Customer 4711")}{new("Desk 9")}</w:p><w:p {W}>'
        + f'{run("Dated ")}{date}{run(" in Hamburg")}<w:del>{old("gone")}</w:del></w:p><w:tbl><w:tblGrid><w:gridCol w:w="100"/></w:tblGrid>'
        + f'<w:tr><w:tc><w:p {W}>{run("Cell")}{old("of a table")}</w:p></w:tc></w:tr></w:tbl><w:p>')
      def frame(text): return f'<draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>'
      copy("odt", "content.xml", 'BODY', 'Before' + frame("Customer 4711") + frame("Desk 9") + '</text:p><text:p>Dated '
        + '<text:date>12.03.2024</text:date> in <text:span><text:user-defined>Hamburg</text:user-defined></text:span>'
        + '</text:p><table:table><table:table-column/><table:table-row><table:table-cell><text:p>Cell' + frame("of a table")
        + '</text:p></table:table-cell></table:table-row></table:table><text:p>BODY')
      """#
    let made = try Programs.run("/usr/bin/python3", ["-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let names = folder.files(below: "outbox").filter { $0.hasSuffix(".txt") || $0.hasSuffix(".md") }
    #expect(names.count == 4)
    for name in names {
      let text = try text("outbox/\(name)", in: folder)
      var rest = text[...]
      for part in [
        "Before", "Customer 4711", "Desk 9", "Dated 12.03.2024 in Hamburg", "Cell", "of a table",
        "BODY",
      ] {
        let place = try #require(rest.firstRange(of: part), "\(name): \(part) in \(text)")
        rest = rest[place.upperBound...]
        #expect(text.ranges(of: part).count == 1, "\(name): \(text)")
      }
      #expect(!text.contains("gone"), "\(name): \(text)")
    }
  }

  /// As LibreOffice writes them: header rows in an element of their own.
  @Test func `tables of OpenDocument have their header, and what stands in their cells`() throws {
    let pandoc = try #require(Programs.find("pandoc"), "pandoc is needed: make test installs it")
    let folder = try folder()
    try folder.write("BODY\n", to: "letter.md")
    try folder.write("", to: "inbox/.keep")
    let made = try Programs.run(pandoc, ["letter.md", "-o", "bare.odt"], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let script = #"""
      import zipfile
      def cell(blocks): return f'<table:table-cell table:style-name="Table1.A1" office:value-type="string">{blocks}</table:table-cell>'
      def row(*cells): return '<table:table-row>' + ''.join(map(cell, cells)) + '</table:table-row>'
      def p(text): return f'<text:p text:style-name="Table_20_Contents"><text:span>{text}</text:span></text:p>'
      def head(rows): return f'<table:table-header-rows>{rows}</table:table-header-rows>'
      def table(rows): return f'<table:table table:name="Table1"><table:table-column table:number-columns-repeated="2"/>{rows}</table:table>'
      inner = table(head(row(p('Hook'))) + row(p('Rope')))
      grid = table(head(row(p('Part'), p('Price')) + row('', '<text:h text:outline-level="2">EUR</text:h>'))
        + '<text:soft-page-break/>' + row(p('Crane') + inner, p('5')))
      with zipfile.ZipFile("bare.odt") as bare, zipfile.ZipFile("inbox/letter.odt", "w") as made:
        for item in bare.namelist():
          data = bare.read(item)
          made.writestr(item, data.replace(b'</office:text>', (grid + '</office:text>').encode()) if item == "content.xml" else data)
      """#
    let written = try Programs.run("/usr/bin/python3", ["-c", script], in: folder.path)
    #expect(written.status == 0, "\(written.errors)")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try text("outbox/letter.md", in: folder).split(separator: "\n")
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let rule = try #require(rows.firstIndex { $0.first?.hasPrefix("--") ?? false }, "\(rows)")
    #expect(rows[rule - 1] == ["Part", "Price"], "\(rows)")
    #expect(rows[(rule + 1)...] == [["", "EUR"], ["Crane Hook Rope", "5"]], "\(rows)")
    let plain = try text("outbox/letter.txt", in: folder)
    for word in ["BODY", "Part", "Price", "EUR", "Crane", "Hook", "Rope"] {
      #expect(plain.ranges(of: word).count == 1, "\(plain)")
    }
    #expect(!plain.contains("\u{10FFFD}"))
  }

  @Test func `each sheet of a workbook is a CSV file`() throws {
    let folder = try folder()
    try folder.write("", to: "inbox/.keep")
    let script = """
      import datetime, openpyxl
      book = openpyxl.Workbook()
      book.active.append(["Nr", "Name"]); book.active.append([20123456789, 'Ä; "x"'])
      book.active.append(["at", datetime.datetime(2012, 6, 1, 13, 5, 7)])
      book.active.append(["for", datetime.timedelta(hours=30, minutes=5)])
      book.active["B4"].number_format = "[h]:mm"
      book.active.append(["code", 1067, 1 / 3, 1e-7, 5.0, True])
      book.active["B5"].number_format = "00000"
      book.active.append(["big", 1000000000000001, datetime.time(8, 30)])
      book.active.append([]); book.active.append(["end", datetime.date(2012, 6, 1)])
      book.create_sheet("two").append([1, 2, "=A1+B1"])
      book.save("inbox/book.xlsx")
      """
    let made = try Programs.run("/usr/bin/python3", ["-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try text("outbox/book.1.csv", in: folder) == """
        Nr,Name
        20123456789,"Ä; ""x""\"
        at,2012-06-01 13:05:07
        for,30:05:00
        code,01067,0.333333333333333,1e-07,5,TRUE
        big,1000000000000001,08:30:00

        end,2012-06-01

        """)
    #expect(try text("outbox/book.2.csv", in: folder) == "1,2,'=A1+B1\n")
    #expect(folder.files().filter { $0.hasSuffix(".csv") }.count == 2)
  }

  @Test func `each sheet of an OpenDocument workbook is a CSV file`() throws {
    let folder = try folder()
    try folder.write("", to: "inbox/.keep")
    let script = #"""
      import zipfile
      N = "urn:oasis:names:tc:opendocument:xmlns:"
      SPACES = "".join(f' xmlns:{short}="{N}{name}:1.0"' for short, name in
        [("office", "office"), ("table", "table"), ("text", "text"), ("draw", "drawing"),
         ("style", "style"), ("number", "datastyle")])
      def timed(style, shown): return cell(shown, f'table:style-name="{style}" office:value-type="time" office:time-value="PT08H30M00S"')
      styles = ('<office:automatic-styles><number:time-style style:name="N1"/>'
        '<number:time-style style:name="N2" number:truncate-on-overflow="false"/>'
        '<style:style style:name="day" style:family="table-cell" style:data-style-name="N1"/>'
        '<style:style style:name="bold" style:family="table-cell" style:parent-style-name="day"/>'
        '<style:style style:name="long" style:family="table-cell" style:data-style-name="N2"/></office:automatic-styles>')
      def cell(text, more="", of="table-cell"):
        return f"<table:{of} {more}>{text and f'<text:p>{text}</text:p>'}</table:{of}>"
      def typed(kind, value, shown): return cell(shown, f'office:value-type="{kind}" office:{value}')
      def row(*cells, times=1): return f'<table:table-row table:number-rows-repeated="{times}">{"".join(cells)}</table:table-row>'
      def table(*rows): return f'<table:table table:name="s">{"".join(rows)}</table:table>'
      rest = cell("", 'table:number-columns-repeated="16382"')
      one = table(
        row(cell("Nr"), cell("Na<text:span>me</text:span><text:s text:c=\"2\"/>x"), rest),
        row(typed("float", 'value="20123456789"', "2.01E+10"), cell('Ä; "x"</text:p><text:p>second')),
        row(cell("at"), typed("date", 'date-value="2012-06-01T13:05:06.9"', "x"), typed("date", 'date-value="2012-06-01"', "x")),
        row(cell("for"), typed("time", 'time-value="PT30H05M00S"', "30:05"), typed("time", 'time-value="PT01H05M00S"', "01:05:00")),
        row(cell("code"), typed("float", 'value="1067"', "01067"), typed("float", 'value="0.333333333333333333"', "0,33"),
            typed("boolean", 'boolean-value="true"', "WAHR"), typed("currency", 'value="5"', "5,00 €")),
        row(typed("float", 'value="1000000000000001"', "1E+15"), timed("day", "8:30:00 AM"), timed("bold", "8:30"),
            timed("long", "08:30:00")),
        row(cell(""), times=2),
        row(cell("wide", 'table:number-columns-spanned="2"'), cell("hidden", of="covered-table-cell"),
            cell('seen<office:annotation><text:p>said</text:p></office:annotation>')),
        row(cell("twice"), times=2),
        row(rest, times=1048000))
      two = table(row(cell("", 'table:formula="of:=[.A1]+1"')))
      def book(name, *tables, more=""):
        with zipfile.ZipFile("inbox/" + name, "w") as made:
          made.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
          made.writestr("META-INF/manifest.xml", more)
          made.writestr("content.xml", f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{SPACES}>{styles}<office:body><office:spreadsheet>'
            + "".join(tables) + "</office:spreadsheet></office:body></office:document-content>")
      book("book.ods", one, two)
      book("wide.ods", table(row(cell("x", 'table:number-columns-repeated="999999999"'))))
      book("long.ods", table(row(cell("x"), times=999999999)))
      book("deep.ods", table(row("<text:p>" * 2000 + "</text:p>" * 2000)))
      book("empty.ods", table(row(*[cell("", 'table:number-columns-repeated="16384"')] * 50000, cell("x"))))
      book("huge.ods", table(row(cell("<text:s text:c='900000'/>" * 3))))
      book("none.ods")
      book("locked.ods", more="<manifest:encryption-data/>")
      """#
    let made = try Programs.run("/usr/bin/python3", ["-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 65, "\(run.errors)")
    #expect(
      try text("outbox/book.1.csv", in: folder) == """
        Nr,Name  x
        20123456789,"Ä; ""x""
        second"
        at,2012-06-01 13:05:07,2012-06-01
        for,30:05:00,01:05:00
        code,01067,0.333333333333333,TRUE,5
        1000000000000001,08:30:00,08:30:00,8:30:00


        wide,,seen
        twice
        twice

        """)
    #expect(try text("outbox/book.2.csv", in: folder) == "'=[.A1]+1\n")
    #expect(folder.files(below: "outbox").filter { $0.hasSuffix(".csv") }.count == 2)
    for (name, why) in [
      "wide": "beyond the last column", "empty": "beyond the last column",
      "huge": "a cell with more than", "long": "beyond the last one", "deep": "too deep",
      "none": "no sheet", "locked": "locked with a password",
    ] {
      let told = try text("quarantine/\(name).ods.why.txt", in: folder)
      #expect(told.contains(why), "\(told)")
    }
  }
}
