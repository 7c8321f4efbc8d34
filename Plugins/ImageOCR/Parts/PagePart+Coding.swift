internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

// A part on its way from the run of a page to the run that joins: a line with the page's number, a line
// of JSON, then the bytes of the palette and of the picture. Both runs are of the same program, so the form has no version.
extension PagePart {
  /// The media type of parts.
  static let mime = "application/octet-stream"

  /// The part as bytes.
  var encoded: [UInt8] {
    let head = Array("\(number)\n".utf8)
    guard let recognized else { return head }
    let reading = recognized.reading
    var palette: [UInt8] = []
    var picture: [UInt8] = []
    let json: JSON = [
      "quarters": .integer(reading.quarters),
      "angle": .number(reading.angle),
      "margin": .array([.integer(reading.margin.x), .integer(reading.margin.y)]),
      "size": .array([.integer(reading.width), .integer(reading.height)]),
      "stored": .array([.integer(recognized.storedWidth), .integer(recognized.storedHeight)]),
      "resolution": .array([.number(recognized.resolution.x), .number(recognized.resolution.y)]),
      "guessed": .bool(recognized.resolution.isGuessed),
      "damaged": .bool(recognized.isDamaged),
      "placement": recognized.placement.map {
        .array([$0.a, $0.b, $0.c, $0.d, $0.e, $0.f].map { .number($0) })
      },
      "replaces": recognized.replaces.map { .integer($0) },
      "sideways": .number(reading.page.sidewaysShare),
      "lines": .array(reading.page.lines.map(\.json)),
      "empty": .bool(reading.isEmpty),
      "doubts": .array(reading.doubts.map { .string($0.written) }),
      "languages": .array(reading.languages.map { .string($0) }),
      "image": recognized.image.map { Self.json($0, &palette, &picture) },
    ]
    return head + json.line + [0x0A] + palette + picture
  }

  /// Reads a part, or nil where the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard let number = Self.number(of: bytes.span), let head = bytes.firstIndex(of: 0x0A) else {
      return nil
    }
    self.number = number
    let rest = bytes[(head + 1)...]
    guard let end = rest.firstIndex(of: 0x0A) else { return }
    guard let json = try? JSONReader.read(Array(rest[..<end])).value,
      let lines = json["lines"]?.arrayValue, let margin = json.integers("margin", 2),
      let size = json.integers("size", 2),
      let stored = json.integers("stored", 2),
      let resolution = json.numbers("resolution", 2),
      let quarters = json["quarters"]?.integerValue, let angle = json["angle"]?.doubleValue
    else { return nil }
    var page = RecognizedPage()
    page.sidewaysShare = json["sideways"]?.doubleValue ?? 0
    for line in lines {
      guard let line = RecognizedPage.Line(line) else { return nil }
      page.lines.append(line)
    }
    var image: PageImage?
    if let entry = json["image"] {
      guard let read = Self.image(entry, bytes[(end + 1)...]) else { return nil }
      image = read
    }
    recognized = Recognized(
      reading: PageReader.Reading(
        page: page, quarters: quarters, angle: angle, margin: (margin[0], margin[1]),
        width: size[0], height: size[1],
        languages: json["languages"]?.arrayValue?.compactMap(\.stringValue) ?? [],
        isEmpty: json["empty"]?.boolValue ?? false,
        doubts: json["doubts"]?.arrayValue?.compactMap(\.stringValue).compactMap(
          PageDoubt.init(written:))
          ?? []),
      storedWidth: stored[0], storedHeight: stored[1],
      resolution: PageResolution(
        x: resolution[0], y: resolution[1], isGuessed: json["guessed"]?.boolValue ?? false),
      image: image, isDamaged: json["damaged"]?.boolValue ?? false,
      placement: json.numbers("placement", 6).map {
        Matrix($0[0], $0[1], $0[2], $0[3], $0[4], $0[5])
      }, replaces: json["replaces"]?.integerValue)
  }

  /// The number of the page that a part is of.
  static func number(of bytes: Span<UInt8>) -> Int? {
    var number = 0
    for index in 0..<min(bytes.count, 10) {
      let byte = bytes[index]
      if byte == 0x0A { return index > 0 ? number : nil }
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return nil
  }

  // MARK: Pictures

  private static func json(
    _ image: PageImage, _ palette: inout [UInt8], _ picture: inout [UInt8]
  ) -> JSON {
    let colour: JSON
    switch image.colour {
    case .gray: colour = "gray"
    case .rgb: colour = "rgb"
    case .cmyk: colour = "cmyk"
    case .indexed(let bytes):
      colour = "indexed"
      palette = bytes
    }
    let coding: JSON
    var flag = false
    switch image.coding {
    case .jpeg(let bytes, let inverted): (coding, picture, flag) = ("jpeg", bytes, inverted)
    case .jpeg2000(let bytes): (coding, picture) = ("jpeg2000", bytes)
    case .group4(let bytes, let blackIs1): (coding, picture, flag) = ("group4", bytes, blackIs1)
    case .jbig2(let bytes): (coding, picture) = ("jbig2", bytes)
    case .png(let bytes): (coding, picture) = ("png", bytes)
    case .samples(let bytes): (coding, picture) = ("samples", bytes)
    }
    return [
      "size": .array([.integer(image.width), .integer(image.height)]),
      "bits": .integer(image.bitsPerComponent), "colour": colour, "coding": coding,
      "flag": .bool(flag), "palette": .integer(palette.count),
    ]
  }

  private static func image(_ json: JSON, _ bytes: ArraySlice<UInt8>) -> PageImage? {
    guard let size = json.integers("size", 2), let bits = json["bits"]?.integerValue,
      let count = json["palette"]?.integerValue, (0...bytes.count).contains(count)
    else { return nil }
    let palette = Array(bytes.prefix(count))
    let picture = Array(bytes.dropFirst(count))
    let flag = json["flag"]?.boolValue ?? false
    let colour: PageImage.Colour
    switch json["colour"]?.stringValue {
    case "gray": colour = .gray
    case "rgb": colour = .rgb
    case "cmyk": colour = .cmyk
    case "indexed": colour = .indexed(palette)
    default: return nil
    }
    let coding: PageImage.Coding
    switch json["coding"]?.stringValue {
    case "jpeg": coding = .jpeg(picture, inverted: flag)
    case "jpeg2000": coding = .jpeg2000(picture)
    case "group4": coding = .group4(picture, blackIs1: flag)
    case "jbig2": coding = .jbig2(picture)
    case "png": coding = .png(picture)
    case "samples": coding = .samples(picture)
    default: return nil
    }
    return PageImage(
      width: size[0], height: size[1], bitsPerComponent: bits, colour: colour, coding: coding)
  }
}

// MARK: Lines

extension RecognizedPage.Line {
  fileprivate var json: JSON {
    [
      "box": box.json, "row": .number(rowHeight), "starts": .bool(startsParagraph),
      "level": .bool(isLevel),
      "baseline": .array(
        [baseline.from.x, baseline.from.y, baseline.to.x, baseline.to.y].map { .number($0) }),
      "words": .array(
        words.map { word in
          ["text": .string(word.text), "box": word.box.json, "sure": .number(word.confidence)]
        }),
    ]
  }

  fileprivate init?(_ json: JSON) {
    guard let box = PixelBox(json), let ends = json.numbers("baseline", 4) else { return nil }
    var words: [RecognizedPage.Word] = []
    for word in json["words"]?.arrayValue ?? [] {
      guard let text = word["text"]?.stringValue, let box = PixelBox(word) else { return nil }
      words.append(
        RecognizedPage.Word(text: text, box: box, confidence: word["sure"]?.doubleValue ?? 0))
    }
    self.init(
      words: words, box: box, baseline: (from: (ends[0], ends[1]), to: (ends[2], ends[3])),
      rowHeight: json["row"]?.doubleValue ?? 0, startsParagraph: json["starts"] == true,
      isLevel: json["level"] == true)
  }
}

extension PixelBox {
  fileprivate var json: JSON { .array([left, top, right, bottom].map { .number($0) }) }

  /// Reads the member `box` of an object.
  fileprivate init?(_ json: JSON) {
    guard let sides = json.numbers("box", 4) else { return nil }
    self.init(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
  }
}

extension JSON {
  fileprivate func numbers(_ name: String, _ count: Int) -> [Double]? {
    let numbers = self[name]?.arrayValue?.compactMap(\.doubleValue)
    return numbers?.count == count ? numbers : nil
  }

  fileprivate func integers(_ name: String, _ count: Int) -> [Int]? {
    let numbers = self[name]?.arrayValue?.compactMap(\.integerValue)
    return numbers?.count == count ? numbers : nil
  }
}
