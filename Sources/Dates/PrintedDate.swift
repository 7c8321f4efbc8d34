internal import Bytes

/// The order of day, month and year in dates of digits.
public enum DateOrder: String, Sendable, CaseIterable {
  case dayMonthYear = "dmy"
  case monthDayYear = "mdy"
  case yearMonthDay = "ymd"
}

/// A date as it is printed: three numbers, or two and the name of a month.
package struct PrintedDate {
  /// The numbers in the order of reading, and how many digits each has.
  private var numbers: [(value: Int, digits: Int)] = []
  /// The month where its name stands, and the number of numbers before it.
  private var month: (value: Int, place: Int)?
  /// Whether full stops part the numbers: then the day comes first everywhere.
  private var hasStops = false
  /// Whether year, month and day say so themselves, as in Chinese and Japanese.
  private var isLabelled = false
  private var endsInFiller = false

  /// Nil where a text is no date.
  package init?(_ text: String) {
    guard text.utf8.count <= 60 else { return nil }
    var letters = ""
    var separators = ""
    var marks = ""
    var inNumber = false
    for scalar in text.unicodeScalars {
      if let digit = Self.digit(scalar) {
        guard takeWord(&letters) else { return nil }
        if inNumber {
          numbers[numbers.count - 1].value = numbers[numbers.count - 1].value * 10 + digit
          numbers[numbers.count - 1].digits += 1
          guard numbers[numbers.count - 1].digits <= 4 else { return nil }
        } else {
          if !numbers.isEmpty { separators += marks + "|" }
          guard numbers.count < 3 else { return nil }
          numbers.append((digit, 1))
        }
        inNumber = true
        endsInFiller = false
        marks = ""
      } else if scalar.properties.isAlphabetic
        || scalar.properties.generalCategory == .nonspacingMark
        || Self.labels.contains(scalar)
      {
        inNumber = false
        letters.unicodeScalars.append(scalar)
      } else {
        inNumber = false
        guard takeWord(&letters), Self.isSeparator(scalar) else { return nil }
        if scalar != " " {
          marks.unicodeScalars.append(scalar == "." ? "." : scalar == "/" ? "/" : "-")
        }
      }
    }
    guard takeWord(&letters), !endsInFiller else { return nil }
    hasStops = separators.contains(".") && !separators.contains("/")
    guard isPlausible(separators) else { return nil }
  }

  private static let labels: Set<Unicode.Scalar> = ["年", "月", "日", "년", "월", "일", "号"]

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "-", ".", "/", ",", "'", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}",
      "\u{A0}", "\u{202F}", "\u{200E}", "\u{200F}", "،", "º", "ª", "°":
      true
    default: false
    }
  }

  /// The value of a decimal digit of any script.
  package static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.value < 0x80 {
      return (0x30...0x39).contains(scalar.value) ? Int(scalar.value) - 0x30 : nil
    }
    guard scalar.properties.generalCategory == .decimalNumber,
      let value = scalar.properties.numericValue
    else { return nil }
    return Int(value)
  }

  /// Takes a finished word in; false where dates have no such word.
  private mutating func takeWord(_ letters: inout String) -> Bool {
    guard !letters.isEmpty else { return true }
    defer { letters = "" }
    endsInFiller = false
    let word = letters.lowercased()
    if word.unicodeScalars.allSatisfy({ Self.labels.contains($0) }) {
      isLabelled = true
      return true
    }
    if !numbers.isEmpty, Self.endings.contains(word) { return true }
    if month == nil, let value = MonthNames.month(word) {
      month = (value, numbers.count)
      return true
    }
    // Words between the parts; none begins or ends a date.
    endsInFiller = true
    return (!numbers.isEmpty || month != nil) && Self.fillers.contains(word)
  }

  /// What follows the number of a day or a year.
  private static let endings: Set<String> = [
    "st", "nd", "rd", "th", "er", "г", "года", "р", "م", "e", "o", "a", "r", "roku",
  ]
  /// Words between the parts.
  private static let fillers: Set<String> = [
    "de", "del", "of", "den", "the", "le", "di", "el", "d", "am", "dne", "év", "r", "m",
  ]

  private func isPlausible(_ separators: String) -> Bool {
    let digits = numbers.map(\.digits)
    func isSmall(_ place: Int) -> Bool { digits[place] <= 2 }
    if month != nil {
      guard numbers.count == 2 else { return false }
      return digits[0] == 4 && isSmall(1) || isSmall(0) && (digits[1] == 4 || digits[1] == 2)
    }
    guard numbers.count == 3 else { return false }
    // The same mark between all parts, and one at all.
    let parts = separators.split(separator: "|", omittingEmptySubsequences: false).dropLast()
    guard isLabelled || parts.count == 2 && parts[0] == parts[1] && parts[0].count == 1 else {
      return false
    }
    return digits[0] == 4 && isSmall(1) && isSmall(2)
      || isSmall(0) && isSmall(1) && (digits[2] == 4 || digits[2] == 2)
  }

  // MARK: Meaning

  /// The orders in which the numbers are a day of the calendar.
  package var orders: Set<DateOrder> {
    Set(DateOrder.allCases.filter { date($0) != nil })
  }

  /// Whether its numbers alone do not say which is which.
  package var needsOrder: Bool {
    Set(orders.filter { $0 != .yearMonthDay }.compactMap { iso($0) }).count > 1
  }

  /// The date as `2012-05-07` if its numbers stand in an order; nil where that is no day.
  package func iso(_ order: DateOrder) -> String? { date(order)?.iso }

  /// What full stops say.
  package var usualOrder: DateOrder? { hasStops ? .dayMonthYear : nil }

  private func date(_ order: DateOrder) -> CalendarDate? {
    let values = numbers.map(\.value)
    if let month {
      // Year first where it has four digits.
      let (year, day) =
        numbers[0].digits == 4 ? (numbers[0], values[1]) : (numbers[1], values[0])
      return Self.day(full(year), month.value, day)
    }
    if numbers[0].digits == 4 || isLabelled {
      return Self.day(full(numbers[0]), values[1], values[2])
    }
    switch order {
    case .dayMonthYear: return Self.day(full(numbers[2]), values[1], values[0])
    case .monthDayYear: return Self.day(full(numbers[2]), values[0], values[1])
    case .yearMonthDay:
      guard numbers[2].digits <= 2, numbers[0].digits == 2 else { return nil }
      return Self.day(full(numbers[0]), values[1], values[2])
    }
  }

  private func full(_ year: (value: Int, digits: Int)) -> Int {
    year.digits == 4 ? year.value : year.value < 70 ? 2000 + year.value : 1900 + year.value
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
    let date = CalendarDate(year, month, day)
    return (1000...2999).contains(year) && date.exists ? date : nil
  }
}
