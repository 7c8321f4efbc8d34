/// The fonts that the texts of one file are set in.
final class FontBook {
  private let source = FontSource()
  private(set) var fonts: [LetteringFont] = []
  /// Places in `fonts` by those of the source's entries; nil where a font cannot be used.
  private var opened: [Int: Int?] = [:]
  private var found: [UInt32: Int] = [:]
  /// Letters that no font here has.
  private(set) var missing: Set<UInt32> = []

  /// The font that text is set in where it has its letters; nil where there is none at all.
  var plain: Int? {
    for place in source.entries.indices {
      if let font = open(place) { return font }
    }
    return nil
  }

  /// The font for a character: the first that has it, but signs that all scripts share stay in the font
  /// of what they follow.
  func font(for letters: ArraySlice<UInt32>, after last: Int?) -> Int {
    let needed = letters.filter { scalar in
      Unicode.Scalar(scalar)?.properties.isDefaultIgnorableCodePoint == false
        && Unicode.Scalar(scalar)?.properties.isWhitespace == false
    }
    guard let first = needed.first else { return last ?? plain ?? 0 }
    if let last, fonts.indices.contains(last), LetteringFont.script(first).isShared,
      needed.allSatisfy({ source.has($0, fonts[last].entry) })
    {
      return last
    }
    if needed.count == 1, let known = found[first] { return known }
    var best: (font: Int, count: Int)?
    for (place, entry) in source.entries.enumerated() {
      let count = needed.count { source.has($0, entry) }
      guard count > best?.count ?? 0, let font = open(place) else { continue }
      best = (font, count)
      if count == needed.count { break }
    }
    if best?.count ?? 0 < needed.count {
      missing.formUnion(
        needed.filter { scalar in !source.entries.contains { source.has(scalar, $0) } })
    }
    let font = best?.font ?? plain ?? 0
    if needed.count == 1 { found[first] = font }
    return font
  }

  private func open(_ place: Int) -> Int? {
    if let known = opened[place] { return known }
    guard let font = LetteringFont(source.entries[place]) else {
      opened[place] = .some(nil)
      return nil
    }
    fonts.append(font)
    opened[place] = fonts.count - 1
    return fonts.count - 1
  }
}
