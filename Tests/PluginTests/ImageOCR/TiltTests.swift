import PDFSyntax
import PDFWriter
import Testing

@testable import ImageOCR

/// Pages that lie askew by any angle.
@Suite struct TiltTests {
  private static let canRead: Bool =
    LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false

  /// A letter turned clockwise about the middle of a larger picture.
  private func turned(
    _ letter: DrawnPage, by degrees: Double, width: Int, height: Int, ground: UInt8 = 255
  ) -> (page: DrawnPage, toPage: Matrix) {
    let toMiddle = Matrix.translation(
      -Double(letter.width) / 2, -Double(letter.height) / 2)
    let level = Preprocessing.levelling(
      by: degrees * .pi / 180, width: Double(width), height: Double(height))
    let toPage = toMiddle.then(.translation(Double(width) / 2, Double(height) / 2)).then(level)
    var page = DrawnPage(width: width, height: height)
    for index in page.grey.indices { page.grey[index] = ground }
    // Four places a pixel of the letter, so that none of the page is left out.
    for y in 0..<letter.height * 2 {
      for x in 0..<letter.width * 2 {
        let place = toPage.apply(Double(x) / 2, Double(y) / 2)
        let (column, row) = (Int(place.x), Int(place.y))
        guard place.x >= 0, place.y >= 0, column < width, row < height else { continue }
        page.grey[row * width + column] = letter.grey[y / 2 * letter.width + x / 2]
      }
    }
    return (page, toPage)
  }

  @Test(
    .enabled(if: canRead),
    arguments: [
      -43.0, -30, -12, 5, 20, 37, 45, 48, 60, 78, 97, 110, 135, 150, 175, 205, 220, 255, 283, 300,
    ])
  func `a letter that lies askew is read, its words where they are seen`(degrees: Double) throws {
    let (page, toPage) = turned(.letter, by: degrees, width: 1600, height: 1600)
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(page.decoded().pixels, resolution: 150)
    let turned = reading.angle * 180 / .pi + 90 * Double(reading.quarters)
    #expect((turned + degrees).remainder(dividingBy: 360).magnitude < 0.3)
    let words = reading.page.lines.flatMap(\.words)
    #expect(Set(words.map(\.text)).isSuperset(of: ["THE", "OPENED", "LETTER", "CHART"]))
    let word = try #require(words.first { $0.text == "OPENED" })
    // Drawn as the last of the words THE LAND OPENED, six dots a letter.
    let middle = toPage.apply(100 + 12 * 36 - 3, 100 + 21)
    let seen = reading.transform.apply(middle.x, middle.y)
    #expect(abs((word.box.left + word.box.right) / 2 - seen.x) < 10)
    #expect(abs((word.box.top + word.box.bottom) / 2 - seen.y) < 8)
  }

  @Test func `a picture grows by what its lines need when they are made level`() throws {
    let (page, _) = turned(.letter, by: -40, width: 900, height: 1260)
    let decoded = try page.decoded()
    let found = Tilt.find(in: decoded.pixels)
    let tilt = try #require(found)
    #expect((tilt.angle * 180 / .pi - 40).magnitude < 0.3)
    #expect(tilt.margin.x > 0)
    guard let level = Preprocessing.levelled(decoded.pixels, by: tilt) else {
      throw DrawnPage.NotDecoded()
    }
    #expect(level.width == page.width + 2 * tilt.margin.x)
    #expect(level.height == page.height + 2 * tilt.margin.y)
  }

  @Test(.enabled(if: canRead))
  func `a sheet askew on a dark ground that reaches beyond the picture is read`() throws {
    let (page, _) = turned(.letter, by: 12, width: 1240, height: 1100, ground: 40)
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(page.decoded().pixels, resolution: 150)
    let words = reading.page.lines.flatMap(\.words).map(\.text)
    #expect(Set(words).isSuperset(of: ["OPENED", "LETTER", "DATA", "CHART"]))
  }

  @Test(arguments: [-70.0, 55, 100, 135]) func `lines that run down are told from level ones`(
    degrees: Double
  ) throws {
    let (page, _) = turned(.letter, by: degrees, width: 1600, height: 1600)
    let tilt = try #require(Tilt.ofPage(in: try page.decoded().pixels))
    #expect(tilt.runsDown == (degrees != 135))
    #expect((tilt.angle * 180 / .pi + degrees).remainder(dividingBy: 90).magnitude < 0.3)
    #expect(tilt.turned(1).runsDown != tilt.runsDown)
  }

  @Test(arguments: [-30.0, 65]) func `a single line on a large page shows its tilt`(
    degrees: Double
  ) throws {
    var line = DrawnPage(width: 700, height: 60)
    line.write("THE LAND OPENED A CHART", x: 40, y: 16, dot: 4)
    let (page, _) = turned(line, by: degrees, width: 2400, height: 2400)
    let tilt = try #require(Tilt.ofPage(in: try page.decoded().pixels))
    #expect((tilt.angle * 180 / .pi + degrees).remainder(dividingBy: 90).magnitude < 0.3)
    #expect(tilt.runsDown == (degrees == 65))
  }

  private func tilt(of page: DrawnPage) throws -> Tilt? { Tilt.find(in: try page.decoded().pixels) }

  @Test func `level lines, dirt and what stands in no lines have no tilt`() throws {
    #expect(try tilt(of: DrawnPage.letter) == nil)
    #expect(Tilt.ofPage(in: try DrawnPage.letter.decoded().pixels) == Tilt())
    var dirt = DrawnPage(width: 1000, height: 1000)
    var state: UInt32 = 7
    for _ in 0..<4000 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let place = Int(state >> 8) % (998 * 998)
      let (x, y) = (place % 998, place / 998)
      for part in 0..<4 { dirt.grey[(y + part / 2) * 1000 + x + part % 2] = 0 }
    }
    #expect(try tilt(of: dirt) == nil)
    #expect(Tilt.ofPage(in: try dirt.decoded().pixels) == nil)
    var rings = DrawnPage(width: 1000, height: 1000)
    for y in 0..<1000 {
      for x in 0..<1000 {
        let (a, b) = (Double(x) - 500, Double(y) - 500)
        let radius = (a * a + b * b).squareRoot()
        if radius < 480, radius.truncatingRemainder(dividingBy: 40) < 6 {
          rings.grey[y * 1000 + x] = 0
        }
      }
    }
    #expect(try tilt(of: rings) == nil)
  }
}
