internal import Dates

/// Gives the dates of a column their meaning: what one date leaves open, the others may decide.
struct DateColumn {
  private var dates: [String: PrintedDate] = [:]
  private var counts: [DateOrder: Int] = [:]
  private var ambiguous = 0
  private var stops = 0
  private let declared: DateOrder?

  /// - Parameter declared: the order where it is known; nil for what the column says.
  init(_ declared: DateOrder?) { self.declared = declared }

  /// Takes a date of the column in.
  mutating func add(_ text: String) {
    guard !text.isEmpty, dates[text] == nil, let date = PrintedDate(text) else { return }
    dates[text] = date
    guard date.needsOrder || date.orders.count < 3 else { return }
    ambiguous += 1
    if date.usualOrder != nil { stops += 1 }
    for order in date.orders { counts[order, default: 0] += 1 }
  }

  /// The order of the column, or nil where it stays open.
  var order: DateOrder? {
    if let declared { return declared }
    guard ambiguous > 0 else { return .dayMonthYear }
    var fitting = DateOrder.allCases.filter { (counts[$0] ?? 0) * 20 >= ambiguous * 19 }
    // A year of two digits stands first only where nothing else is possible.
    if fitting.count > 1 { fitting.removeAll { $0 == .yearMonthDay } }
    if fitting.count == 1 { return fitting[0] }
    return stops == ambiguous && fitting.contains(.dayMonthYear) ? .dayMonthYear : nil
  }

  /// The meaning of a date of the column; nil for what is no date or could be two.
  func iso(_ text: String, _ order: DateOrder?) -> String? {
    guard let date = dates[text] else { return nil }
    if let order { return date.iso(order) }
    if date.needsOrder { return nil }
    let orders = date.orders
    return DateOrder.allCases.first { orders.contains($0) }.flatMap { date.iso($0) }
  }
}
