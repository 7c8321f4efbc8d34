internal import Glibc
internal import PDFSyntax

/// A colour space as far as the lightness of its colours goes (PDF 32000-1, 8.6): text is recognized in
/// grey.
indirect enum ColourSpace {
  case gray
  case rgb
  case cmyk
  /// The ranges of a* and b*.
  case lab(range: [Double])
  /// The grey values of the entries, 0 to 1.
  case indexed([Double])
  /// Separations and DeviceN; nil where the tint transform cannot be computed.
  case tint(components: Int, alternate: ColourSpace, transform: PDFFunction?)
  /// A pattern, whose colours are not followed.
  case pattern

  private static let deepest = 6
  private static let mostComponents = 32

  /// - Parameters:
  ///   - object: the space or its name; nil counts as DeviceGray.
  ///   - resources: name further spaces.
  init(_ object: PDFObject?, resources: PDFDictionary, file: PDFFile, depth: Int = 0) {
    self = .gray
    guard depth < Self.deepest else { return }
    switch file.resolve(object) {
    case .name(let name): self = Self.named(name, resources, file, depth)
    case .array(let items):
      guard let family = items.first.map({ file.resolve($0) })?.name else { return }
      let second = items.count > 1 ? items[1] : .null
      switch family {
      case "ICCBased":
        let profile = file.resolve(second).dictionary ?? [:]
        switch file.integer(profile, "N") {
        case 3: self = .rgb
        case 4: self = .cmyk
        case 1: self = .gray
        default:
          self = ColourSpace(
            profile["Alternate"], resources: resources, file: file, depth: depth + 1)
        }
        if file.integer(profile, "N") == 3,
          case .array(let alternate) = file.resolve(profile["Alternate"]),
          alternate.first?.name == "Lab"
        {
          self = ColourSpace(
            profile["Alternate"], resources: resources, file: file, depth: depth + 1)
        }
      case "Lab":
        let parameters = file.resolve(second).dictionary ?? [:]
        self = .lab(range: file.numbers(parameters, "Range") ?? [-100, 100, -100, 100])
      case "Indexed", "I": self = Self.indexed(items, resources, file, depth)
      case "Separation", "DeviceN":
        guard items.count >= 4 else { return }
        let names = family == "DeviceN" ? file.resolve(second).array?.count ?? 1 : 1
        self = .tint(
          components: max(1, min(Self.mostComponents, names)),
          alternate: ColourSpace(items[2], resources: resources, file: file, depth: depth + 1),
          transform: PDFFunction(items[3], file: file))
      case "Pattern": self = .pattern
      default: self = Self.named(family, resources, file, depth)
      }
    default: break
    }
  }

  private static func named(
    _ name: PDFName, _ resources: PDFDictionary, _ file: PDFFile, _ depth: Int
  ) -> ColourSpace {
    switch name {
    case "DeviceRGB", "RGB", "CalRGB": return .rgb
    case "DeviceCMYK", "CMYK", "CalCMYK": return .cmyk
    case "DeviceGray", "G", "CalGray": return .gray
    case "Pattern": return .pattern
    default:
      guard let entry = file.dictionary(resources, "ColorSpace")?[name] else { return .gray }
      return ColourSpace(entry, resources: resources, file: file, depth: depth + 1)
    }
  }

  private static func indexed(
    _ items: [PDFObject], _ resources: PDFDictionary, _ file: PDFFile, _ depth: Int
  ) -> ColourSpace {
    guard items.count >= 4 else { return .gray }
    let base = ColourSpace(items[1], resources: resources, file: file, depth: depth + 1)
    let table: [UInt8]
    switch file.resolve(items[3]) {
    case .string(let bytes): table = bytes
    case .stream(let stream): table = file.decode(stream, limit: 256 * mostComponents).bytes
    default: return .gray
    }
    let highest = max(0, min(255, file.resolve(items[2]).integer ?? 255))
    let step = base.components
    var greys: [Double] = []
    var offset = 0
    while offset + step <= table.count, greys.count <= highest {
      let ranges = base.ranges(bits: 8)
      let values = (0..<step).map { index -> Double in
        let least = ranges[2 * index], greatest = ranges[2 * index + 1]
        return least + Double(table[offset + index]) / 255 * (greatest - least)
      }
      greys.append(base.grey(values))
      offset += step
    }
    return .indexed(greys)
  }

  /// The number of values that make a colour.
  var components: Int {
    switch self {
    case .gray, .indexed, .pattern: 1
    case .rgb, .lab: 3
    case .cmyk: 4
    case .tint(let components, _, _): components
    }
  }

  /// The least and the greatest value of each component of an image without `Decode` (8.9.5.2).
  func ranges(bits: Int) -> [Double] {
    switch self {
    case .indexed: [0, Double((1 << min(bits, 16)) - 1)]
    case .lab(let range): [0, 100] + (range.count >= 4 ? range : [-100, 100, -100, 100])
    default: (0..<components).flatMap { _ in [0.0, 1.0] }
    }
  }

  /// The lightness of a colour from 0, black, to 1.
  func grey(_ values: [Double]) -> Double {
    func value(_ index: Int) -> Double {
      index < values.count ? max(0, min(1, values[index])) : 0
    }
    switch self {
    case .gray: return value(0)
    case .rgb: return 0.3 * value(0) + 0.59 * value(1) + 0.11 * value(2)
    case .cmyk:
      return max(0, 1 - 0.3 * value(0) - 0.59 * value(1) - 0.11 * value(2) - value(3))
    case .lab: return Self.grey(lightness: values.first ?? 0)
    case .indexed(let greys):
      guard let last = greys.last else { return 0 }
      let index = (values.first ?? 0).rounded()
      guard index.isFinite, index > 0 else { return greys[0] }
      return index >= Double(greys.count) ? last : greys[Int(index)]
    case .tint(_, let alternate, let transform):
      if let transform { return alternate.grey(transform.values(values)) }
      return max(0, 1 - values.reduce(0) { $0 + max(0, min(1, $1)) })
    case .pattern: return 0
    }
  }

  /// L* as a grey value of sRGB.
  private static func grey(lightness: Double) -> Double {
    guard lightness > 0 else { return 0 }
    let root = (lightness + 16) / 116
    let linear = root > 6.0 / 29 ? root * root * root : (root - 16.0 / 116) * 108 / 841
    return linear <= 0.003_130_8
      ? 12.92 * linear : min(1, 1.055 * pow(linear, 1 / 2.4) - 0.055)
  }

  /// Whether the samples of an image can be read as they are: 0 is black, 1 is white.
  var isGray: Bool { if case .gray = self { true } else { false } }
}
