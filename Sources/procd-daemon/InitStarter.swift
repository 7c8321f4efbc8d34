import Dates
import PluginKit

/// The configuration that the answers ask for.
struct Starter {
  /// Where the page is shown.
  var web: String
  var incoming: InitCommand.Incoming
  var want: InitCommand.Wanted

  var json: JSON {
    var rules: [JSON] = []
    if incoming != .pdfs { rules.append(scans) }
    if incoming != .scans { rules.append(pdfs) }
    return [
      "$comment":
        "`procd check` finds mistakes; after a change, `procd reload`. Every key: docs/configuration.md (in a package below /usr/share/doc/procd).",
      "version": 1, "web": .string(web), "timeZone": LocalZone.ofMachine.map(JSON.string),
      "inbox": "inbox", "outbox": "outbox", "archive": "archive", "quarantine": "quarantine",
      "pipelines": .array(rules),
      "$others": [
        "$comment":
          "What no rule takes goes to the quarantine, with the reason. To have it kept in outbox/others instead, move this to the end of pipelines.",
        "id": "others", "match": "*", "emit": ["source"], "to": "others",
      ],
    ]
  }

  private static let reading: JSON = ["id": "ocr", "use": "ocr.tesseract"]

  private var scans: JSON {
    let next: (about: String, steps: [JSON], emit: [JSON]) =
      switch want {
      case .searchable: ("Scans and photos become searchable PDFs", [], ["ocr.pdf"])
      case .text: ("The text of scans and photos", [], ["ocr.text"])
      case .tables:
        (
          "The tables in scans and photos, as CSV",
          [["id": "tables", "use": "tables.rows", "in": "ocr.pdf"]], ["tables.table?", "ocr.pdf"]
        )
      }
    return [
      "id": "scans", "about": .string(next.about), "match": ["mime": "image/*"],
      "steps": .array([Self.reading] + next.steps), "emit": .array(next.emit),
    ]
  }

  private var pdfs: JSON {
    let open: JSON = ["id": "open", "use": "pdf.unlock", "if": "probe.locked == true"]
    let inputs: JSON = ["open.pdf", "source"]
    // Without a condition where nothing else opens the file: one that cannot be opened is to be told.
    let read =
      want == .searchable
      ? Self.reading.setting("in", inputs)
      : Self.reading.setting("in", inputs).setting("if", "probe.pagesWithoutText > 0")
    let next: (about: String, steps: [JSON], emit: [JSON]) =
      switch want {
      case .searchable:
        ("Scanned pages of PDFs are recognized; other PDFs stay as they are", [], ["ocr.pdf"])
      case .text:
        (
          "The text of PDFs; scanned pages are recognized first",
          [["id": "text", "use": "pdf.text", "in": ["ocr.pdf", "open.pdf", "source"]]],
          ["text.text", "open.pdf?"]
        )
      case .tables:
        (
          "The tables in PDFs, as CSV; scanned pages are recognized first",
          [["id": "tables", "use": "tables.rows", "in": ["ocr.pdf", "open.pdf", "source"]]],
          ["tables.table?", "open.pdf?", "source"]
        )
      }
    return [
      "id": "pdfs", "about": .string(next.about), "match": ["mime": "application/pdf"],
      "steps": .array([open, read] + next.steps), "emit": .array(next.emit),
    ]
  }
}
