internal import Bytes
internal import PDFText

// Words of a paragraph, a heading or an item: emphasis, code, links, what is raised or lowered.
extension MarkdownWriter {
  /// How a word is set apart from others.
  private struct Inline: Equatable {
    var marks: [UInt8] = []
    var isCode = false
    /// A place in ``TextPage/links``.
    var link: Int?
  }

  /// Writes words one behind the other, those that a line's end divides put together.
  mutating func write(_ words: [Int], _ page: TextPage, emphasis: Bool) {
    var open = Inline()
    var code: [UInt8] = []
    var wasJoined = true
    for (place, index) in words.enumerated() {
      let inline = inline(index, page, emphasis: emphasis)
      let (text, joins) = divided(place, words, page)
      if inline != open {
        close(open, code, keepsLink: inline.link == open.link, page)
        if !wasJoined { output.append(0x20) }
        if inline.link != nil, inline.link != open.link { output.append(0x5B) }
        output.append(contentsOf: inline.marks)
        open = inline
        code = []
      } else if !wasJoined {
        if open.isCode { code.append(0x20) } else { output.append(0x20) }
      }
      if open.isCode {
        code += text
      } else {
        append(text, page, beginsBlock: place == 0, goesOn: place > 0 && wasJoined)
      }
      wasJoined = joins
    }
    close(open, code, keepsLink: false, page)
  }

  /// A word as it is written, and whether the next one stands right behind it.
  private func divided(
    _ place: Int, _ words: [Int], _ page: TextPage
  ) -> (text: ArraySlice<UInt8>, joins: Bool) {
    let word = page.words[words[place]]
    let text = page.utf8[word.range]
    guard place + 1 < words.count, page.lineEnds(at: words[place]) else { return (text, false) }
    let next = page.words[words[place + 1]]
    guard let hyphen = page.hyphen(word, next) else {
      return (text, page.joinsOverLines(word, next))
    }
    let keeps = wholeWords.contain(text + page.utf8[next.range])
    return (keeps ? text : text.dropLast(hyphen), true)
  }

  private func inline(_ word: Int, _ page: TextPage, emphasis: Bool) -> Inline {
    var inline = Inline()
    inline.link = linkOfWord[word]
    guard emphasis, let face = page.face(word) else { return inline }
    inline.isCode = face.isFixedPitch
    if !inline.isCode {
      inline.marks = [UInt8](
        repeating: 0x2A, count: (face.isBold ? 2 : 0) + (face.isItalic ? 1 : 0))
    }
    return inline
  }

  private mutating func close(_ open: Inline, _ code: [UInt8], keepsLink: Bool, _ page: TextPage) {
    if open.isCode { appendCode(code) }
    output.append(contentsOf: open.marks)
    guard let link = open.link, !keepsLink else { return }
    output.append("](")
    for byte in page.links[link].address.utf8 {
      // What would end the address, or begin something else; all of them have two digits.
      switch byte {
      case 0x22, 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5C, 0x5D, 0x60:
        output.append("%" + String(byte, radix: 16, uppercase: true))
      default: output.append(byte)
      }
    }
    output.append(0x29)
  }

  /// Code as it is, between more backticks than it has in a row (CommonMark 0.31.2, 6.1).
  private mutating func appendCode(_ code: [UInt8]) {
    let fence = Self.fence(around: code, atLeast: 1)
    let pads = code.first == 0x60 || code.last == 0x60
    output.append(fence)
    if pads { output.append(0x20) }
    for byte in code { output.append(byte < 0x20 ? 0x20 : byte) }
    if pads { output.append(0x20) }
    output.append(fence)
  }

  /// More backticks than code has in a row.
  static func fence(around code: some Sequence<UInt8>, atLeast least: Int) -> String {
    var longest = least - 1
    var run = 0
    for byte in code {
      run = byte == 0x60 ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "`", count: longest + 1)
  }

  private mutating func append(
    _ text: ArraySlice<UInt8>, _ page: TextPage, beginsBlock: Bool, goesOn: Bool
  ) {
    var start = text.startIndex
    for shift in page.shifts(from: start) {
      guard shift.range.upperBound <= text.endIndex else { break }
      guard let shifted = Self.shifted(page.utf8[shift.range], isRaised: shift.isRaised) else {
        continue
      }
      output.append(
        markdown: page.utf8[start..<shift.range.lowerBound],
        beginsBlock: beginsBlock && start == text.startIndex,
        goesOn: goesOn || start > text.startIndex)
      for scalar in shifted { output.append(scalar) }
      start = shift.range.upperBound
    }
    output.append(
      markdown: page.utf8[start..<text.endIndex],
      beginsBlock: beginsBlock && start == text.startIndex,
      goesOn: goesOn || start > text.startIndex)
  }

  /// The raised or lowered forms that Unicode has of some letters; nil where one has none.
  private static func shifted(
    _ text: ArraySlice<UInt8>, isRaised: Bool
  ) -> [Unicode.Scalar]? {
    guard text.count <= 12 else { return nil }
    var result: [Unicode.Scalar] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      guard let form = isRaised ? raised[scalar] : lowered[scalar] else { return nil }
      result.append(form)
    }
    return result
  }

  private static let raised = forms(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
  private static let lowered = forms(
    "0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

  private static func forms(_ plain: String, _ shifted: String) -> [Unicode.Scalar: Unicode.Scalar]
  {
    Dictionary(zip(plain.unicodeScalars, shifted.unicodeScalars)) { first, _ in first }
  }
}
