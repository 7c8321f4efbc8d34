internal import PDFSyntax
internal import PDFWriter

/// What of the graphics state decides how images and areas look (PDF 32000-1, 8.4), and whether text
/// is seen.
struct PaintState {
  var matrix: Matrix
  var clip = ContentClip()
  var space = ColourSpace.gray
  /// The lightness of the colour that areas and stencils are painted with, 0 to 1.
  var ink = 0.0
  var opacity = 1.0
  var blend = Blend.normal
  /// The text rendering mode (9.3.6).
  var textMode = 0
  /// Whether the font has no glyphs to be seen.
  var hasHiddenFont = false

  /// Whether text that is shown is not seen.
  var hidesText: Bool { textMode == 3 || hasHiddenFont }

  /// How what is painted is mixed with what is below it (11.3.5); others count as normal.
  enum Blend {
    case normal, multiply, screen, darken, lighten

    init(_ name: PDFName?) {
      switch name {
      case "Multiply", "ColorBurn", "HardLight": self = .multiply
      case "Screen", "ColorDodge": self = .screen
      case "Darken": self = .darken
      case "Lighten": self = .lighten
      default: self = .normal
      }
    }
  }

  /// Applies an operator that sets a colour or a mode; false where it is another one.
  ///
  /// - Parameter spaces: the colour spaces that the content has named so far.
  mutating func apply(
    _ token: Token, _ operands: [PDFObject], resources: PDFDictionary, file: PDFFile,
    spaces: inout [PDFName: ColourSpace]
  ) -> Bool {
    let numbers = operands.compactMap(\.number)
    if token.isKeyword("g") {
      (space, ink) = (.gray, ColourSpace.gray.grey(numbers))
    } else if token.isKeyword("rg") {
      (space, ink) = (.rgb, ColourSpace.rgb.grey(numbers))
    } else if token.isKeyword("k") {
      (space, ink) = (.cmyk, ColourSpace.cmyk.grey(numbers))
    } else if token.isKeyword("cs") {
      guard let name = operands.last?.name else { return true }
      space = spaces[name] ?? ColourSpace(.name(name), resources: resources, file: file)
      spaces[name] = space
      // The first colour of a space is black, or all of a separation's ink.
      if case .tint(let components, _, _) = space {
        ink = space.grey([Double](repeating: 1, count: components))
      } else {
        ink = space.grey([0, 0, 0, 1])
      }
    } else if token.isKeyword("sc") || token.isKeyword("scn") {
      ink = space.grey(numbers)
    } else if token.isKeyword("Tr") {
      textMode = numbers.last.map { Int($0.magnitude < 100 ? $0 : 0) } ?? 0
    } else if token.isKeyword("Tf") {
      let fonts = file.dictionary(resources, "Font")
      let name = operands.first { $0.name != nil }?.name
      hasHiddenFont = Self.isHidden(name.flatMap { fonts?[$0] }, file: file)
    } else if token.isKeyword("gs") {
      let states = file.dictionary(resources, "ExtGState")
      if let name = operands.last?.name, let entry = states?[name],
        let dictionary = file.resolve(entry).dictionary
      {
        apply(dictionary, file: file)
      }
    } else {
      return false
    }
    return true
  }

  private mutating func apply(_ dictionary: PDFDictionary, file: PDFFile) {
    if let value = file.number(dictionary, "ca") { opacity = max(0, min(1, value)) }
    switch file.resolve(dictionary["BM"]) {
    case .name(let name): blend = Blend(name)
    case .array(let names): blend = Blend(names.first.flatMap { file.resolve($0).name })
    default: break
    }
    if let list = file.array(dictionary, "Font"), let font = list.first {
      hasHiddenFont = Self.isHidden(font, file: file)
    }
  }

  /// Fonts that programs for text recognition make have names that say that they show nothing.
  private static func isHidden(_ font: PDFObject?, file: PDFFile) -> Bool {
    guard let dictionary = file.resolve(font).dictionary,
      let name = file.name(dictionary, "BaseFont")?.display.lowercased()
    else { return false }
    return name.contains("glyphless") || name.hasSuffix("+invisible") || name == "invisible"
  }
}
