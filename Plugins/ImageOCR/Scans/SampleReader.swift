internal import CTesseract
internal import PDFSyntax

/// Makes grey or bilevel pixels of the decoded samples of a PDF image (PDF 32000-1, 8.9.5).
struct SampleReader {
  let width: Int
  let height: Int
  private let space: ColourSpace
  private let components: Int
  private let bits: Int
  /// The least and the greatest value of each component.
  private let decode: [Double]
  /// Whether the colours are what their names say, so that bytes can be weighed at once.
  private let isPlain: Bool

  /// Far above what is decoded; below it no size overflows.
  private static let longestSide = 1 << 24

  /// - Parameter bitsPerComponent: where the dictionary does not say it.
  /// - Returns: nil where the dictionary describes no readable image.
  init?(
    _ dictionary: PDFDictionary, resources: PDFDictionary, file: PDFFile,
    bitsPerComponent: Int? = nil, width ownWidth: Int? = nil, height ownHeight: Int? = nil
  ) {
    guard let width = ownWidth ?? file.integer(dictionary, "Width"),
      let height = ownHeight ?? file.integer(dictionary, "Height"),
      (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
    let isMask = file.resolve(dictionary["ImageMask"]).boolean ?? false
    let bits =
      isMask ? 1 : bitsPerComponent ?? file.integer(dictionary, "BitsPerComponent") ?? 8
    guard [1, 2, 4, 8, 16].contains(bits) else { return nil }
    self.bits = bits
    space =
      isMask
      ? .gray : ColourSpace(dictionary["ColorSpace"], resources: resources, file: file)
    components = space.components
    let usual = space.ranges(bits: bits)
    var decode = file.numbers(dictionary, "Decode") ?? usual
    if decode.count < usual.count { decode = usual }
    self.decode = decode
    isPlain = decode.prefix(usual.count).elementsEqual(usual)
  }

  /// Whether samples of one byte are grey values as they are.
  var isIdentity: Bool { space.isGray && isPlain }
  /// Whether samples of three bytes are red, green and blue as they are.
  var isPlainRGB: Bool { if case .rgb = space { isPlain } else { false } }
  var samplesPerPixel: Int { components }

  private var rowBytes: Int { (width * components * bits + 7) / 8 }

  /// The rows that data has without a fault.
  func rows(of data: DecodedStream) -> Int {
    let rows = data.bytes.count / rowBytes
    return data.isBroken || data.isUnchecked && rows > height ? 0 : rows
  }

  /// The pixels; rows that are missing are white.
  func pixels(_ samples: [UInt8]) -> Pixels? {
    if components == 1 {
      let greys = table
      if bits == 1 { return oneBit(samples, greys) }
      return eightBit(samples) { samples, row, column in
        greys[value(samples, row: row, index: column) >> (bits == 16 ? 8 : 0)]
      }
    }
    if case .rgb = space, isPlain, bits == 8 {
      return eightBit(samples) { samples, row, column in
        let at = row + column * 3
        let sum = Int(samples[at]) * 77 + Int(samples[at + 1]) * 151 + Int(samples[at + 2]) * 28
        return UInt8(truncatingIfNeeded: sum >> 8)
      }
    }
    return mixed(samples)
  }

  /// The grey value of each sample of one component; of 16 bits the higher byte counts.
  private var table: [UInt8] {
    let count = 1 << min(bits, 8)
    return (0..<count).map { value in
      grey([Double(value) / Double(count - 1)])
    }
  }

  /// - Parameter shares: of the way from each component's least value to its greatest.
  private func grey(_ shares: [Double]) -> UInt8 {
    let values = shares.enumerated().map { index, share in
      decode[2 * index] + share * (decode[2 * index + 1] - decode[2 * index])
    }
    let grey = space.grey(values)
    return UInt8(max(0, min(255, (grey.isFinite ? grey : 0) * 255)).rounded())
  }

  /// Colours of several components, each worked out once.
  private func mixed(_ samples: [UInt8]) -> Pixels? {
    let highest = (1 << bits) - 1
    // Where tints are computed, 32 steps of each component are told apart.
    var steps = min(highest, 255)
    if case .tint = space { steps = min(steps, 31) }
    var known: [Int: UInt8] = [:]
    var last = (key: -1, grey: UInt8(0))
    return eightBit(samples) { samples, row, column in
      var key = 0
      for component in 0..<components {
        let value = value(samples, row: row, index: column * components + component)
        key = key &* 257 &+ (value * steps + highest / 2) / highest
      }
      if key == last.key { return last.grey }
      let grey: UInt8
      if let found = known[key] {
        grey = found
      } else {
        let shares = (0..<components).map { component in
          let value = value(samples, row: row, index: column * components + component)
          return Double((value * steps + highest / 2) / highest) / Double(steps)
        }
        grey = self.grey(shares)
        if known.count < 1 << 18 { known[key] = grey }
      }
      last = (key, grey)
      return grey
    }
  }

  private func eightBit(
    _ samples: [UInt8], _ grey: ([UInt8], _ row: Int, _ column: Int) -> UInt8
  ) -> Pixels? {
    let rowBytes = rowBytes
    return Pixels.grey(width: width, height: height) { row, column in
      (row + 1) * rowBytes <= samples.count ? grey(samples, row * rowBytes, column) : 255
    }
  }

  /// One sample as it stands.
  private func value(_ samples: [UInt8], row: Int, index: Int) -> Int {
    switch bits {
    case 8: return Int(samples[row + index])
    case 16: return Int(samples[row + index * 2]) << 8 | Int(samples[row + index * 2 + 1])
    default:
      let bit = index * bits
      return Int(samples[row + bit / 8]) >> (8 - bits - bit % 8) & ((1 << bits) - 1)
    }
  }

  /// Samples of one bit; bilevel where they stand for black and white.
  private func oneBit(_ samples: [UInt8], _ greys: [UInt8]) -> Pixels? {
    guard greys[0] == 0 && greys[1] == 255 || greys[0] == 255 && greys[1] == 0 else {
      return eightBit(samples) { samples, row, column in
        greys[value(samples, row: row, index: column)]
      }
    }
    guard
      let pixels = unsafe Pixels(taking: pixCreate(Int32(width), Int32(height), 1)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    let words = Int(unsafe pixGetWpl(pixels.pix))
    // In the picture 1 is black.
    let flip: UInt8 = greys[0] == 0 ? 0xFF : 0
    for row in 0..<height where (row + 1) * rowBytes <= samples.count {
      for byte in 0..<rowBytes {
        let value = UInt32(samples[row * rowBytes + byte] ^ flip)
        unsafe data[row * words + byte / 4] |= value << UInt32(24 - 8 * (byte % 4))
      }
    }
    unsafe pixSetPadBits(pixels.pix, 0)
    return pixels
  }

  /// The pixels of a bitmap, whose 1 stands for the sample 0 as fax and JBIG2 data have it.
  func pixels(_ bitmap: BilevelBitmap, blackIs1: Bool = false) -> Pixels? {
    var greys = bits == 1 && components == 1 ? table : [0, 255]
    if blackIs1 { greys.swapAt(0, 1) }
    let (zero, one) = (greys[0], greys[1])
    if (zero, one) == (0, 255) || (zero, one) == (255, 0) {
      let black: UInt8 = zero == 0 ? 1 : 0
      return Pixels.bilevel(
        width: bitmap.width, height: bitmap.height, bitmap.pixels, black: black)
    }
    return Pixels.grey(width: bitmap.width, height: bitmap.height) {
      bitmap.pixels[$0 * bitmap.width + $1] == 1 ? zero : one
    }
  }

  // MARK: Colour keys

  /// Which pixels are opaque where colours in some ranges are not shown (8.9.6.4): 255 or 0 each.
  ///
  /// - Parameter key: the least and the greatest sample of each component.
  func opacity(_ samples: [UInt8], key: [Double]) -> [UInt8]? {
    guard key.count >= 2 * components else { return nil }
    var result = [UInt8](repeating: 255, count: width * height)
    for row in 0..<height where (row + 1) * rowBytes <= samples.count {
      for column in 0..<width {
        var isKey = true
        for component in 0..<components {
          let value = Double(
            value(samples, row: row * rowBytes, index: column * components + component))
          if value < key[2 * component] || value > key[2 * component + 1] {
            isKey = false
            break
          }
        }
        if isKey { result[row * width + column] = 0 }
      }
    }
    return result
  }
}
