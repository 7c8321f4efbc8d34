/// The standard Huffman tables of JBIG2 (ITU-T T.88, B.5).
enum StandardHuffmanTables {
  private typealias Line = HuffmanTable.Line

  private static func range(_ prefix: Int, _ range: Int, _ low: Int) -> Line {
    Line(prefixLength: prefix, rangeLength: range, low: low)
  }

  private static func lower(_ prefix: Int, _ low: Int) -> Line {
    Line(prefixLength: prefix, rangeLength: 32, low: low, kind: .lower)
  }

  private static func outOfBand(_ prefix: Int) -> Line {
    Line(prefixLength: prefix, rangeLength: 0, low: 0, kind: .outOfBand)
  }

  /// B.1 to B.15 in order.
  static let all: [[HuffmanTable.Line]] = [
    [range(1, 4, 0), range(2, 8, 16), range(3, 16, 272), range(3, 32, 65_808)],
    [
      range(1, 0, 0), range(2, 0, 1), range(3, 0, 2), range(4, 3, 3), range(5, 6, 11),
      range(6, 32, 75), outOfBand(6),
    ],
    [
      range(8, 8, -256), range(1, 0, 0), range(2, 0, 1), range(3, 0, 2), range(4, 3, 3),
      range(5, 6, 11), lower(8, -257), range(7, 32, 75), outOfBand(6),
    ],
    [
      range(1, 0, 1), range(2, 0, 2), range(3, 0, 3), range(4, 3, 4), range(5, 6, 12),
      range(5, 32, 76),
    ],
    [
      range(7, 8, -255), range(1, 0, 1), range(2, 0, 2), range(3, 0, 3), range(4, 3, 4),
      range(5, 6, 12), lower(7, -256), range(6, 32, 76),
    ],
    [
      range(5, 10, -2048), range(4, 9, -1024), range(4, 8, -512), range(4, 7, -256),
      range(5, 6, -128), range(5, 5, -64), range(4, 5, -32), range(2, 7, 0), range(3, 7, 128),
      range(3, 8, 256), range(4, 9, 512), range(4, 10, 1024), lower(6, -2049), range(6, 32, 2048),
    ],
    [
      range(4, 9, -1024), range(3, 8, -512), range(4, 7, -256), range(5, 6, -128),
      range(5, 5, -64), range(4, 5, -32), range(4, 5, 0), range(5, 5, 32), range(5, 6, 64),
      range(4, 7, 128), range(3, 8, 256), range(3, 9, 512), range(3, 10, 1024), lower(5, -1025),
      range(5, 32, 2048),
    ],
    [
      range(8, 3, -15), range(9, 1, -7), range(8, 1, -5), range(9, 0, -3), range(7, 0, -2),
      range(4, 0, -1), range(2, 1, 0), range(5, 0, 2), range(6, 0, 3), range(3, 4, 4),
      range(6, 1, 20), range(4, 4, 22), range(4, 5, 38), range(5, 6, 70), range(5, 7, 134),
      range(6, 7, 262), range(7, 8, 390), range(6, 10, 646), lower(9, -16), range(9, 32, 1670),
      outOfBand(2),
    ],
    [
      range(8, 4, -31), range(9, 2, -15), range(8, 2, -11), range(9, 1, -7), range(7, 1, -5),
      range(4, 1, -3), range(3, 1, -1), range(3, 1, 1), range(5, 1, 3), range(6, 1, 5),
      range(3, 5, 7), range(6, 2, 39), range(4, 5, 43), range(4, 6, 75), range(5, 7, 139),
      range(5, 8, 267), range(6, 8, 523), range(7, 9, 779), range(6, 11, 1291), lower(9, -32),
      range(9, 32, 3339), outOfBand(2),
    ],
    [
      range(7, 4, -21), range(8, 0, -5), range(7, 0, -4), range(5, 0, -3), range(2, 2, -2),
      range(5, 0, 2), range(6, 0, 3), range(7, 0, 4), range(8, 0, 5), range(2, 6, 6),
      range(5, 5, 70), range(6, 5, 102), range(6, 6, 134), range(6, 7, 198), range(6, 8, 326),
      range(6, 9, 582), range(6, 10, 1094), range(7, 11, 2118), lower(8, -22),
      range(8, 32, 4166), outOfBand(2),
    ],
    [
      range(1, 0, 1), range(2, 1, 2), range(4, 0, 4), range(4, 1, 5), range(5, 1, 7),
      range(5, 2, 9), range(6, 2, 13), range(7, 2, 17), range(7, 3, 21), range(7, 4, 29),
      range(7, 5, 45), range(7, 6, 77), range(7, 32, 141),
    ],
    [
      range(1, 0, 1), range(2, 0, 2), range(3, 1, 3), range(5, 0, 5), range(5, 1, 6),
      range(6, 1, 8), range(7, 0, 10), range(7, 1, 11), range(7, 2, 13), range(7, 3, 17),
      range(7, 4, 25), range(8, 5, 41), range(8, 32, 73),
    ],
    [
      range(1, 0, 1), range(3, 0, 2), range(4, 0, 3), range(5, 0, 4), range(4, 1, 5),
      range(3, 3, 7), range(6, 1, 15), range(6, 2, 17), range(6, 3, 21), range(6, 4, 29),
      range(6, 5, 45), range(7, 6, 77), range(7, 32, 141),
    ],
    [range(3, 0, -2), range(3, 0, -1), range(1, 0, 0), range(3, 0, 1), range(3, 0, 2)],
    [
      range(7, 4, -24), range(6, 2, -8), range(5, 1, -4), range(4, 0, -2), range(3, 0, -1),
      range(1, 0, 0), range(3, 0, 1), range(4, 0, 2), range(5, 1, 3), range(6, 2, 5),
      range(7, 4, 9), lower(7, -25), range(7, 32, 25),
    ],
  ]
}
