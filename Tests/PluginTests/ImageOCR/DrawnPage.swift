@testable import ImageHeaders
@testable import ImageOCR

/// A page of block letters that a test draws itself, as a PGM file.
struct DrawnPage {
  let width: Int
  let height: Int
  var grey: [UInt8]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    grey = [UInt8](repeating: 255, count: width * height)
  }

  private static let letters: [Character: [String]] = [
    "A": [".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"],
    "C": [".###.", "#...#", "#....", "#....", "#....", "#...#", ".###."],
    "D": ["####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."],
    "E": ["#####", "#....", "#....", "####.", "#....", "#....", "#####"],
    "H": ["#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"],
    "L": ["#....", "#....", "#....", "#....", "#....", "#....", "#####"],
    "N": ["#...#", "##..#", "##..#", "#.#.#", "#..##", "#..##", "#...#"],
    "O": [".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."],
    "P": ["####.", "#...#", "#...#", "####.", "#....", "#....", "#...."],
    "R": ["####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"],
    "T": ["#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."],
  ]

  /// Draws capital letters with the top left corner at a place, each dot a square of `dot` pixels.
  mutating func write(_ text: String, x: Int, y: Int, dot: Int) {
    var left = x
    for character in text {
      defer { left += 6 * dot }
      guard let rows = Self.letters[character] else { continue }
      for (row, dots) in rows.enumerated() {
        for (column, mark) in dots.enumerated() where mark == "#" {
          for dy in 0..<dot {
            for dx in 0..<dot {
              grey[(y + row * dot + dy) * width + left + column * dot + dx] = 0
            }
          }
        }
      }
    }
  }

  /// Turned by quarters clockwise.
  func turned(_ quarters: Int) -> DrawnPage {
    guard quarters > 0 else { return self }
    var result = DrawnPage(width: height, height: width)
    for y in 0..<height {
      for x in 0..<width { result.grey[x * height + height - 1 - y] = grey[y * width + x] }
    }
    return result.turned(quarters - 1)
  }

  var portableGreyMap: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + grey }

  struct NotDecoded: Error {}

  func decoded() throws -> PixelDecoder.Decoded {
    guard
      let decoded = PixelDecoder.decode(
        portableGreyMap.span, format: .pnm, page: .init(width: width, height: height))
    else { throw NotDecoded() }
    return decoded
  }

  /// Some lines of words.
  static let letter: DrawnPage = {
    var page = DrawnPage(width: 1240, height: 900)
    for (index, line) in [
      "THE LAND OPENED", "A LETTER TO THE COLD", "NOTE THE DATA CHART", "ROAD TO HELL AND DOOR",
    ].enumerated() {
      page.write(line, x: 100, y: 100 + index * 120, dot: 6)
    }
    return page
  }()
}
