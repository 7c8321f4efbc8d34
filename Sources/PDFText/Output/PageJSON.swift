public import Bytes

extension TextPage {
  /// Appends the members of a JSON object without its braces: `"page", "width", "height",
  /// "rotation", "fonts", "blocks"`, and `"text"` where it is wanted.
  ///
  /// A block has `box`, `size` and `lines`; a line `box` and `words`; a word `text`, `box`, `size`,
  /// `font` (an index of `fonts`) and, where it is turned, `angle` in degrees clockwise. Boxes are
  /// `[x0, y0, x1, y1]` in points from the top left of the page as shown.
  public func appendJSON(to output: inout ByteWriter, withText: Bool) {
    output.append("\"page\":")
    output.append(decimal: number)
    output.append(",\"width\":")
    output.append(fixed: width, digits: 2)
    output.append(",\"height\":")
    output.append(fixed: height, digits: 2)
    output.append(",\"rotation\":")
    output.append(decimal: rotation)
    if withText {
      output.append(",\"text\":")
      output.append(json: utf8)
    }
    output.append(",\"fonts\":[")
    for (index, font) in fonts.enumerated() {
      if index > 0 { output.append(0x2C) }
      output.append("{\"name\":")
      output.append(json: font.name.utf8)
      if font.isBold { output.append(",\"bold\":true") }
      if font.isItalic { output.append(",\"italic\":true") }
      if font.isFixedPitch { output.append(",\"fixedPitch\":true") }
      output.append("}")
    }
    output.append("],\"blocks\":[")
    for (index, block) in blocks().enumerated() {
      if index > 0 { output.append(0x2C) }
      output.append("{\"box\":")
      append(block.box, to: &output)
      output.append(",\"size\":")
      output.append(fixed: block.size, digits: 2)
      output.append(",\"lines\":[")
      for line in block.lines {
        if line > block.lines.lowerBound { output.append(0x2C) }
        append(lines[line], to: &output)
      }
      output.append("]}")
    }
    output.append("]")
  }

  private func append(_ line: Line, to output: inout ByteWriter) {
    output.append("{\"box\":")
    append(line.box, to: &output)
    output.append(",\"words\":[")
    for index in line.words {
      if index > line.words.lowerBound { output.append(0x2C) }
      let word = words[index]
      output.append("{\"text\":")
      output.append(json: utf8[word.range])
      output.append(",\"box\":")
      append(word.box, to: &output)
      output.append(",\"size\":")
      output.append(fixed: word.size, digits: 2)
      output.append(",\"font\":")
      output.append(decimal: word.font)
      if word.angle != 0 {
        output.append(",\"angle\":")
        output.append(decimal: word.angle)
      }
      output.append("}")
    }
    output.append("]}")
  }

  private func append(_ box: Box, to output: inout ByteWriter) {
    output.append("[")
    output.append(fixed: box.x0, digits: 2)
    output.append(",")
    output.append(fixed: box.y0, digits: 2)
    output.append(",")
    output.append(fixed: box.x1, digits: 2)
    output.append(",")
    output.append(fixed: box.y1, digits: 2)
    output.append("]")
  }
}
