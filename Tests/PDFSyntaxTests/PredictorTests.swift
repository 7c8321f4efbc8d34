import Testing

@testable import PDFSyntax

/// The predictors of PDF 32000-1, 7.4.4.4 undone, row by row.
struct PredictorTests {
  private func undo(
    _ bytes: [UInt8], predictor: Int = 15, colors: Int = 1, bits: Int = 8, columns: Int
  ) -> [UInt8] {
    let parameters: PDFDictionary = [
      "Predictor": .integer(predictor), "Colors": .integer(colors),
      "BitsPerComponent": .integer(bits), "Columns": .integer(columns),
    ]
    return Predictor.undo(parameters, FilterResult(bytes: bytes, isComplete: true)).bytes
  }

  // Each test has a plain row first, so that there is a row above.
  @Test(
    arguments: [
      (0, [7, 8, 9], [7, 8, 9]),
      // Sub: the byte to the left.
      (1, [7, 1, 1], [7, 8, 9]),
      // Up: the byte above.
      (2, [1, 2, 3], [11, 22, 33]),
      // Average: half of left and above, rounded down.
      (3, [1, 2, 3], [6, 15, 25]),
      // Paeth: of left, above and above left the one nearest to left + above - above left.
      (4, [1, 2, 3], [11, 22, 33]),
      (4, [246, 1, 0], [0, 11, 20]),
    ] as [(UInt8, [UInt8], [UInt8])])
  func `each PNG predictor has its own rule`(kind: UInt8, row: [UInt8], expected: [UInt8]) {
    #expect(undo([0, 10, 20, 30, kind] + row, columns: 3) == [10, 20, 30] + expected)
  }

  @Test func `Paeth takes the byte to the left where the row above is flat`() {
    #expect(undo([0, 10, 10, 10, 4, 5, 1, 1], columns: 3) == [10, 10, 10, 15, 16, 17])
  }

  @Test func `the byte to the left is that of the same colour`() {
    #expect(undo([1, 1, 2, 3, 10, 10, 10], colors: 3, columns: 2) == [1, 2, 3, 11, 12, 13])
  }

  @Test func `pixels smaller than a byte are predicted byte by byte`() {
    #expect(undo([1, 0x11, 0x01, 0x01], bits: 4, columns: 6) == [0x11, 0x12, 0x13])
  }

  @Test func `sums run over`() {
    #expect(undo([1, 200, 100], columns: 2) == [200, 44])
  }

  @Test func `the last row may be short`() {
    #expect(undo([0, 1, 2, 3, 2, 1], columns: 3) == [1, 2, 3, 2])
    #expect(undo([0, 1, 2, 3, 2], columns: 3) == [1, 2, 3])
  }

  @Test func `rows name their predictor whatever the dictionary says`() {
    for predictor in 10...15 {
      #expect(undo([0, 1, 2, 2, 1, 1], predictor: predictor, columns: 2) == [1, 2, 2, 3])
    }
  }

  @Test(
    arguments: [
      (8, 3, [1, 2, 3, 1, 1, 1], [1, 2, 3, 2, 3, 4]),
      (16, 1, [0, 200, 0, 100, 255, 255], [0, 200, 1, 44, 1, 43]),
      (4, 1, [0x11, 0x1F], [0x12, 0x32]),
      (2, 1, [0b01_01_01_01], [0b01_10_11_00]),
      (1, 1, [0b1000_0001], [0b1111_1110]),
    ] as [(Int, Int, [UInt8], [UInt8])])
  func `TIFF adds the sample to the left in any width`(
    bits: Int, colors: Int, row: [UInt8], expected: [UInt8]
  ) {
    let columns = row.count * 8 / bits / colors
    #expect(
      undo(row + row, predictor: 2, colors: colors, bits: bits, columns: columns)
        == expected + expected)
  }

  @Test func `numbers without sense are brought into bounds`() {
    for wrong in [Int.min, -1, 0, Int.max] {
      let bytes = undo([0, 1, 2], colors: wrong, bits: wrong, columns: wrong)
      #expect(bytes.count <= 3)
      _ = undo([0, 1, 2], predictor: 2, colors: wrong, bits: wrong, columns: wrong)
    }
    #expect(undo([], columns: 5) == [])
  }
}
