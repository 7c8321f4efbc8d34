internal import PDFSyntax

extension TextExtractor {
  /// Opens a small document of our own.
  ///
  /// A process that is forked for a PDF of one line spends a sixth of its time on what the language's runtime
  /// looks up once for each type. Where its parent has read this document before, most of that is found
  /// already.
  ///
  /// - Returns: nil where it could not be read, which costs that time and nothing else; a test reads it.
  public static func rehearsal() -> TextExtractor? {
    try? TextExtractor(PDFFile(FileBytes(sample)))
  }

  private static var sample: [UInt8] {
    let content = """
      q 0.9 g 72 690 200 1 re f Q
      BT /F1 12 Tf 72 700 Td (First words, and ) Tj [(mo) -20 (re)] TJ ET
      BT /F2 10 Tf 14 TL 1 0 0 1 72 660 Tm <01020301> Tj (in two lines) ' ET
      """
    let map = """
      /CIDInit /ProcSet findresource begin 12 dict begin begincmap
      1 begincodespacerange <00> <FF> endcodespacerange
      3 beginbfchar <01> <0041> <02> <00C4> <03> <0020> endbfchar
      1 beginbfrange <20> <7E> <0020> endbfrange
      endcmap end end
      """
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>",
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>",
      "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
      "<</Type/Font/Subtype/TrueType/BaseFont/Sample/FirstChar 1/LastChar 3"
        + "/Widths[500 600 700]/ToUnicode 7 0 R"
        + "/Encoding<</Type/Encoding/Differences[1/A/Adieresis/space]>>>>",
      "<</Length \(map.utf8.count)>>stream\n\(map)\nendstream",
      "<</Title(Sample)/Producer(procd)>>",
    ]
    var text = "%PDF-1.4\n", offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    text += "trailer\n<</Size \(objects.count + 1)/Root 1 0 R/Info 8 0 R>>\n"
    text += "startxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }
}
