internal import PDFSyntax

extension TextExtractor {
  /// The sentence to show if ``isFormBesidePages`` is true, without a full stop.
  public static let formBesidePagesSentence =
    "the content is an XFA form that is not on the pages; have the program that shows it print it as a PDF"

  /// Whether the document is an XFA form that the pages do not show: what they have is a notice for programs that do not
  /// know such forms (PDF 32000-1, 12.7.8).
  public var isFormBesidePages: Bool {
    guard let form = file.dictionary(file.catalog, "AcroForm"), let packets = form["XFA"],
      !file.resolve(packets).isNull
    else { return false }
    let isDynamic = file.resolve(file.catalog["NeedsRendering"]).boolean ?? false
    let shown = (0..<min(pageCount, Self.pagesOfForm)).compactMap { page($0) }
    // Fields on pages are those of a form that the pages show.
    if !isDynamic, shown.contains(where: { hasFields($0.number) }) { return false }
    let wanted = wordsOfForm(packets)
    guard !wanted.isEmpty else { return isDynamic }
    var words: Set<String> = []
    for page in shown { words.formUnion(Self.words(of: page.text)) }
    return wanted.count { words.contains($0) } * 2 < wanted.count
  }

  /// So many pages are asked for the words of the form.
  private static let pagesOfForm = 20
  private static let bytesOfForm = 16 << 20

  private func hasFields(_ number: Int) -> Bool {
    guard let page = pageObject(number - 1)?.dictionary else { return false }
    return (file.array(page, "Annots") ?? []).prefix(1_000).contains { entry in
      file.resolve(entry).dictionary.map { file.name($0, "Subtype") == "Widget" } ?? false
    }
  }

  /// The words of the form's data and of its fixed texts.
  private func wordsOfForm(_ packets: PDFObject) -> Set<String> {
    var bytes: [UInt8] = []
    let parts = file.resolve(packets).array ?? [packets]
    for part in parts.prefix(100) where bytes.count < Self.bytesOfForm {
      guard let stream = file.resolve(part).stream else { continue }
      bytes += file.decode(stream, limit: Self.bytesOfForm).bytes
    }
    var depth = 0
    var words: Set<String> = []
    for piece in String(decoding: bytes, as: UTF8.self).split(separator: "<") {
      guard let end = piece.firstIndex(of: ">") else { continue }
      let tag = piece[..<end]
      let name = tag.prefix { !$0.isWhitespace && $0 != "/" || $0 == "/" && tag.first == "/" }
      // Whatever stands in `data`, and `text` of the template; both may have a prefix.
      let isRelevant = ["data", "text"].contains(name.drop { $0 == "/" }.split(separator: ":").last)
      if isRelevant, tag.last != "/" { depth += name.first == "/" ? -1 : 1 }
      if depth > 0 { words.formUnion(Self.words(of: String(piece[piece.index(after: end)...]))) }
    }
    return words
  }

  private static func words(of text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 2 }.map(
      String.init)
  }
}
