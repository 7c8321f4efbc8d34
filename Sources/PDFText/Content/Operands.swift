import PDFSyntax

/// The operands before an operator, as flat as their tokens.
struct Operands {
  private var numbers = [Double](repeating: 0, count: 8)
  private(set) var count = 0
  /// The last string.
  var string: Token?
  /// The first and the last name.
  private(set) var firstName: Token?
  var name: Token? {
    didSet { if firstName == nil { firstName = name } }
  }
  /// The strings and numbers of the last array.
  var items: [Token] = []
  var properties: PDFDictionary?

  mutating func push(_ value: Double) {
    if count == numbers.count {
      for index in 1..<numbers.count { numbers[index - 1] = numbers[index] }
      count -= 1
    }
    numbers[count] = value
    count += 1
  }

  /// The number at an index of the last `wanted` numbers; 0 where there are fewer.
  subscript(index: Int, of wanted: Int) -> Double {
    let place = count - wanted + index
    return place >= 0 && place < count ? numbers[place] : 0
  }

  func last(_ wanted: Int) -> [Double] { (0..<wanted).map { self[$0, of: wanted] } }

  mutating func clear() {
    count = 0
    string = nil
    name = nil
    firstName = nil
    items.removeAll(keepingCapacity: true)
    properties = nil
  }
}
