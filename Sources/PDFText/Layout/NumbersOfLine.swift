/// What belongs to the numbers of a line that reads from right to left: signs, units and the blanks between thousands
/// (UAX 9, rules W4 to W7, read backwards from what is drawn).
struct NumbersOfLine {
  private let items: [LineComposer.Item]
  private let followsArabic: [Bool]
  /// Whether the line is one number, its thousands parted by blanks as they are read from left to right.
  let hasGroups: Bool

  /// - Parameters:
  ///   - items: the line from left to right.
  ///   - followsArabic: whether the letter before an item in reading is an Arabic one.
  init(_ items: [LineComposer.Item], _ followsArabic: [Bool]) {
    self.items = items
    self.followsArabic = followsArabic
    hasGroups = Self.isGrouped(items)
  }

  /// Makes what belongs to a number part of it.
  func takeUnits(_ classes: inout [BidirectionalOrder.Class]) {
    let hasLetters = classes.contains { $0 == .left || $0 == .right }
    for index in items.indices where classes[index] == .neutral {
      let scalar = items[index].scalar
      let followsNumber =
        index > 0 && classes[index - 1] == .number && !items[index].blankBefore
      let precedesNumber =
        index + 1 < items.count && classes[index + 1] == .number && !items[index + 1].blankBefore
      if Self.isPercent(scalar) {
        // On either side it is read behind its number.
        if followsNumber { classes[index] = .number }
      } else if Self.isUnit(scalar) {
        if followsNumber != precedesNumber, !followsArabic[index] { classes[index] = .number }
      } else if Self.isSign(scalar), !hasLetters, precedesNumber,
        index == 0 || items[index].blankBefore
      {
        // A number as programs of tables draw it, from left to right.
        classes[index] = .number
      }
    }
  }

  /// Makes numbers that follow Latin letters part of their text (W7).
  static func joinLatin(_ classes: inout [BidirectionalOrder.Class]) {
    var isLatin = false
    for index in classes.indices {
      switch classes[index] {
      case .left: isLatin = true
      case .right: isLatin = false
      case .number where isLatin: classes[index] = .left
      default: break
      }
    }
  }

  /// Whether a line without letters is `-3 001` or `1 234 567,5` from left to right.
  private static func isGrouped(_ items: [LineComposer.Item]) -> Bool {
    var groups: [Int] = []
    var isFraction = false
    for (index, item) in items.enumerated() {
      if Scripts.isDigit(item.scalar) {
        if groups.isEmpty || item.blankBefore {
          guard !isFraction else { return false }
          groups.append(0)
        }
        if !isFraction { groups[groups.count - 1] += 1 }
      } else if index == 0, isSign(item.scalar) || isUnit(item.scalar) {
        continue
      } else if [0x2C, 0x2E, 0x66B].contains(item.scalar), !isFraction, !groups.isEmpty {
        isFraction = true
      } else {
        return false
      }
    }
    return groups.count > 1 && groups[0] <= 3 && groups.dropFirst().allSatisfy { $0 == 3 }
  }

  private static func isPercent(_ scalar: UInt32) -> Bool {
    [0x25, 0x66A, 0x2030].contains(scalar)
  }

  /// What the class ET has beside percent signs: numbers take it along, whichever side it is on.
  private static func isUnit(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x23, 0x24, 0xA2...0xA5, 0xB0, 0xB1, 0x20A0...0x20CF: true
    default: false
    }
  }

  private static func isSign(_ scalar: UInt32) -> Bool {
    [0x2B, 0x2D, 0x2212].contains(scalar)
  }
}
