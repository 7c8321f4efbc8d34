/// Which way brackets and quotes face in lines with text from right to left.
///
/// Some producers tell of a bracket what it means (ToUnicode has the opening one for what is drawn like `)`), others what
/// it looks like. A pair shows which: what is read first opens.
enum Brackets {
  typealias Item = LineComposer.Item

  /// The other one of a pair.
  static func mirrored(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x28: 0x29
    case 0x29: 0x28
    case 0x5B: 0x5D
    case 0x5D: 0x5B
    case 0x7B: 0x7D
    case 0x7D: 0x7B
    case 0x3C: 0x3E
    case 0x3E: 0x3C
    case 0xAB: 0xBB
    case 0xBB: 0xAB
    case 0x2039: 0x203A
    case 0x203A: 0x2039
    default: nil
    }
  }

  /// Whether some items have a bracket of the same kind as `item` that nothing in them closes.
  static func isOpen(_ item: Item, in items: ArraySlice<Item>) -> Bool {
    let other = mirrored(item.scalar)
    return items.count { $0.scalar == item.scalar || $0.scalar == other } % 2 == 1
  }

  /// Turns the brackets at some places of a line, given in the order of reading, where that makes pairs of them.
  ///
  /// - Parameter mirrors: what to do where the line does not show it (nil: turn them); what it showed afterwards.
  static func turn(_ items: inout [Item], at places: [Int], _ mirrors: inout Bool?) {
    let places = places.filter { mirrored(items[$0].text.scalar) != nil }
    guard !places.isEmpty else { return }
    let scalars = places.map { items[$0].text.scalar }
    let asTold = pairs(scalars), asTurned = pairs(scalars.map { mirrored($0) ?? $0 })
    if asTold != asTurned { mirrors = asTurned > asTold }
    guard mirrors != false else { return }
    for place in places {
      if let scalar = mirrored(items[place].text.scalar) {
        items[place].text = GlyphText(scalar: scalar)
      }
    }
  }

  /// Whether the brackets of a page are told as they look; nil where no pair on a line shows it.
  static func areMirrored(_ segments: [Segment], _ run: GlyphRun) -> Bool? {
    var (asTold, asTurned) = (0, 0)
    for segment in segments where Scripts.readsRightToLeft(segment, run) {
      let brackets = segment.places(run).lazy.map(Int.init).filter {
        mirrored(run.glyphs[$0].text.scalar) != nil
      }
      guard brackets.count > 1 else { continue }
      // From right to left, as they are read.
      let scalars = brackets.sorted {
        segment.u(run.glyphs[$0].x, run.glyphs[$0].y)
          > segment.u(run.glyphs[$1].x, run.glyphs[$1].y)
      }.map { run.glyphs[$0].text.scalar }
      asTold += pairs(scalars)
      asTurned += pairs(scalars.map { mirrored($0) ?? $0 })
    }
    return asTold == asTurned ? nil : asTurned > asTold
  }

  /// How many brackets are closed by a later one of their kind.
  private static func pairs(_ scalars: [UInt32]) -> Int {
    var open: [UInt32: Int] = [:]
    var pairs = 0
    for scalar in scalars {
      guard let other = mirrored(scalar) else { continue }
      if scalar < other {
        open[scalar, default: 0] += 1
      } else if let count = open[other], count > 0 {
        open[other] = count - 1
        pairs += 1
      }
    }
    return pairs
  }
}
