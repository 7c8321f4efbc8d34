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
  /// Where text is put and how large, as far as it can be told without the widths of the font (9.3).
  var textPlacing = TextPlacing()
  /// Numbers of the text that what is painted shows through, since it was made part of the clip (9.3.6).
  var clippingText: Range<Int>?

  /// Whether text that is shown is meant not to be seen.
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

  /// Has a transformation come before the matrix; one of numbers too large to paint with changes nothing.
  mutating func concatenate(_ first: Matrix?) {
    guard let m = first, [m.a, m.b, m.c, m.d, m.e, m.f].allSatisfy({ $0.magnitude < 1e9 }) else {
      return
    }
    matrix = m.then(matrix)
  }

  /// Applies an operator that sets a colour or a mode; others change nothing.
  ///
  /// - Parameter spaces: the colour spaces that the content has named so far.
  mutating func apply(
    _ content: ContentOperator, _ operands: borrowing ContentReader, resources: PDFDictionary,
    file: PDFFile, spaces: inout [PDFName: ColourSpace]
  ) {
    switch content {
    case .setFillGray: (space, ink) = (.gray, ColourSpace.gray.grey(operands.allNumbers))
    case .setFillRGB: (space, ink) = (.rgb, ColourSpace.rgb.grey(operands.allNumbers))
    case .setFillCMYK: (space, ink) = (.cmyk, ColourSpace.cmyk.grey(operands.allNumbers))
    case .setFillColorSpace:
      guard let name = operands.name else { return }
      space = spaces[name] ?? ColourSpace(.name(name), resources: resources, file: file)
      spaces[name] = space
      // The first colour of a space is black, or all of a separation's ink.
      if case .tint(let components, _, _) = space {
        ink = space.grey([Double](repeating: 1, count: components))
      } else {
        ink = space.grey([0, 0, 0, 1])
      }
    case .setFillColor, .setFillColorNamed: ink = space.grey(operands.allNumbers)
    case .setRenderingMode:
      let mode = operands[0, of: 1]
      textMode = Int(mode.magnitude < 100 ? mode : 0)
    case .setFont:
      let font = operands.name.flatMap { file.dictionary(resources, "Font")?[$0] }
      setFont(font, size: operands[0, of: 1], file: file)
    case .setGraphicsState:
      let states = file.dictionary(resources, "ExtGState")
      if let name = operands.name, let dictionary = file.resolve(states?[name]).dictionary {
        apply(dictionary, file: file)
      }
    default: break
    }
    textPlacing.apply(content, operands)
  }

  private mutating func apply(_ dictionary: PDFDictionary, file: PDFFile) {
    if let value = file.number(dictionary, "ca") { opacity = max(0, min(1, value)) }
    switch file.resolve(dictionary["BM"]) {
    case .name(let name): blend = Blend(name)
    case .array(let names): blend = Blend(names.first.flatMap { file.resolve($0).name })
    default: break
    }
    if let list = file.array(dictionary, "Font"), list.count == 2 {
      setFont(list[0], size: file.resolve(list[1]).number ?? 0, file: file)
    }
  }

  private mutating func setFont(_ font: PDFObject?, size: Double, file: PDFFile) {
    hasHiddenFont = Self.isHidden(font, file: file)
    let kind = file.resolve(font).dictionary.flatMap { file.name($0, "Subtype") }
    textPlacing.setFont(
      size: size, bytesPerLetter: kind == "Type0" ? 2 : 1, isMeasured: kind != "Type3")
  }

  /// Fonts that programs for text recognition make have names that say that they show nothing.
  private static func isHidden(_ font: PDFObject?, file: PDFFile) -> Bool {
    guard let dictionary = file.resolve(font).dictionary,
      let name = file.name(dictionary, "BaseFont")?.display.lowercased()
    else { return false }
    return name.contains("glyphless") || name.hasSuffix("+invisible") || name == "invisible"
  }
}
