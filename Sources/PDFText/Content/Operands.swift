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

  /// The last six numbers as a matrix; nil where there are fewer.
  var matrix: Matrix? {
    guard count >= 6 else { return nil }
    let n = count - 6
    let matrix = Matrix(
      numbers[n], numbers[n + 1], numbers[n + 2], numbers[n + 3], numbers[n + 4], numbers[n + 5])
    return matrix.isFinite ? matrix : .identity
  }

  mutating func clear() {
    count = 0
    string = nil
    name = nil
    firstName = nil
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if properties != nil { properties = nil }
  }
}
