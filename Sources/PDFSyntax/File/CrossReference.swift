/// Where the indirect objects of a file are (PDF 32000-1, 7.5.4 and 7.5.8).
struct CrossReference {
  enum Kind: UInt8 { case unknown, free, offset, compressed }

  struct Entry {
    var kind = Kind.unknown
    /// The generation, or the index in the object stream.
    var generation: Int32 = 0
    /// The offset in the file, or the number of the object stream.
    var place = 0
  }

  private var dense: [Entry] = []
  private var sparse: [Int: Entry] = [:]
  private static let densest = 1 << 17

  subscript(number: Int) -> Entry {
    get {
      if number >= 0, number < dense.count { return dense[number] }
      return number < Self.densest ? Entry() : sparse[number] ?? Entry()
    }
    set {
      guard number >= 0 else { return }
      if number < Self.densest {
        if number >= dense.count {
          let size = min(Self.densest, max(number + 1, dense.count * 2, 64))
          dense += [Entry](repeating: Entry(), count: size - dense.count)
        }
        dense[number] = newValue
      } else {
        sparse[number] = newValue
      }
    }
  }

  /// Sets an entry unless a newer section already told of the object.
  mutating func add(_ number: Int, _ entry: Entry) {
    if self[number].kind == .unknown { self[number] = entry }
  }

  /// The numbers of all objects in use, ascending.
  var numbersInUse: [Int] {
    let low = dense.indices.filter { dense[$0].kind == .offset || dense[$0].kind == .compressed }
    return low + sparse.keys.filter { sparse[$0]?.kind != .free }.sorted()
  }

  var isEmpty: Bool { dense.isEmpty && sparse.isEmpty }
}
