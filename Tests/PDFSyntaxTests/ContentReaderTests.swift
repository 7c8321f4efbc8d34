import Testing

@testable import PDFSyntax

@Suite struct ContentReaderTests {
  /// The operators of some content, each with its numbers and its last name.
  private func read(_ text: String) -> [(
    content: ContentOperator, numbers: [Double], name: PDFName?
  )] {
    let bytes = Array(text.utf8)
    var reader = ContentReader(bytes.span)
    var result: [(content: ContentOperator, numbers: [Double], name: PDFName?)] = []
    while let content = reader.next() { result.append((content, reader.allNumbers, reader.name)) }
    return result
  }

  @Test func `operators come with the operands before them`() {
    let all = read("q 1 0 0 1 7.5 -8 cm /F1 12 Tf (a) Tj ] 3 >> 4 w Q")
    #expect(
      all.map(\.content) == [
        .saveState, .concatenateMatrix, .setFont, .showText, .setLineWidth, .restoreState,
      ])
    #expect(all.map(\.numbers) == [[], [1, 0, 0, 1, 7.5, -8], [12], [], [3, 4], []])
    #expect(all[2].name == "F1")
  }

  @Test func `what no operator is ends its operands all the same`() {
    let all = read("1 frobnicate true 2 g 3 BTx 4 G")
    #expect(all.map(\.content) == [.other, .other, .setFillGray, .other, .other])
    #expect(all.map(\.numbers) == [[1], [], [2], [3], [4]])
  }

  @Test func `of many numbers the last are kept`() {
    let all = read((1...40).map(String.init).joined(separator: " ") + " scn")
    #expect(all[0].numbers == (9...40).map(Double.init))
    let bytes = Array("1 2 3 4 5 6 7 cm 1 2 cm".utf8)
    var reader = ContentReader(bytes.span)
    _ = reader.next()
    #expect(reader.matrix == Matrix(2, 3, 4, 5, 6, 7) && reader[1, of: 2] == 7)
    _ = reader.next()
    #expect(reader.matrix == nil && reader[0, of: 4] == 0 && reader[3, of: 4] == 2)
  }

  @Test func `an array without its end stops before the operator`() {
    let bytes = Array("[(a) -5 (b) TJ [(c) ET [1".utf8)
    var reader = ContentReader(bytes.span)
    #expect(reader.next() == .showAdjustedText && reader.items.count == 3)
    #expect(reader.next() == .endText && reader.items.count == 1)
    #expect(reader.next() == nil)
  }

  @Test func `an operator stands where its operands begin`() {
    let bytes = Array("BT (a) Tj ET".utf8)
    var reader = ContentReader(bytes.span)
    _ = reader.next()
    #expect(reader.start == 0 && reader.end == 2)
    _ = reader.next()
    #expect(reader.start == 2 && reader.end == 9)
  }

  @Test func `states beyond the limit are counted`() {
    var states = SavedStates<Int>(limit: 2)
    for value in 1...4 { states.save(value) }
    #expect(states.open == 4)
    var state = 9
    for expected in [9, 9, 2, 1, 1] {
      states.restore(&state)
      #expect(state == expected)
    }
    #expect(states.open == 0 && states.missing == 1)
  }

  @Test func `whatever the bytes, the end is reached`() {
    for byte in UInt8.min...UInt8.max {
      let bytes = [UInt8](repeating: byte, count: 300)
      var reader = ContentReader(bytes.span)
      var count = 0
      while reader.next() != nil { count += 1 }
      #expect(count <= 300)
    }
  }

  @Test func `painting says what an operator does to the path`() {
    let words: [(ContentOperator, closes: Bool, fills: Bool, strokes: Bool, isEvenOdd: Bool)] = [
      (.stroke, false, false, true, false), (.closeAndStroke, true, false, true, false),
      (.fill, false, true, false, false), (.fillObsolete, false, true, false, false),
      (.fillEvenOdd, false, true, false, true), (.fillAndStroke, false, true, true, false),
      (.fillEvenOddAndStroke, false, true, true, true),
      (.closeFillAndStroke, true, true, true, false),
      (.closeFillEvenOddAndStroke, true, true, true, true), (.endPath, false, false, false, false),
    ]
    for word in words {
      let painting = PathPainting(word.0)
      #expect(painting?.closes == word.closes && painting?.fills == word.fills)
      #expect(painting?.strokes == word.strokes && painting?.isEvenOdd == word.isEvenOdd)
    }
    #expect(PathPainting(.moveTo) == nil && PathPainting(.other) == nil)
  }
}
