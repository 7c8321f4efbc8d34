public import PDFSyntax

/// The files that a document carries (PDF 32000-1, 7.11.4): those of its list `EmbeddedFiles`, as of portfolios,
/// those that are associated with it (`AF`), and those of annotations on its pages. Each counts once.
public struct AttachedFiles {
  /// One of them.
  public struct File: Sendable {
    /// As the document names it, without folders and control characters; empty if nothing is left.
    public var name: String
    /// What the document says that it is.
    public var mime: String?
    /// Nil if the document does not have its bytes.
    public var stream: PDFStream?
  }

  /// In the order of the list, then of the pages.
  public private(set) var files: [File] = []
  /// Whether there are more than ``limit``, or a list is too large to be gone through.
  public private(set) var isCut = false
  /// No more files are taken.
  public static let limit = 500

  private static let mostNodes = 10_000
  private var seen: Set<PDFReference> = []
  private let file: PDFFile

  /// The files of a document.
  ///
  /// - Parameter pages: those whose annotations are asked too; nil leaves them out.
  public init(of file: PDFFile, pages: PageTree? = nil) {
    self.file = file
    if let names = file.dictionary(file.catalog, "Names") { addTree(names["EmbeddedFiles"]) }
    addAssociated(file.catalog)
    guard let pages else { return }
    for index in 0..<pages.count where !isCut {
      guard let page = pages.page(index)?.dictionary else { continue }
      addAssociated(page)
      for entry in (file.array(page, "Annots") ?? []).prefix(Self.mostNodes) {
        guard let annotation = file.resolve(entry).dictionary,
          file.name(annotation, "Subtype") == "FileAttachment"
        else { continue }
        add(annotation["FS"], key: nil)
      }
    }
  }

  /// What people should know of them, without full stop; nil if there are none.
  public var sentence: String? {
    guard let first = files.first else { return nil }
    let names = files.prefix(Self.mostNamed).map {
      $0.name.isEmpty ? "one without a name" : $0.name
    }
    let more = files.count - names.count
    let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return files.count == 1
      ? "a file is attached to the document: \(first.name.isEmpty ? "it has no name" : list)"
      : "\(files.count) files are attached to the document: \(list)"
  }

  /// A sentence names so many.
  private static let mostNamed = 10

  private mutating func addTree(_ root: PDFObject?) {
    var waiting = root.map { [$0] } ?? []
    var known: Set<Int> = []
    var nodes = 0
    while let next = waiting.popLast() {
      if let number = next.reference?.number, !known.insert(number).inserted { continue }
      guard let node = file.resolve(next).dictionary else { continue }
      nodes += 1
      let kids = file.array(node, "Kids") ?? []
      guard nodes <= Self.mostNodes, waiting.count + kids.count <= Self.mostNodes else {
        isCut = true
        return
      }
      waiting += kids.reversed()
      let pairs = file.array(node, "Names") ?? []
      for place in stride(from: 1, to: pairs.count, by: 2) {
        guard !isCut else { return }
        add(pairs[place], key: file.resolve(pairs[place - 1]).string)
      }
    }
  }

  private mutating func addAssociated(_ dictionary: PDFDictionary) {
    guard let entry = dictionary["AF"] else { return }
    // One that stands alone, without its array, counts too.
    for specification in (file.array(dictionary, "AF") ?? [entry]).prefix(Self.mostNodes) {
      add(specification, key: nil)
    }
  }

  /// - Parameter key: the name in the list.
  private mutating func add(_ object: PDFObject?, key: [UInt8]?) {
    guard let object, !isCut, let specification = file.resolve(object).dictionary,
      let embedded = file.dictionary(specification, "EF")
    else { return }
    let forms: [PDFName] = ["UF", "F", "Unix", "Mac", "DOS"]
    let entry = forms.compactMap { embedded[$0] }.first
    // Associated files, those of annotations and those of the list may be the same.
    for reference in [object.reference, entry?.reference] {
      if let reference, !seen.insert(reference).inserted { return }
    }
    guard files.count < Self.limit else {
      isCut = true
      return
    }
    var stream = entry.flatMap { file.resolve($0).stream }
    // So it is decrypted as a file (7.6.5), whatever it calls itself.
    stream?.dictionary["Type"] = .name("EmbeddedFile")
    let mime = stream.flatMap { file.name($0.dictionary, "Subtype")?.display }
    let own = forms.compactMap { file.string(specification, $0) }.first
    files.append(File(name: Self.name(own, key: key), mime: mime, stream: stream))
  }

  /// The name in the list if it is one of a file of this kind, as readers of e-invoices look for it, else that of the
  /// file specification; in the list there may be mere keys.
  private static func name(_ own: [UInt8]?, key: [UInt8]?) -> String {
    let (own, key) = (own.map(Self.cleaned) ?? "", key.map(Self.cleaned) ?? "")
    func ending(_ name: String) -> Substring? {
      name.lastIndex(of: ".").map { name[$0...] }
    }
    guard !key.isEmpty else { return own }
    return own.isEmpty || ending(own) != nil && ending(own) == ending(key) ? key : own
  }

  /// The last part of a path (7.11.2), on one line and of at most 80 characters.
  private static func cleaned(_ bytes: [UInt8]) -> String {
    let text = TextString.text(Array(bytes.prefix(4096)))
    let last = text.split { $0 == "/" || $0 == "\\" }.last ?? ""
    var name = String.UnicodeScalarView()
    for scalar in last.unicodeScalars {
      switch scalar.properties.generalCategory {
      // Among the formats are those that turn the direction of what follows.
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        continue
      default: name.append(scalar)
      }
    }
    let words = String(name).split(separator: " ").joined(separator: " ")
    guard words.contains(where: { $0 != "." }) else { return "" }
    guard words.count > longestName else { return words }
    let dot = words.lastIndex(of: ".") ?? words.endIndex
    let ending = words[dot...].count <= 20 ? String(words[dot...]) : ""
    return words.prefix(longestName - ending.count) + ending
  }

  private static let longestName = 80
}
