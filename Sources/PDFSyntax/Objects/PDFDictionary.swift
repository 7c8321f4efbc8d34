/// A dictionary object (PDF 32000-1, 7.3.7) that keeps the order in which its keys were written.
///
/// Dictionaries are small, so keys are found by walking; large ones (resources with thousands of
/// entries) get an index.
public struct PDFDictionary: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// The keys in the order of the file, each once.
  public private(set) var keys: [PDFName] = []
  /// The values in the order of the keys.
  public private(set) var values: [PDFObject] = []
  private var places: [PDFName: Int] = [:]

  private static let indexedFrom = 16

  /// An empty dictionary.
  public init() {}

  /// A dictionary of keys and values in their order; of repeated keys the last counts.
  public init(dictionaryLiteral elements: (PDFName, PDFObject)...) {
    for (key, value) in elements { self[key] = value }
  }

  /// The number of keys.
  public var count: Int { keys.count }
  /// Whether it has no key.
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a key, without following references. Setting nil removes the key; setting a key
  /// that is there replaces its value in place, so that the last of repeated keys counts.
  public subscript(key: PDFName) -> PDFObject? {
    get { place(of: key).map { values[$0] } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?):
        values[place] = value
      case (let place?, nil):
        keys.remove(at: place)
        values.remove(at: place)
        places = [:]
        if keys.count >= Self.indexedFrom { buildIndex() }
      case (nil, let value?):
        if keys.isEmpty {
          keys.reserveCapacity(6)
          values.reserveCapacity(6)
        }
        keys.append(key)
        values.append(value)
        if !places.isEmpty {
          places[key] = keys.count - 1
        } else if keys.count >= Self.indexedFrom {
          buildIndex()
        }
      case (nil, nil): break
      }
    }
  }

  private func place(of key: PDFName) -> Int? {
    if !places.isEmpty { return places[key] }
    for index in keys.indices where keys[index] == key { return index }
    return nil
  }

  private mutating func buildIndex() {
    places.reserveCapacity(keys.count * 2)
    for (index, key) in keys.enumerated() { places[key] = index }
  }

  /// Whether both have the same keys with equal values, in whatever order.
  public static func == (left: PDFDictionary, right: PDFDictionary) -> Bool {
    left.count == right.count
      && left.keys.indices.allSatisfy { right[left.keys[$0]] == left.values[$0] }
  }
}

// Typed values of keys, for direct objects only.
extension PDFDictionary {
  /// The integer of a key; reals are cut towards zero. Nil for other kinds.
  public func integer(_ key: PDFName) -> Int? { self[key]?.integer }
  /// The integer or real of a key; nil for other kinds.
  public func number(_ key: PDFName) -> Double? { self[key]?.number }
  /// The boolean of a key; nil for other kinds.
  public func boolean(_ key: PDFName) -> Bool? { self[key]?.boolean }
  /// The name of a key; nil for other kinds.
  public func name(_ key: PDFName) -> PDFName? { self[key]?.name }
  /// The bytes of the string of a key, decrypted; nil for other kinds.
  public func string(_ key: PDFName) -> [UInt8]? { self[key]?.string }
  /// The array of a key; nil for other kinds.
  public func array(_ key: PDFName) -> [PDFObject]? { self[key]?.array }
  /// The dictionary of a key; nil for other kinds.
  public func dictionary(_ key: PDFName) -> PDFDictionary? { self[key]?.dictionary }
  /// The reference that a key has for its value; nil for a direct object.
  public func reference(_ key: PDFName) -> PDFReference? { self[key]?.reference }
}
