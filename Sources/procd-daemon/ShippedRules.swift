import Pipelines
import PluginKit

/// The rules that procd offers for the kinds of files that it can read. `procd init` writes them, and the page adds one
/// of them if somebody asks for it.
enum ShippedRules {
  enum Kind: String, CaseIterable { case scans, pdfs, word, sheets, mail }
  enum Wanted: String, CaseIterable { case searchable, text, tables }

  /// What a kind is called in a question.
  static func name(of kind: Kind) -> String {
    switch kind {
    case .scans: "pictures (JPEG, PNG, TIFF …): scans and photos"
    case .pdfs: "PDFs, also those of a scanner"
    case .word: "documents of Word and other writing programs"
    case .sheets: "workbooks of Excel and other spreadsheets"
    case .mail: "mails (.eml)"
    }
  }

  /// - Parameter crop: whether photos of sheets are cut to the sheet.
  static func rule(_ kind: Kind, _ wanted: Wanted, crop: Bool) -> JSON {
    switch kind {
    case .scans: scans(wanted, crop: crop)
    case .pdfs: pdfs(wanted)
    case .word: documents
    case .sheets: sheets
    case .mail: mail
    }
  }

  /// The kind whose rule takes files of a media type and name, or nil.
  static func kind(mime: String, name: String) -> Kind? {
    Kind.allCases.first { kind in
      let match = rule(kind, .searchable, crop: false)["match"]
      return (match?["any"]?.arrayValue ?? [match].compactMap(\.self)).contains { part in
        strings(part["mime"]).contains { mediaType(mime, matches: $0) }
          || strings(part["name"]).contains { name.lowercased().hasSuffix($0.dropFirst()) }
      }
    }
  }

  /// Whether all steps of a rule are installed.
  static func isInstalled(_ rule: JSON, in catalog: PluginCatalog) -> Bool {
    (rule["steps"]?.arrayValue ?? []).allSatisfy { catalog[$0["use"]?.stringValue ?? ""] != nil }
  }

  /// The kinds whose steps are installed.
  static func installed(in catalog: PluginCatalog) -> [Kind] {
    Kind.allCases.filter { isInstalled(rule($0, .searchable, crop: false), in: catalog) }
  }

  private static func strings(_ value: JSON?) -> [String] {
    value?.arrayValue?.compactMap(\.stringValue) ?? [value?.stringValue].compactMap(\.self)
  }

  private static let office = "application/vnd.openxmlformats-officedocument."
  private static let openDocument = "application/vnd.oasis.opendocument."

  private static func reading(crop: Bool = false) -> JSON {
    let step: JSON = ["id": "ocr", "use": "ocr.tesseract"]
    return crop ? step.setting("with", ["crop": "sheet?"]) : step
  }

  private static func scans(_ wanted: Wanted, crop: Bool) -> JSON {
    let next: (about: String, steps: [JSON], emit: [JSON]) =
      switch wanted {
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
      "steps": .array([reading(crop: crop)] + next.steps), "emit": .array(next.emit),
    ]
  }

  private static func pdfs(_ wanted: Wanted) -> JSON {
    let open: JSON = ["id": "open", "use": "pdf.unlock", "if": "probe.locked == true"]
    let inputs: JSON = ["open.pdf", "source"]
    // Without a condition if nothing else opens the file, so that one that cannot be opened is reported.
    let read =
      wanted == .searchable
      ? reading().setting("in", inputs)
      : reading().setting("in", inputs).setting("if", "probe.pagesWithoutText > 0")
    let next: (about: String, steps: [JSON], emit: [JSON]) =
      switch wanted {
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

  /// Names decide too: libmagic takes some of these files for plain archives or texts.
  private static let documents: JSON = [
    "id": "documents",
    "about": "The text of Word, OpenDocument, RTF, EPUB and HTML files, also as Markdown",
    "match": [
      "any": [
        [
          "mime": [
            .string(office + "wordprocessingml.document"), .string(openDocument + "text"),
            "text/rtf", "application/epub+zip", "text/html",
          ]
        ],
        ["name": ["*.docx", "*.odt", "*.rtf", "*.epub", "*.html"]],
      ]
    ],
    "steps": [["id": "office", "use": "office.text"]],
    "emit": ["office.text", "office.markdown"],
  ]

  private static let sheets: JSON = [
    "id": "sheets", "about": "Each sheet of an Excel or OpenDocument workbook, as CSV",
    "match": [
      "any": [
        ["mime": [.string(office + "spreadsheetml.sheet"), .string(openDocument + "spreadsheet")]],
        ["name": ["*.xlsx", "*.ods"]],
      ]
    ],
    "steps": [["id": "office", "use": "office.rows"]], "emit": ["office.csv"],
  ]

  private static let mail: JSON = [
    "id": "mail", "about": "Mails as text, with their attachments; pictures in them become PDFs",
    "match": ["any": [["mime": "message/rfc822"], ["name": "*.eml"]]],
    "steps": [
      ["id": "mail", "use": "mail.read"],
      ["id": "ocr", "use": "ocr.tesseract", "in": "mail.attachment", "each": true],
    ],
    "to": "mail/{stem}", "subfolders": "drop",
    "emit": ["mail.text", ["from": "ocr.pdf?", "else": "mail.attachment", "as": "{label}"]],
  ]
}
