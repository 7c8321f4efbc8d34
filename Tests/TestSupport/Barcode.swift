/// Barcodes as another program (zint) makes them, drawn upon pages.
public enum Barcode: String, CaseIterable, Sendable {
  // One row of modules for bars, several for a QR code, in hexadecimal digits.
  case patchT128 = "D21DDA8C6E288D8A3715DEC758"
  case patchT39 = "96D5B4B52D5B2DA56A6A56D5B296D"
  case separator39 = "96D5ACB5956D2D4B6ACB52D5B2D696ACA5B4"
  case number12 = "D21463745C69D977B6659CA3D8EB"
  case number13 = "D21463745C69D977B664DCBDD8EB"
  case ean13 = "A353AF7A259AA14285D2166A"
  case splitQR =
    """
    FE8BF8 826208 BAF2E8 BAB2E8 BA42E8 82F208 FEABF8 00F800 57A768 C864C8 9A0708 A9E2D8 2E2888 00CE38 \
    FEB190 82C808 BA3590 BA8598 BA0EC8 82B580 FE0FD0
    """

  /// What it says.
  public var text: String {
    switch self {
    case .patchT128: "PATCHT"
    case .patchT39: "PATCH-T"
    case .separator39: "SEPARATOR"
    case .number12: "ASN00012"
    case .number13: "ASN00013"
    case .ean13: "4006381333931"
    case .splitQR: "procd-split"
    }
  }

  /// The dark modules, row by row.
  private var rows: [[Bool]] {
    rawValue.split(separator: " ").map { row in
      row.flatMap { digit in
        let value = digit.hexDigitValue ?? 0
        return [8, 4, 2, 1].map { value & $0 != 0 }
      }
    }
  }

  /// Draws it into a grey picture, with bars 120 pixels high.
  ///
  /// - Parameters:
  ///   - width: of a row of the picture.
  ///   - module: the width of the thinnest bar in pixels.
  ///   - ink: the grey value of what is dark.
  public func draw(
    into grey: inout [UInt8], width: Int, left: Int, top: Int, module: Int = 3, ink: UInt8 = 0
  ) {
    let rows = rows
    let height = rows.count == 1 ? 120 : module
    for (row, modules) in rows.enumerated() {
      for (column, isDark) in modules.enumerated() where isDark {
        for y in 0..<height {
          let start = (top + row * height + y) * width + left + column * module
          for place in start..<(start + module) { grey[place] = ink }
        }
      }
    }
  }

  /// A stack as a PDF of pictures of 150 pixels per inch: a page for each entry, with its barcode or without, and with
  /// text, `sheet1` on the first.
  public static func stack(_ pages: [Barcode?]) -> [UInt8] {
    let (width, height) = (1240, 900)
    var builder = PDFBuilder()
    let (catalog, tree) = (builder.add(""), builder.add(""))
    builder.replace(catalog, "<</Type/Catalog/Pages \(tree) 0 R>>")
    let font = builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    var kids = ""
    for (number, barcode) in pages.enumerated() {
      var grey = [UInt8](repeating: 255, count: width * height)
      // A mark tells the pages apart.
      for place in 0..<(number + 1) { grey[place] = 0 }
      barcode?.draw(into: &grey, width: width, left: 200, top: 300)
      let image = builder.addStream(
        grey,
        entries: "/Type/XObject/Subtype/Image/Width \(width)/Height \(height)/BitsPerComponent 8"
          + "/ColorSpace/DeviceGray")
      let content = builder.addStream(
        Array(
          "q 595.2 0 0 432 0 0 cm /Im0 Do Q BT /F1 20 Tf 60 400 Td (sheet\(number + 1)) Tj ET".utf8)
      )
      let page = builder.add(
        "<</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 595.2 432]/Contents \(content) 0 R"
          + "/Resources<</XObject<</Im0 \(image) 0 R>>/Font<</F1 \(font) 0 R>>>>>>")
      kids += "\(page) 0 R "
    }
    builder.replace(tree, "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>")
    return builder.file(root: catalog)
  }
}
