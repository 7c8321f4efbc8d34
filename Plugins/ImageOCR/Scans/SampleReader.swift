internal import CTesseract
internal import PDFSyntax

/// Makes grey or bilevel pixels of the decoded samples of a PDF image (PDF 32000-1, 8.9.5).
struct SampleReader {
  private enum Kind {
    /// 0 is black.
    case light
    /// 0 is no ink: separations.
    case ink
    case rgb
    case cmyk
    /// Grey values by index.
    case palette([UInt8])
  }

  private let kind: Kind
  private let components: Int
  private let bits: Int
  private let width: Int
  private let height: Int
  private let isInverted: Bool

  /// - Returns: nil where the dictionary describes no readable image.
  init?(_ dictionary: PDFDictionary, resources: PDFDictionary, file: PDFFile) {
    guard let width = file.integer(dictionary, "Width"),
      let height = file.integer(dictionary, "Height"), width > 0, height > 0
    else { return nil }
    (self.width, self.height) = (width, height)
    let isMask = file.resolve(dictionary["ImageMask"]).boolean ?? false
    bits = isMask ? 1 : file.integer(dictionary, "BitsPerComponent") ?? 8
    guard [1, 2, 4, 8, 16].contains(bits) else { return nil }
    let decode = file.numbers(dictionary, "Decode")
    isInverted = decode.map { $0.count >= 2 && $0[0] > $0[1] } ?? false
    kind =
      isMask
      ? .light
      : Self.kind(
        file.resolve(dictionary["ColorSpace"]), resources: resources, file: file, depth: 0)
    switch kind {
    case .light, .ink, .palette: components = 1
    case .rgb: components = 3
    case .cmyk: components = 4
    }
  }

  private static func kind(
    _ space: PDFObject, resources: PDFDictionary, file: PDFFile, depth: Int
  ) -> Kind {
    guard depth < 6 else { return .light }
    switch space {
    case .name("DeviceRGB"), .name("RGB"), .name("CalRGB"): return .rgb
    case .name("DeviceCMYK"), .name("CMYK"): return .cmyk
    case .name("DeviceGray"), .name("G"), .name("CalGray"): return .light
    case .name(let name):
      guard let named = file.dictionary(resources, "ColorSpace")?[name] else { return .light }
      return kind(file.resolve(named), resources: resources, file: file, depth: depth + 1)
    case .array(let items):
      switch items.first.map({ file.resolve($0) })?.name {
      case "CalRGB", "Lab", "DeviceRGB": return .rgb
      case "DeviceCMYK": return .cmyk
      case "Separation": return .ink
      case "ICCBased":
        let profile = items.dropFirst().first.flatMap { file.resolve($0).dictionary }
        switch profile.flatMap({ file.integer($0, "N") }) {
        case 3: return .rgb
        case 4: return .cmyk
        default: return .light
        }
      case "Indexed", "I": return palette(items, resources: resources, file: file, depth: depth)
      default: return .light
      }
    default: return .light
    }
  }

  private static func palette(
    _ items: [PDFObject], resources: PDFDictionary, file: PDFFile, depth: Int
  ) -> Kind {
    guard items.count >= 4 else { return .light }
    let base = kind(
      file.resolve(items[1]), resources: resources, file: file, depth: depth + 1)
    let table: [UInt8]
    switch file.resolve(items[3]) {
    case .string(let bytes): table = bytes
    case .stream(let stream): table = file.decode(stream, limit: 4096).bytes
    default: return .light
    }
    var greys: [UInt8] = []
    let step: Int
    switch base {
    case .rgb: step = 3
    case .cmyk: step = 4
    default: step = 1
    }
    var offset = 0
    while offset + step <= table.count, greys.count < 256 {
      greys.append(grey(base, table, at: offset))
      offset += step
    }
    return .palette(greys)
  }

  private static func grey(_ kind: Kind, _ samples: [UInt8], at offset: Int) -> UInt8 {
    func value(_ index: Int) -> Int { Int(samples[offset + index]) }
    switch kind {
    case .light: return samples[offset]
    case .ink: return 255 - samples[offset]
    case .rgb: return UInt8((value(0) * 77 + value(1) * 151 + value(2) * 28) >> 8)
    case .cmyk:
      let ink = (value(0) * 77 + value(1) * 151 + value(2) * 28) >> 8
      return UInt8(max(0, 255 - ink - value(3)))
    case .palette(let greys):
      let index = value(0)
      return index < greys.count ? greys[index] : 0
    }
  }

  /// The pixels; rows that are missing are white.
  func pixels(_ samples: [UInt8]) -> Pixels? {
    let rowBytes = (width * components * bits + 7) / 8
    if bits == 1, case .light = kind { return bilevel(samples, rowBytes: rowBytes) }
    guard
      let pixels = unsafe Pixels(taking: pixCreateNoInit(Int32(width), Int32(height), 8)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    var one = [UInt8](repeating: 0, count: components)
    for row in 0..<height {
      for word in 0..<words {
        var packed: UInt32 = 0
        for place in 0..<4 {
          let column = word * 4 + place
          var grey: UInt8 = 255
          if column < width, (row + 1) * rowBytes <= samples.count {
            for component in 0..<components {
              one[component] = sample(
                samples, row: row * rowBytes, index: column * components + component)
            }
            grey = Self.grey(kind, one, at: 0)
            if isInverted { grey = 255 - grey }
          }
          packed = packed << 8 | UInt32(grey)
        }
        unsafe data[row * words + word] = packed
      }
    }
    return pixels
  }

  /// One sample widened to 8 bits, indices as they are.
  private func sample(_ samples: [UInt8], row: Int, index: Int) -> UInt8 {
    switch bits {
    case 8: return samples[row + index]
    case 16: return samples[row + index * 2]
    default:
      let bit = index * bits
      let mask = UInt8((1 << bits) - 1)
      let value = samples[row + bit / 8] >> UInt8(8 - bits - bit % 8) & mask
      if case .palette = kind { return value }
      return value * (255 / mask)
    }
  }

  private func bilevel(_ samples: [UInt8], rowBytes: Int) -> Pixels? {
    guard
      let pixels = unsafe Pixels(taking: pixCreate(Int32(width), Int32(height), 1)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    // In the picture 1 is black, in the samples 0 is.
    let flip: UInt8 = isInverted ? 0 : 0xFF
    for row in 0..<height where (row + 1) * rowBytes <= samples.count {
      for byte in 0..<rowBytes {
        let value = UInt32(samples[row * rowBytes + byte] ^ flip)
        unsafe data[row * words + byte / 4] |= value << UInt32(24 - 8 * (byte % 4))
      }
    }
    unsafe pixSetPadBits(pixels.pix, 0)
    return pixels
  }

  /// The pixels of a bitmap in which 1 is black.
  static func pixels(_ bitmap: BilevelBitmap, isInverted: Bool) -> Pixels? {
    guard
      let pixels = unsafe Pixels(
        taking: pixCreate(Int32(bitmap.width), Int32(bitmap.height), 1)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    let black: UInt8 = isInverted ? 0 : 1
    for row in 0..<bitmap.height {
      for column in 0..<bitmap.width where bitmap.pixels[row * bitmap.width + column] == black {
        unsafe data[row * words + column / 32] |= 0x8000_0000 >> UInt32(column % 32)
      }
    }
    return pixels
  }
}
