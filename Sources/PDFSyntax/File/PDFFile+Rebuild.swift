import Bytes

extension PDFFile {
  /// Makes the cross-references anew from the objects that the file really has (see ``ObjectScan``).
  func rebuild(passwords: [String]) throws(PDFError) {
    diagnostics.add(
      .repaired, "the cross-references are damaged; the file was searched for objects")
    // Nobody knows what stood behind: the rest of a page's text, its fonts, or more pages.
    if endsEarly {
      diagnostics.add(
        .lost,
        "the file ends early, as after a transfer that was cut off: parts of it may be missing")
    }
    let scan = scanned
    isRebuilt = true
    let previousTrailer = trailer
    table = CrossReference()
    forgetObjects()
    for found in scan.objects where found.reference.number > 0 {
      table[found.reference.number] = CrossReference.Entry(
        kind: .offset, generation: Int32(clamping: found.reference.generation),
        place: found.offset)
    }
    let streams = structuralStreams(scan)
    guard !scan.objects.isEmpty else { throw .notPDF }
    chooseTrailer(scan.trailers + streams.crossReferences, previous: previousTrailer)
    try unlock(passwords: passwords)
    addCompressedObjects(streams.objectStreams, scan)
    if resolve(trailer["Root"]).dictionary == nil { findCatalog() }
  }

  /// The dictionaries of cross-reference streams, and the numbers and places of object streams.
  private func structuralStreams(
    _ scan: ObjectScan
  ) -> (crossReferences: [PDFDictionary], objectStreams: [ObjectScan.Found]) {
    var crossReferences: [PDFDictionary] = []
    var objectStreams: [ObjectScan.Found] = []
    let bytes = bytes
    let span = bytes.span
    for found in scan.objects {
      // A cheap look before the object is parsed.
      let window = found.offset..<min(found.offset + 600, span.count)
      let isObjectStream = span.first(of: "/ObjStm", in: window) != nil
      let isCrossReference = span.first(of: "/XRef", in: window) != nil
      guard isObjectStream || isCrossReference,
        let object = IndirectObject.read(span, at: found.offset, search, lengthOf: { $0.integer }),
        case .stream(let stream) = object.object
      else { continue }
      if stream.dictionary.name("Type") == "ObjStm" { objectStreams.append(found) }
      if stream.dictionary.name("Type") == "XRef" { crossReferences.append(stream.dictionary) }
    }
    return (crossReferences, objectStreams)
  }

  private func chooseTrailer(_ candidates: [PDFDictionary], previous: PDFDictionary) {
    var chosen = PDFDictionary()
    for candidate in candidates + (previous.isEmpty ? [] : [previous]) {
      // Later dictionaries win key by key, so that an Encrypt or ID given once is kept.
      for key: PDFName in ["Root", "Encrypt", "ID", "Info"] {
        guard let value = candidate[key] else { continue }
        if key == "Root", chosen["Root"] != nil, let number = value.reference?.number,
          table[number].kind == .unknown, candidate["Type"] == nil
        {
          continue
        }
        chosen[key] = value
      }
    }
    trailer = chosen
  }

  private func addCompressedObjects(_ streams: [ObjectScan.Found], _ scan: ObjectScan) {
    for found in streams where scan.lastPlace[found.reference.number] == found.offset {
      guard let index = objectStream(found.reference.number) else { continue }
      for (place, number) in index.numbers.enumerated() {
        guard number > 0, number <= limits.objectNumber else { continue }
        // What stands later in the file is newer.
        if let direct = scan.lastPlace[number], direct > found.offset { continue }
        table[number] = CrossReference.Entry(
          kind: .compressed, generation: Int32(clamping: place), place: found.reference.number)
      }
    }
    forgetObjects()
  }

  /// Looks for a catalog among all objects, or else makes one that has the root of the page tree, or
  /// else all pages.
  private func findCatalog() {
    var roots: [PDFReference] = []
    for number in table.numbersInUse {
      guard let dictionary = object(number).dictionary else { continue }
      switch resolve(dictionary["Type"]).name {
      case "Catalog" where resolve(dictionary["Pages"]).dictionary != nil:
        trailer["Root"] = .reference(PDFReference(number))
        return
      case "Pages" where dictionary["Parent"] == nil: roots.append(PDFReference(number))
      default: break
      }
    }
    diagnostics.add(.repaired, "the document catalog is missing")
    var made: PDFDictionary = ["Type": .name("Catalog")]
    let pages = roots.count == 1 ? [] : allPageObjects().map { PDFObject.reference($0) }
    if roots.count == 1, let root = roots.first {
      made["Pages"] = .reference(root)
    } else if !pages.isEmpty {
      made["Pages"] = .dictionary(["Type": .name("Pages"), "Kids": .array(pages)])
    } else {
      return
    }
    trailer["Root"] = .dictionary(made)
  }

  /// Whether the mark that ends a file is not there, as where a transfer was cut off (PDF 32000-1, 7.5.5).
  var endsEarly: Bool {
    let bytes = bytes
    let span = bytes.span
    return span.first(of: "%%EOF", in: max(0, span.count - 1024)..<span.count) == nil
  }

  /// Whether objects follow the mark that ends the file, and no other mark follows them: those of an incremental update
  /// that was cut off (7.5.6).
  package var endsInUpdate: Bool {
    guard endsEarly else { return false }
    let bytes = bytes
    let span = bytes.span
    guard let end = span.last(of: "%%EOF", in: 0..<span.count) else { return false }
    return span.first(of: " obj", in: end..<span.count) != nil
  }

  /// References to all objects that say they are pages: the first page of a linearized file, then all others in the
  /// order of their numbers.
  func allPageObjects() -> [PDFReference] {
    let pages = table.numbersInUse.filter { number in
      object(number).dictionary.map { resolve($0["Type"]).name == "Page" } ?? false
    }
    let first = firstPageOfLinearized
    return (pages.filter { $0 == first } + pages.filter { $0 != first }).map { PDFReference($0) }
  }

  /// The number of the first page's object as a linearized file states it (Annex F.2.2); it is greater than those of the
  /// other pages. Nil for other files.
  var firstPageOfLinearized: Int? {
    guard let first = scanned.objects.min(by: { $0.offset < $1.offset }),
      let dictionary = object(first.reference.number).dictionary, dictionary["Linearized"] != nil
    else { return nil }
    return integer(dictionary, "O")
  }
}
