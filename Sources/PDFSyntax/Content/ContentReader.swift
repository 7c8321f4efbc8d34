/// Reads a content stream operator by operator, each with the operands before it (PDF 32000-1, 7.8.2).
///
/// Never fails: whatever the bytes, it ends after at most one operator a byte. Operands stay the tokens that they are;
/// names and strings are made only where somebody wants them.
public struct ContentReader: ~Copyable, ~Escapable {
  private var lexer: Lexer
  /// The last numbers, by their place modulo ``mostNumbers``.
  @usableFromInline var numbers = [Double](repeating: 0, count: 32)
  /// How many numbers there are.
  public private(set) var count = 0
  /// The last string.
  public private(set) var string: Token?
  private var firstName: Token?
  private var lastName: Token?
  /// The strings and numbers of the last array.
  public private(set) var items: [Token] = []
  /// The last dictionary.
  public private(set) var properties: PDFDictionary?
  /// Where the operands of the operator begin, an offset into the stream: right behind the last
  /// operator.
  public private(set) var start = 0
  /// Where the operator ends, an offset into the stream.
  public private(set) var end = 0

  /// As many as any color has components (Annex C); of more the last are kept.
  @inlinable static var mostNumbers: Int { 32 }

  /// A reader at the beginning of a decoded content stream.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) { lexer = Lexer(bytes) }

  /// The next operator, or nil at the end.
  @_lifetime(self: copy self)
  public mutating func next() -> ContentOperator? {
    clear()
    start = lexer.position
    while true {
      let token = lexer.next()
      switch token.kind {
      case .end: return nil
      case .integer, .real:
        numbers[count & (Self.mostNumbers - 1)] = token.real
        count += 1
      case .literalString, .hexadecimalString: string = token
      case .name:
        if firstName == nil { firstName = token }
        lastName = token
      case .arrayOpen: readArray()
      case .dictionaryOpen:
        var parser = ObjectParser(lexer.bytes, at: lexer.position, references: false)
        properties = parser.object(from: token)?.dictionary
        lexer.position = parser.lexer.position
      case .arrayClose, .dictionaryClose: break
      case .keyword:
        end = token.end
        return ContentOperator(rawValue: token.word) ?? .other
      }
    }
  }

  @inline(__always)
  private mutating func clear() {
    count = 0
    string = nil
    firstName = nil
    lastName = nil
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if properties != nil { properties = nil }
  }

  @_lifetime(self: copy self)
  private mutating func readArray() {
    items.removeAll(keepingCapacity: true)
    while true {
      let before = lexer.position
      let item = lexer.next()
      switch item.kind {
      case .end, .arrayClose: return
      case .integer, .real, .literalString, .hexadecimalString: items.append(item)
      case .keyword where item.isKeyword("TJ") || item.isKeyword("ET"):
        // The bracket is missing: these are no operands.
        lexer.position = before
        return
      default: break
      }
    }
  }

  // MARK: Operands

  /// The number at an index of the last `wanted` numbers; 0 where there are fewer.
  @inlinable
  public subscript(index: Int, of wanted: Int) -> Double {
    let place = count - wanted + index
    return place >= 0 && place < count && count - place <= Self.mostNumbers
      ? numbers[place & (Self.mostNumbers - 1)] : 0
  }

  /// All numbers.
  public var allNumbers: [Double] {
    let kept = min(count, Self.mostNumbers)
    return (0..<kept).map { self[$0, of: kept] }
  }

  /// The last six numbers as a matrix; nil where there are fewer.
  @inlinable
  public var matrix: Matrix? {
    guard count >= 6 else { return nil }
    let matrix = Matrix(
      self[0, of: 6], self[1, of: 6], self[2, of: 6], self[3, of: 6], self[4, of: 6], self[5, of: 6]
    )
    return matrix.isFinite ? matrix : .identity
  }

  /// The last name.
  public var name: PDFName? { lastName.map { lexer.name($0) } }

  /// Appends the bytes of a string among the operands.
  public func appendString(_ token: Token, to result: inout [UInt8]) {
    lexer.appendString(token, to: &result)
  }

  /// The tag of marked content and its properties: a dictionary, or the entry of the resources that is named (14.6.2).
  public func markedContent(
    _ resources: PDFDictionary, _ file: PDFFile
  ) -> (tag: PDFName?, properties: PDFObject?) {
    let tag = firstName.map { lexer.name($0) }
    if let properties { return (tag, .dictionary(properties)) }
    guard let lastName, lastName.start != firstName?.start,
      let list = file.dictionary(resources, "Properties")
    else { return (tag, nil) }
    return (tag, list[lexer.name(lastName)])
  }

  /// Reads on behind `BI` to the end of the inline image.
  ///
  /// - Parameter components: how many a color space has, see ``InlineImage/read(_:components:)``.
  /// - Returns: its dictionary and its bytes, still encoded; nil where there is none.
  @_lifetime(self: copy self)
  public mutating func inlineImage(components: (PDFObject) -> Int? = { _ in nil }) -> InlineImage? {
    InlineImage.read(&lexer, components: components)
  }
}

/// The graphics states that a content stream has saved (PDF 32000-1, 8.4.2).
@frozen public struct SavedStates<State> {
  @usableFromInline var states: [State] = []
  @usableFromInline let limit: Int
  /// States beyond the limit, which are counted and not kept.
  @usableFromInline var uncounted = 0
  /// How many were restored without having been saved.
  public var missing = 0
  /// How many are saved and not restored.
  @inlinable public var open: Int { states.count + uncounted }

  /// No states, and how many are kept.
  @inlinable public init(limit: Int) { self.limit = limit }

  /// Saves a state.
  @inlinable public mutating func save(_ state: State) {
    if states.count < limit { states.append(state) } else { uncounted += 1 }
  }

  /// Puts the state that was saved last in the place of one; where none was, it stays.
  @inlinable public mutating func restore(_ state: inout State) {
    if uncounted > 0 {
      uncounted -= 1
    } else if let last = states.popLast() {
      state = last
    } else {
      missing += 1
    }
  }
}
