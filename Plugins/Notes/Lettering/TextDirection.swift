internal import CFriBidi

/// The bidirectional algorithm (Unicode, UAX 9).
enum TextDirection {
  /// The level of each letter of a paragraph, odd ones for text from right to left, and that of the
  /// paragraph, which its first strong letter decides.
  static func levels(_ text: [UInt32]) -> (levels: [Int], base: Int) {
    let count = text.count
    guard count > 0, count < 1 << 24 else { return ([Int](repeating: 0, count: count), 0) }
    var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: count)
    var brackets = [FriBidiBracketType](repeating: 0, count: count)
    var levels = [FriBidiLevel](repeating: 0, count: count)
    // FRIBIDI_PAR_ON: a macro of C that is not imported.
    var base = FriBidiParType(rawValue: 0x40)
    let highest = unsafe text.withUnsafeBufferPointer { letters -> FriBidiLevel in
      unsafe fribidi_get_bidi_types(letters.baseAddress, Int32(count), &types)
      unsafe fribidi_get_bracket_types(letters.baseAddress, Int32(count), types, &brackets)
      return unsafe fribidi_get_par_embedding_levels_ex(
        types, brackets, Int32(count), &base, &levels)
    }
    guard highest > 0 else { return ([Int](repeating: 0, count: count), 0) }
    // FRIBIDI_LEVEL_IS_RTL of the paragraph's own direction.
    return (levels.map { Int($0) }, base.rawValue & 1 == 1 ? 1 : 0)
  }

  /// Runs of one level in the order in which they stand from left to right (rule L2).
  static func visualOrder(_ levels: [Int]) -> [Int] {
    var order = Array(levels.indices)
    guard let highest = levels.max(), let lowest = levels.filter({ $0 % 2 == 1 }).min() else {
      return order
    }
    for level in stride(from: highest, through: lowest, by: -1) {
      var start = 0
      while start < order.count {
        guard levels[order[start]] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < order.count, levels[order[end]] >= level { end += 1 }
        order[start..<end].reverse()
        start = end
      }
    }
    return order
  }
}
