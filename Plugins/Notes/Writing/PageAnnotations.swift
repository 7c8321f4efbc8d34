internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// The `Annots` of the pages that are changed (PDF 32000-1, table 30): a direct array, or an object that
/// one or several pages share.
struct PageAnnotations {
  private let extractor: TextExtractor
  private var lists: [Int: List] = [:]
  /// How many pages have an array, by its object's number.
  private var users: [Int: Int]?

  private struct List {
    var page: Page
    var reference: PDFReference
    var items: [PDFObject]
    var isChanged = false
    /// What goes: objects by their numbers, others by their places. Taken out at the end, all at once.
    var gone: Set<Int> = []
    var goneIndices: Set<Int> = []

    var kept: [PDFObject] {
      items.indices.filter { index in
        !items[index].isNull && !goneIndices.contains(index)
          && !(items[index].reference.map { gone.contains($0.number) } ?? false)
      }.map { items[$0] }
    }
  }

  init(_ extractor: TextExtractor) { self.extractor = extractor }

  /// The object of a page, from 1; nil where it has none that could be changed.
  mutating func reference(_ page: Int) -> PDFReference? { load(page)?.reference }

  mutating func append(_ object: PDFObject, page: Int) {
    guard load(page) != nil else { return }
    lists[page]?.items.append(object)
    lists[page]?.isChanged = true
  }

  mutating func replace(_ index: Int, by object: PDFObject, page: Int) {
    guard let list = load(page), list.items.indices.contains(index) else { return }
    lists[page]?.items[index] = object
    lists[page]?.isChanged = true
  }

  /// Removes objects, and an entry that is no object of its own by its place.
  mutating func remove(_ numbers: Set<Int>, indices: Set<Int>, page: Int) {
    guard load(page) != nil else { return }
    lists[page]?.gone.formUnion(numbers)
    lists[page]?.goneIndices.formUnion(indices)
    lists[page]?.isChanged = true
  }

  private mutating func load(_ page: Int) -> List? {
    if let known = lists[page] { return known }
    guard let object = extractor.pageObject(page - 1), let reference = object.reference else {
      return nil
    }
    let items = extractor.file.array(object.dictionary, "Annots") ?? []
    let list = List(page: object, reference: reference, items: items)
    lists[page] = list
    return list
  }

  /// Writes the arrays that were changed.
  mutating func write(to update: inout IncrementalUpdate) {
    for (_, list) in lists.sorted(by: { $0.key < $1.key }) where list.isChanged {
      let items = PDFObject.array(list.kept)
      if let array = list.page.dictionary.reference("Annots"),
        extractor.file.resolve(.reference(array)).array != nil, isAlone(array)
      {
        update.put(items, as: array)
      } else {
        var dictionary = list.page.dictionary
        dictionary["Annots"] = items
        update.put(.dictionary(dictionary), as: list.reference)
      }
    }
  }

  /// Whether no other page has the same array.
  private mutating func isAlone(_ array: PDFReference) -> Bool {
    if users == nil {
      var count: [Int: Int] = [:]
      for index in 0..<extractor.pageCount {
        guard let number = extractor.pageObject(index)?.dictionary.reference("Annots")?.number
        else { continue }
        count[number, default: 0] += 1
      }
      users = count
    }
    return users?[array.number] ?? 0 <= 1
  }
}
