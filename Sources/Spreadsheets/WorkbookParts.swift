internal import Bytes

/// The parts of a workbook that are not rows (ISO/IEC 29500-1, 12.3 and 18).
enum WorkbookParts {
  static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let office =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let type = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  /// The formats of cells, by their places in ``styles``.
  enum Style: Int {
    case general, text, date, head
  }

  static var packageRelations: [UInt8] {
    part(
      "<Relationships xmlns=\"\(package)/relationships\"><Relationship Id=\"rId1\""
        + " Type=\"\(office)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>")
  }

  /// 49 is the format of text, `@`.
  static var styles: [UInt8] {
    let format = "fillId=\"0\" borderId=\"0\""
    let font = "<sz val=\"11\"/><name val=\"Calibri\"/>"
    return part(
      "<styleSheet xmlns=\"\(main)\">"
        + "<numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd\"/></numFmts>"
        + "<fonts count=\"2\"><font>\(font)</font><font><b/>\(font)</font></fonts>"
        + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
        + "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
        + "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
        + "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" \(format)/></cellStyleXfs>"
        + "<cellXfs count=\"4\"><xf numFmtId=\"0\" fontId=\"0\" \(format) xfId=\"0\"/>"
        + "<xf numFmtId=\"49\" fontId=\"0\" \(format) xfId=\"0\" applyNumberFormat=\"1\"/>"
        + "<xf numFmtId=\"164\" fontId=\"0\" \(format) xfId=\"0\" applyNumberFormat=\"1\"/>"
        + "<xf numFmtId=\"49\" fontId=\"1\" \(format) xfId=\"0\" applyNumberFormat=\"1\""
        + " applyFont=\"1\"/></cellXfs>"
        + "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>"
        + "</styleSheet>")
  }

  static func workbook(_ sheets: [String]) -> [UInt8] {
    var text =
      "<workbook xmlns=\"\(main)\" xmlns:r=\"\(office)\"><bookViews><workbookView/></bookViews><sheets>"
    for (index, name) in sheets.enumerated() {
      text +=
        "<sheet name=\"\(String(markup: name))\" sheetId=\"\(index + 1)\" r:id=\"rId\(index + 1)\"/>"
    }
    return part(text + "</sheets></workbook>")
  }

  static func workbookRelations(sheets: Int) -> [UInt8] {
    var text = "<Relationships xmlns=\"\(package)/relationships\">"
    for number in 1...max(1, sheets) {
      text +=
        "<Relationship Id=\"rId\(number)\" Type=\"\(office)/worksheet\""
        + " Target=\"worksheets/sheet\(number).xml\"/>"
    }
    return part(
      text + "<Relationship Id=\"rId\(sheets + 1)\" Type=\"\(office)/styles\""
        + " Target=\"styles.xml\"/></Relationships>")
  }

  static func contentTypes(sheets: Int) -> [UInt8] {
    var text =
      "<Types xmlns=\"\(package)/content-types\">"
      + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
      + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
      + "<Override PartName=\"/xl/workbook.xml\" ContentType=\"\(type).sheet.main+xml\"/>"
      + "<Override PartName=\"/xl/styles.xml\" ContentType=\"\(type).styles+xml\"/>"
    for number in 1...max(1, sheets) {
      text +=
        "<Override PartName=\"/xl/worksheets/sheet\(number).xml\""
        + " ContentType=\"\(type).worksheet+xml\"/>"
    }
    return part(text + "</Types>")
  }

  private static func part(_ text: String) -> [UInt8] { Array((start + text).utf8) }

  /// The name of a column: A to Z, AA and so on.
  ///
  /// - Parameter column: from 0.
  static func letters(ofColumn column: Int) -> String {
    var rest = column + 1
    var letters: [UInt8] = []
    while rest > 0 {
      rest -= 1
      letters.append(UInt8(ascii: "A") + UInt8(truncatingIfNeeded: rest % 26))
      rest /= 26
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  /// The text of a cell as a part has it, before it becomes markup.
  ///
  /// Control characters that XML has no place for are left out. An underscore that would begin an escape, `_x0041_`,
  /// is written as one itself (ISO/IEC 29500-1, 22.9.2.19), so that the text comes back as it was.
  ///
  /// - Parameter limit: UTF-16 units of the text that are kept; a character is kept whole or not at all.
  static func content(of text: String, limit: Int) -> (text: String, isCut: Bool) {
    var result = String.UnicodeScalarView()
    var units = 0
    let scalars = text.unicodeScalars
    for place in scalars.indices {
      let scalar = scalars[place]
      switch scalar {
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: break
      }
      units += UTF16.width(scalar)
      guard units <= limit else { return (String(result), true) }
      result.append(scalar)
      if scalar == "_", beginsEscape(scalars[place...].prefix(7)) {
        result.append(contentsOf: "x005F_".unicodeScalars)
      }
    }
    return (String(result), false)
  }

  private static func beginsEscape(_ text: Substring.UnicodeScalarView) -> Bool {
    let scalars = Array(text)
    return scalars.count == 7 && scalars[1] == "x" && scalars[6] == "_"
      && scalars[2...5].allSatisfy { $0.properties.isASCIIHexDigit }
  }
}
