public import PDFSyntax

/// Finds the pages to which entries of outlines and links lead (PDF 32000-1, 12.3.2).
public struct Destinations {
  /// A place in the document.
  public struct Place: Sendable, Equatable {
    /// The number of the page, from 1.
    public var page: Int
    /// How far below the top edge of that page as shown, in points; nil where nothing is said of it.
    public var top: Double?
  }

  private let extractor: TextExtractor
  private let file: PDFFile
  /// Page numbers from 1 by the numbers of their objects.
  private var pages: [Int: Int] = [:]

  private static let mostLevels = 32

  /// The destinations of a document.
  public init(_ extractor: TextExtractor) {
    self.extractor = extractor
    file = extractor.file
    for index in 0..<extractor.pageCount {
      guard let number = extractor.pageObject(index)?.reference?.number else { continue }
      if pages[number] == nil { pages[number] = index + 1 }
    }
  }

  /// The number of the page that an object is, from 1.
  public func page(of reference: PDFReference) -> Int? { pages[reference.number] }

  /// Where an outline's entry or a link leads by its `Dest` or an action of the kind GoTo; nil where
  /// that is no page of this document.
  public func place(of item: PDFDictionary) -> Place? {
    guard let place = destination(item), let number = place.first.flatMap(pageNumber) else {
      return nil
    }
    return Place(page: number, top: top(place, page: number))
  }

  /// The array of an explicit destination (12.3.2.2), found by its name where it has one.
  private func destination(_ item: PDFDictionary) -> [PDFObject]? {
    var place = file.resolve(item["Dest"])
    if place.isNull, let action = file.dictionary(item, "A"), file.name(action, "S") == "GoTo" {
      place = file.resolve(action["D"])
    }
    switch place {
    case .name(let name):
      place = file.resolve(file.dictionary(file.catalog, "Dests")?[name])
    case .string(let name):
      let tree = file.dictionary(file.catalog, "Names").flatMap { file.dictionary($0, "Dests") }
      place = tree.map { named(name, in: $0) } ?? .null
    default: break
    }
    if let inner = place.dictionary { place = file.resolve(inner["D"]) }
    return place.array
  }

  /// A value of a name tree (7.9.6). Branches are chosen by their limits; what has none is passed over.
  private func named(_ name: [UInt8], in root: PDFDictionary) -> PDFObject {
    var node = root
    for _ in 0..<Self.mostLevels {
      if let pairs = file.array(node, "Names") {
        var index = 0
        while index + 1 < pairs.count {
          if file.resolve(pairs[index]).string == name { return file.resolve(pairs[index + 1]) }
          index += 2
        }
        return .null
      }
      let branch = (file.array(node, "Kids") ?? []).lazy
        .compactMap { file.resolve($0).dictionary }
        .first { kid in
          guard let limits = file.array(kid, "Limits"), limits.count == 2,
            let low = file.resolve(limits[0]).string, let high = file.resolve(limits[1]).string
          else { return false }
          return !name.lexicographicallyPrecedes(low) && !high.lexicographicallyPrecedes(name)
        }
      guard let branch else { return .null }
      node = branch
    }
    return .null
  }

  private func pageNumber(_ page: PDFObject) -> Int? {
    if let number = page.reference?.number { return pages[number] }
    // Against the standard, but met: the index of a page of this document.
    guard let index = page.integer, (0..<extractor.pageCount).contains(index) else { return nil }
    return index + 1
  }

  private func top(_ place: [PDFObject], page number: Int) -> Double? {
    guard let page = extractor.pageObject(number - 1), page.rotation == 0, place.count > 1,
      let kind = file.resolve(place[1]).name
    else { return nil }
    let index: Int
    switch kind.text {
    case "XYZ": index = 3
    case "FitH", "FitBH": index = 2
    case "FitR": index = 5
    default: return nil
    }
    guard place.indices.contains(index), let y = file.resolve(place[index]).number, y.isFinite
    else { return nil }
    return min(max(0, page.cropBox.y1 - y), page.height)
  }
}
