/// The operators of content streams (PDF 32000-1, annex A) that bear on text, pictures and areas.
///
/// Raw values are the characters of the operator, the last of them in the lowest bits, as in ``Token/word``.
public enum ContentOperator: UInt64, Sendable {
  /// All that are not told apart, and what is no operator.
  case other = 0

  // Graphics state (8.4.4).
  case saveState = 0x71  // q
  case restoreState = 0x51  // Q
  case concatenateMatrix = 0x636D  // cm
  case setLineWidth = 0x77  // w
  case setGraphicsState = 0x6773  // gs

  // Paths (8.5).
  case moveTo = 0x6D  // m
  case lineTo = 0x6C  // l
  case curveTo = 0x63  // c
  case curveFromCurrentPoint = 0x76  // v
  case curveToControlPoint = 0x79  // y
  case closePath = 0x68  // h
  case appendRectangle = 0x7265  // re
  case stroke = 0x53  // S
  case closeAndStroke = 0x73  // s
  case fill = 0x66  // f
  case fillObsolete = 0x46  // F
  case fillEvenOdd = 0x66_2A  // f*
  case fillAndStroke = 0x42  // B
  case fillEvenOddAndStroke = 0x42_2A  // B*
  case closeFillAndStroke = 0x62  // b
  case closeFillEvenOddAndStroke = 0x62_2A  // b*
  case endPath = 0x6E  // n
  case clip = 0x57  // W
  case clipEvenOdd = 0x57_2A  // W*

  // Colours and shadings (8.6.8 and 8.7.4.2).
  case setFillColorSpace = 0x6373  // cs
  case setFillColor = 0x7363  // sc
  case setFillColorNamed = 0x7363_6E  // scn
  case setFillGray = 0x67  // g
  case setFillRGB = 0x7267  // rg
  case setFillCMYK = 0x6B  // k
  case paintShading = 0x7368  // sh

  // External objects and inline images (8.8 and 8.9.7).
  case paintObject = 0x446F  // Do
  case beginInlineImage = 0x4249  // BI

  // Text (9.3 and 9.4).
  case beginText = 0x4254  // BT
  case endText = 0x4554  // ET
  case setFont = 0x5466  // Tf
  case setCharacterSpacing = 0x5463  // Tc
  case setWordSpacing = 0x5477  // Tw
  case setHorizontalScaling = 0x547A  // Tz
  case setLeading = 0x544C  // TL
  case setRise = 0x5473  // Ts
  case setRenderingMode = 0x5472  // Tr
  case moveText = 0x5464  // Td
  case moveTextSettingLeading = 0x5444  // TD
  case setTextMatrix = 0x546D  // Tm
  case nextLine = 0x542A  // T*
  case showText = 0x546A  // Tj
  case showAdjustedText = 0x544A  // TJ
  case nextLineShowText = 0x27  // '
  case nextLineShowSpacedText = 0x22  // "

  // Marked content (14.6).
  case beginMarked = 0x42_4D43  // BMC
  case beginMarkedWithProperties = 0x42_4443  // BDC
  case endMarked = 0x45_4D43  // EMC
}

/// What an operator does with the current path (PDF 32000-1, 8.5.3).
public struct PathPainting: Sendable {
  /// Whether the last subpath is closed first.
  public let closes: Bool
  /// Whether the inside is painted in the color for filling.
  public let fills: Bool
  /// Whether the line of the path is painted in the color for stroking.
  public let strokes: Bool
  /// Whether the inside is found by the even-odd rule.
  public let isEvenOdd: Bool

  /// - Returns: nil where the operator ends no path.
  public init?(_ content: ContentOperator) {
    switch content {
    case .stroke, .closeAndStroke: (fills, strokes) = (false, true)
    case .fill, .fillObsolete, .fillEvenOdd: (fills, strokes) = (true, false)
    case .fillAndStroke, .fillEvenOddAndStroke, .closeFillAndStroke, .closeFillEvenOddAndStroke:
      (fills, strokes) = (true, true)
    case .endPath: (fills, strokes) = (false, false)
    default: return nil
    }
    isEvenOdd = [.fillEvenOdd, .fillEvenOddAndStroke, .closeFillEvenOddAndStroke].contains(content)
    closes = [.closeAndStroke, .closeFillAndStroke, .closeFillEvenOddAndStroke].contains(content)
  }
}
