import Bytes
import Foundation
import Glibc
import PDFSyntax
import PDFText
import PDFWriter
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

@Suite struct PhotoTests {
  /// Corners of a sheet seen aslant, clockwise from the top left.
  private static let corners = [
    PixelPoint(x: 60, y: 50), PixelPoint(x: 420, y: 30), PixelPoint(x: 405, y: 330),
    PixelPoint(x: 80, y: 318),
  ]

  /// A light quadrilateral on darker ground that gets lighter to the right.
  private func photo(
    _ corners: [PixelPoint], width: Int = 480, height: Int = 360, paper: Int = 220
  ) -> [UInt8] {
    var grey: [UInt8] = []
    grey.reserveCapacity(width * height)
    for y in 0..<height {
      // Between what is right of the sides that run up and left of those that run down.
      var (left, right) = (-Double.infinity, Double.infinity)
      for index in corners.indices {
        let start = corners[index], run = corners[(index + 1) % 4] - corners[index]
        let x = start.x + run.x * (Double(y) + 0.5 - start.y) / run.y
        if run.y < 0 { left = max(left, x) } else { right = min(right, x) }
      }
      for x in 0..<width {
        let isInside = left < Double(x) + 0.5 && Double(x) + 0.5 < right
        grey.append(UInt8((isInside ? paper : 60) + 30 * x / width))
      }
    }
    return grey
  }

  /// The corners of a sheet that a camera sees in the middle of its photo.
  ///
  /// - Parameters:
  ///   - width: of the sheet, as wide as it would be seen untilted, in pixels.
  ///   - turned: clockwise on the table, in degrees.
  ///   - tilted: about an axis across and one upright, in degrees.
  ///   - focal: the focal length in diagonals of the photo.
  ///   - beside: how far right of the middle it lies, in pixels.
  private static func seen(
    width: Double, height: Double, turned: Double = 0, tilted: (Double, Double) = (0, 0),
    focal: Double = 0.6, beside: Double = 0, photo: (width: Double, height: Double)
  ) -> [PixelPoint] {
    let length = focal * (photo.width * photo.width + photo.height * photo.height).squareRoot()
    let (turn, across, up) = (turned * .pi / 180, tilted.0 * .pi / 180, tilted.1 * .pi / 180)
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { place in
      let (x, y) = (place.0 * width, place.1 * height)
      let (right, down) = (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
      let depth = down * sin(across)
      let (side, back) = (
        right * cos(up) + depth * sin(up), depth * cos(up) - right * sin(up) + length
      )
      return PixelPoint(
        x: photo.width / 2 + length * (side + beside) / back,
        y: photo.height / 2 + length * down * cos(across) / back)
    }
  }

  /// A photo of a letter that lies aslant on a dark table, and where its places are seen.
  private static func photographed(
    _ letter: DrawnPage,
    _ corners: [PixelPoint] = [(150.0, 90.0), (1300, 160), (1270, 960), (110, 1010)]
      .map { PixelPoint(x: $0.0, y: $0.1) },
    width: Int = 1400, height: Int = 1100
  ) throws -> (photo: DrawnPage, toPhoto: Projection) {
    let toPhoto = try #require(
      Projection(width: Double(letter.width), height: Double(letter.height), to: corners))
    var photo = DrawnPage(width: width, height: height)
    for index in photo.grey.indices { photo.grey[index] = 50 }
    // Four places a pixel of the letter, so that none of the photo is left out.
    for y in 0..<letter.height * 2 {
      for x in 0..<letter.width * 2 {
        let place = toPhoto.apply(PixelPoint(x: Double(x) / 2, y: Double(y) / 2))
        photo.grey[Int(place.y) * photo.width + Int(place.x)] = min(
          225, letter.grey[y / 2 * letter.width + x / 2])
      }
    }
    return (photo, toPhoto)
  }

  @Test func `a projection leads to the corners it was made of`() throws {
    let map = try #require(Projection(width: 200, height: 100, to: Self.corners))
    let places = [(0.0, 0.0), (200, 0), (200, 100), (0, 100)].map {
      map.apply(PixelPoint(x: $0.0, y: $0.1))
    }
    for (place, corner) in zip(places, Self.corners) {
      #expect(abs(place.x - corner.x) < 1e-6 && abs(place.y - corner.y) < 1e-6)
    }
    #expect(Projection(width: 9, height: 9, to: [Self.corners[0], Self.corners[1]]) == nil)
    let flat = [0.0, 1, 2, 3].map { PixelPoint(x: $0, y: $0) }
    #expect(Projection(width: 9, height: 9, to: flat) == nil)
  }

  @Test func `between pixels a projection leads from middle to middle`() throws {
    let map = try #require(Projection(width: 200, height: 100, to: Self.corners))
    let between = map.betweenPixels.map(Double.init)
    for (column, row) in [(0.0, 0.0), (150, 20), (199, 99)] {
      let place = map.apply(PixelPoint(x: column + 0.5, y: row + 0.5))
      let scale = between[6] * column + between[7] * row + 1
      let x = (between[0] * column + between[1] * row + between[2]) / scale
      let y = (between[3] * column + between[4] * row + between[5]) / scale
      #expect(abs(x - place.x + 0.5) < 1e-2 && abs(y - place.y + 0.5) < 1e-2)
    }
  }

  @Test func `the corners of a sheet on darker ground are found`() throws {
    let picture = try #require(
      SheetPicture(width: 480, height: 360, grey: photo(Self.corners)))
    let found = try #require(picture.outline())
    for (place, corner) in zip(found, Self.corners) {
      #expect(abs(place.x - corner.x) < 2.5 && abs(place.y - corner.y) < 2.5)
    }
    let middle = PixelPoint(x: 240, y: 180)
    #expect(SheetOutline(corners: found, middle: middle).isAslant)
    let straight = SheetOutline(
      corners: [(50.0, 50.0), (400, 50), (400, 300), (50, 300)].map {
        PixelPoint(x: $0.0, y: $0.1)
      },
      middle: middle)
    #expect(!straight.isAslant)
  }

  @Test(arguments: [22.0, 25, 30, 45, 60, 75, 90, 110, 135, 150, 180, 205, 330])
  func `a sheet is found however it is turned, its first side the upper one`(degrees: Double) throws
  {
    let corners = Self.seen(
      width: 170, height: 240, turned: degrees, tilted: (12, -8), photo: (480, 360))
    let picture = try #require(SheetPicture(width: 480, height: 360, grey: photo(corners)))
    let found = try #require(picture.outline())
    for place in found {
      #expect(corners.contains { hypot($0.x - place.x, $0.y - place.y) < 4 }, "\(place)")
    }
    let run = found[1] - found[0], down = found[3] - found[0]
    #expect(run.x > run.y.magnitude && run.x * down.y > run.y * down.x)
  }

  @Test(arguments: [(35.0, 25.0), (25, 35), (-35, 25), (40, 10), (-40, 30)])
  func `a sheet seen very much aslant is found however it is turned`(tilted: (Double, Double))
    throws
  {
    for degrees in stride(from: 5.0, to: 360, by: 15) {
      let corners = Self.seen(
        width: 175, height: 247, turned: degrees, tilted: tilted, photo: (480, 360))
      let picture = try #require(SheetPicture(width: 480, height: 360, grey: photo(corners)))
      let found = try #require(picture.outline(), "\(degrees)")
      for place in found {
        #expect(
          corners.contains { hypot($0.x - place.x, $0.y - place.y) < 4 }, "\(degrees) \(place)")
      }
    }
  }

  /// How much longer than wide the sheet is that is cut out of a photo of 1440 by 1080 pixels; nil where none is found.
  private func cutProportion(_ corners: [PixelPoint]) throws -> Double? {
    var page = DrawnPage(width: 1440, height: 1080)
    page.grey = photo(corners, width: page.width, height: page.height)
    let decoded = try page.decoded()
    guard let sheet = SheetOutline.find(in: decoded.pixels)?.cut(from: decoded.pixels) else {
      return nil
    }
    let sides = [Double(sheet.width), Double(sheet.height)]
    return max(sides[0], sides[1]) / min(sides[0], sides[1])
  }

  @Test(arguments: [
    (1.0, (3.0, 2.0)), (5, (35, 25)), (95, (35, 25)), (170, (30, 10)), (20, (25, -25)),
  ])
  func `what is cut out of a photo has the sheet's proportion`(
    degrees: Double, tilted: (Double, Double)
  ) throws {
    for (proportion, most) in [(Double(2).squareRoot(), 0.002), (1.5, 0.006), (1.1, 0.006)] {
      let corners = Self.seen(
        width: 720 / proportion, height: 720, turned: degrees, tilted: tilted, focal: 0.62,
        photo: (1440, 1080))
      let found = try #require(try cutProportion(corners))
      #expect((found / proportion - 1).magnitude < most, "\(proportion) \(found)")
    }
  }

  @Test func `what lies straight in a photo is cut out along its edges`() throws {
    for height in [706.0, 708, 710, 712] {
      for (across, down) in [(500, height), (height, 500)] {
        let corners = Self.seen(width: across, height: down, photo: (1440, 1080))
        let found = try #require(try cutProportion(corners))
        #expect((found * 500 / height - 1).magnitude < 0.0025, "\(across) \(down) \(found)")
      }
    }
  }

  @Test func `proportions are those of the sheet, not those in the photo`() {
    func height(
      _ proportion: Double, _ tilted: (Double, Double), turned: Double = 3, focal: Double = 0.6,
      leftOut: Double = 0
    ) -> Double {
      let corners = Self.seen(
        width: 1600, height: 1600 * proportion, turned: turned, tilted: tilted, focal: focal,
        photo: (3000, 4000)
      ).map { PixelPoint(x: $0.x - leftOut, y: $0.y) }
      return SheetProportion.height(
        of: corners, middle: PixelPoint(x: 1500 - leftOut / 2, y: 2000))
    }
    let a4 = Double(2).squareRoot()
    for tilted in [(0.0, 0.0), (10, 0), (18, 8), (30, 0), (-30, 0), (0, 20), (20, -15)] {
      for turned in [0.0, 3, 30, 60] {
        #expect((height(a4, tilted, turned: turned) - a4).magnitude < 0.001, "\(tilted) \(turned)")
      }
      #expect((height(1 / a4, tilted) - 1 / a4).magnitude < 0.001, "\(tilted)")
      #expect((height(11 / 8.5, tilted) - 11 / 8.5).magnitude < 0.001, "\(tilted)")
      #expect((height(1, tilted) - 1).magnitude < 0.02, "\(tilted)")
    }
    // Another focal length is found where the sides are no parallels in the photo.
    #expect((height(a4, (20, -20), turned: 20, focal: 1.2) - a4).magnitude < 0.001)
    // A part that was cut off moves the middle. What is told then is no worse than what the photo shows.
    #expect((height(a4, (18, 8), leftOut: 400) - a4).magnitude < 0.1)
    #expect((height(a4, (18, 8), leftOut: 1500) - a4).magnitude < 0.2)
    // Corners that no camera sees so in the middle of a photo say little of the focal length.
    let drawn = [(520.0, 420.0), (2500, 620), (2650, 3500), (300, 3300)]
    let odd = SheetProportion.height(
      of: drawn.map { PixelPoint(x: $0.0, y: $0.1) }, middle: PixelPoint(x: 1500, y: 2000))
    #expect((1.3...1.42).contains(odd), "\(odd)")
    let line = [0.0, 1, 2, 3].map { PixelPoint(x: $0, y: $0) }
    #expect(SheetProportion.height(of: line, middle: line[2]).isFinite)
  }

  @Test func `no sheet is found where there is none, or not all of it`() {
    func outline(_ grey: [UInt8]) -> [PixelPoint]? {
      SheetPicture(width: 480, height: 360, grey: grey)?.outline()
    }
    #expect(outline([UInt8](repeating: 255, count: 480 * 360)) == nil)
    // A scan whose text is dark.
    var scan = [UInt8](repeating: 250, count: 480 * 360)
    for y in stride(from: 40, to: 320, by: 12) {
      for x in 60..<400 where x % 5 < 3 { scan[y * 480 + x] = 10 }
    }
    #expect(outline(scan) == nil)
    // A sheet that leaves the picture, a round light, and paper hardly lighter than the ground.
    let beyond = Self.corners.map { PixelPoint(x: $0.x - 90, y: $0.y) }
    #expect(outline(photo(beyond)) == nil)
    var round = [UInt8](repeating: 40, count: 480 * 360)
    for y in 0..<360 {
      for x in 0..<480 where (x - 240) * (x - 240) + (y - 180) * (y - 180) < 150 * 150 {
        round[y * 480 + x] = 230
      }
    }
    #expect(outline(round) == nil)
    #expect(outline(photo(Self.corners, paper: 75)) == nil)
  }

  @Test func `a photo of a page is as large as the page in it says`() {
    func resolution(_ text: Double?, _ width: Double, _ height: Double) -> Double {
      var resolution = PageResolution(stated: nil, width: 2000, height: 2800)
      resolution.refine(text: text, sheetWidth: width, sheetHeight: height)
      return resolution.x
    }
    #expect(abs(resolution(30, 1654, 2339) - 200) < 1)
    #expect(abs(resolution(30, 1700, 2200) - 200) < 1)
    #expect(abs(resolution(nil, 1654, 2339) - 200) < 1)
    // Letters this large are those of a receipt, 80 mm wide.
    #expect(abs(resolution(70, 1575, 2230) - 500) < 1)
    #expect(abs(resolution(28, 630, 2339) - 200) < 1)
    var stated = PageResolution(stated: .init(x: 150, y: 150), width: 2000, height: 2800)
    stated.refine(text: 30, sheetWidth: 1654, sheetHeight: 2339)
    #expect(stated.x == 150)
  }

  @Test func `words of a slanted line stand level at heights of their own`() {
    func layer(isLevel: Bool) -> TextLayer {
      let boxes = [(0.0, 40.0, 20.0), (50, 90, 22), (100, 140, 24)].map {
        PixelBox(left: $0.0, top: $0.2 - 20, right: $0.1, bottom: $0.2)
      }
      var line = RecognizedPage.Line(
        words: boxes.map { RecognizedPage.Word(text: "word", box: $0, confidence: 90) },
        box: PixelBox(left: 0, top: 2, right: 140, bottom: 22),
        baseline: .init(from: .init(x: 0, y: 19), to: .init(x: 140, y: 26)), rowHeight: 20,
        startsParagraph: true)
      line.isLevel = isLevel
      var page = RecognizedPage()
      page.lines = [line]
      return PageText.layer(page, toPage: Matrix(1, 0, 0, -1, 0, 100))
    }
    #expect(layer(isLevel: true).lines.map(\.words.count) == [3])
    let pieces = layer(isLevel: false).lines
    #expect(pieces.map(\.words.count) == [1, 1, 1])
    for (piece, (x, y)) in zip(pieces, [(0.0, 80.0), (50, 77.5), (100, 75)]) {
      #expect(abs(piece.placement.e - x) < 0.01 && abs(piece.placement.f - y) < 0.01)
      #expect(piece.placement.b == 0)
    }
  }

  @Test func `faint ink is made black and noise is not`() throws {
    func range(_ grey: [UInt8]) throws -> (dark: UInt8, light: UInt8)? {
      var page = DrawnPage(width: 200, height: 200)
      page.grey = grey
      let decoded = try page.decoded()
      guard let strong = Preprocessing.strengthened(decoded.pixels) else { return nil }
      let values = strong.samples()
      return (values.min() ?? 0, values.max() ?? 0)
    }
    var faint = [UInt8](repeating: 220, count: 40_000)
    for index in faint.indices where index / 200 % 40 < 10 { faint[index] = 160 }
    let found = try #require(try range(faint))
    #expect(found.dark == 0 && found.light == 255)
    #expect(try range((0..<40_000).map { UInt8(210 + $0 * 7 % 11) }) == nil)
  }

  @Test(.enabled(if: OCRRun.isPossible, "SKIPPED: tesseract-ocr-eng is not installed"))
  func `a sheet that lies across is read whole, its words where they are seen`() throws {
    let letter = DrawnPage.letter
    let corners = Self.seen(
      width: 880, height: 639, turned: 60, tilted: (10, 8), beside: 440, photo: (2100, 1250))
    let (photo, toPhoto) = try Self.photographed(letter, corners, width: 2100, height: 1250)
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(photo.decoded().pixels, resolution: 150)
    #expect(reading.sheet != nil && reading.margin.x > 0)
    for corner in corners {
      let place = reading.transform.apply(corner.x, corner.y)
      // The outline found is a little inside the sheet.
      #expect((-8...Double(reading.width + 8)).contains(place.x), "\(place)")
      #expect((-8...Double(reading.height + 8)).contains(place.y), "\(place)")
    }
    let words = reading.page.lines.flatMap(\.words)
    let word = try #require(words.first { $0.text == "OPENED" })
    let middle = toPhoto.apply(PixelPoint(x: 100 + 12 * 36 - 3, y: 100 + 21))
    let seen = reading.transform.apply(middle.x, middle.y)
    #expect(abs((word.box.left + word.box.right) / 2 - seen.x) < 10)
    #expect(abs((word.box.top + word.box.bottom) / 2 - seen.y) < 8)
    let cut = try OCRRun(
      photo.portableGreyMap, options: ["languages": ["eng"], "crop": "sheet"])
    let shown = try #require(try RenderedPage.composed(cut.pdf))
    let proportion = Double(shown.width) / Double(shown.height)
    #expect((max(proportion, 1 / proportion) - 1240.0 / 900).magnitude < 0.03, "\(proportion)")
    #expect(try ScannedPage.words(cut.pdf).contains("OPENED"))
  }

  /// The drawn letter on a sheet that lies aslant on a dark table.
  @Test(
    .enabled(if: LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false))
  func `a letter photographed aslant is read, its words where they are seen`() throws {
    let letter = DrawnPage.letter
    let (photo, toPhoto) = try Self.photographed(letter)
    let reading = try PageReader(recognizers: Recognizers(.named(["eng"])))
      .read(photo.decoded().pixels, resolution: 150)
    #expect(reading.sheet != nil && (reading.width, reading.height) == (1400, 1100))
    let words = reading.page.lines.flatMap(\.words)
    #expect(words.map(\.text).contains("LETTER"))
    let word = try #require(words.first { $0.text == "OPENED" })
    // Drawn as the last of the words THE LAND OPENED, six dots a letter.
    let middle = toPhoto.apply(PixelPoint(x: 100 + 12 * 36 - 3, y: 100 + 21))
    let seen = reading.transform.apply(middle.x, middle.y)
    #expect(abs((word.box.left + word.box.right) / 2 - seen.x) < 8)
    #expect(abs((word.box.top + word.box.bottom) / 2 - seen.y) < 6)
  }

  @Test(.enabled(if: OCRRun.isPossible, "SKIPPED: tesseract-ocr-eng is not installed"))
  func `of a photo the sheet alone is kept where that is wanted`() throws {
    let page = DrawnPage.letter
    let photo = try Self.photographed(page).photo.portableGreyMap
    let options: JSON = ["languages": ["eng"], "crop": "sheet"]
    let whole = try OCRRun(photo, options: ["languages": ["eng"]])
    let sheet = try OCRRun(photo, options: options)
    #expect(whole.output.facts["pagesCropped"] == 0)
    #expect(sheet.output.facts["pagesCropped"] == 1)
    #expect(try ScannedPage.words(sheet.pdf) == ScannedPage.words(whole.pdf))
    let shown = try #require(try RenderedPage.composed(sheet.pdf))
    // As high as the longer one of its sides in the photo, and as wide for that as the letter is.
    let proportion = Double(shown.width) / Double(shown.height)
    #expect(
      abs(shown.height - 921) < 10 && abs(proportion - 1240.0 / 900) < 0.02,
      "\(shown.width) \(shown.height)")
    // Nothing of the table is left, but for a rim.
    let dark = shown.grey.indices.count {
      let (x, y) = ($0 % shown.width, $0 / shown.width)
      let isRim = min(x, shown.width - 1 - x, y, shown.height - 1 - y) < 4
      return !isRim && (40...60).contains(shown.grey[$0])
    }
    #expect(dark < shown.grey.count / 200, "\(dark)")
    // What is no photo of a sheet stays as it is.
    let scan = try OCRRun(page.portableGreyMap, options: options)
    #expect(scan.output.facts["pagesCropped"] == 0)
    #expect(scan.notes.contains { $0.contains("No sheet of paper was found in the picture") })
    #expect(!sheet.notes.contains { $0.contains("No sheet of paper") })
    #expect(scan.pdf == (try OCRRun(page.portableGreyMap, options: ["languages": ["eng"]])).pdf)
    let asked = try OCRRun(
      page.portableGreyMap, options: ["languages": ["eng"], "crop": "sheet?"])
    #expect(!asked.notes.contains { $0.contains("No sheet of paper") } && asked.pdf == scan.pdf)
  }

  /// Its longer side is halved to just over half of what is looked at, where its letters are five pixels high.
  @Test(.enabled(if: OCRRun.isPossible, "SKIPPED: tesseract-ocr-eng is not installed"))
  func `the letter among the samples is leveled, and has the size of a page`() throws {
    let path = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let run = try OCRRun(Array(Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(run.output.facts["pagesLevelled"] == 1, "\(run.output.facts)")
    #expect(run.output.facts["dpi"] == 300)
  }

  @Test(.enabled(if: OCRRun.isPossible, "SKIPPED: tesseract-ocr-eng is not installed"))
  func `what a command reads of a photo is its sheet`() throws {
    let folder = TemporaryFolder()
    try folder.write(
      #"{ "version": 1, "plugins": ["plugins"], "pipelines": [] }"#, to: "pipelines.json")
    try folder.write(
      """
      { "name": "shell", "version": "1", "command": ["./program"], "steps": {},
        "commands": { "given": { "reads": "all", "writes": ["-o"], "recognizes": true } } }
      """, to: "plugins/shell/plugin.json")
    try folder.write(
      "#!/bin/sh\ntest -n \"$PROCD_RECOGNIZED\" || exit 79\ncp \"$1\" \"$3\"\n",
      to: "plugins/shell/program")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder("plugins/shell/program").string)
    let photo = try Self.photographed(DrawnPage.letter).photo
    try folder.write(Data(photo.portableGreyMap), to: "photo.pgm")
    try folder.write(Data(DrawnPage.letter.portableGreyMap), to: "scan.pgm")
    func given(_ name: String) throws -> (shown: RenderedPage, errors: String) {
      let run = try Programs.run(
        "procd", ["given", "\(name).pgm", "-o", "\(name).pdf"], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      let pdf = try #require(folder.read("\(name).pdf"))
      return (try #require(try RenderedPage.composed(Array(pdf))), run.errors)
    }
    let sheet = try given("photo").shown
    #expect(abs(Double(sheet.width) / Double(sheet.height) - 1240.0 / 900) < 0.02)
    #expect(sheet.width < photo.width)
    let scan = try given("scan")
    #expect(scan.shown.width == DrawnPage.letter.width)
    #expect(!scan.errors.contains("No sheet of paper"), "\(scan.errors)")
  }
}
