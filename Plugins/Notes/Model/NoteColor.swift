internal import PDFSyntax

/// A colour of an annotation, in DeviceRGB.
struct NoteColor: Sendable, Equatable {
  /// From 0 to 1.
  var red: Double
  var green: Double
  var blue: Double

  static let black = NoteColor(red: 0, green: 0, blue: 0)

  init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// `C` or `IC` (PDF 32000-1, table 164): grey, RGB or CMYK by the count of numbers. No number is
  /// no colour.
  init?(_ components: [Double]) {
    let parts = components.map { $0.isFinite ? min(1, max(0, $0)) : 0 }
    switch parts.count {
    case 1: self.init(red: parts[0], green: parts[0], blue: parts[0])
    case 3: self.init(red: parts[0], green: parts[1], blue: parts[2])
    case 4:
      // 10.3.5: the simple way, which viewers without colour management take.
      let light = 1 - parts[3]
      self.init(
        red: (1 - parts[0]) * light, green: (1 - parts[1]) * light, blue: (1 - parts[2]) * light)
    default: return nil
    }
  }

  /// `#rrggbb`.
  init?(text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#"),
      digits[1...].allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
      }), let value = Int(text.dropFirst(), radix: 16)
    else { return nil }
    func part(_ shift: Int) -> Double { Double(value >> shift & 255) / 255 }
    self.init(red: part(16), green: part(8), blue: part(0))
  }

  var text: String {
    var text = "#"
    for part in [red, green, blue] {
      let digits = String(Int((min(1, max(0, part)) * 255).rounded()), radix: 16)
      text += digits.utf8.count < 2 ? "0" + digits : digits
    }
    return text
  }

  /// As an array of a dictionary.
  var object: PDFObject {
    func rounded(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
    return .numbers(rounded(red), rounded(green), rounded(blue))
  }
}
