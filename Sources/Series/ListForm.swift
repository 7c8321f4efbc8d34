/// Whether a list is still made as the one before it.
///
/// An office that lays its list out anew, or puts another one at the same address, may make every row of it be read
/// wrong, and news of each number would be false. Such a list is held back until a person has looked at it.
package struct ListForm {
  /// What of a list is asked for.
  package enum Check: Sendable {
    case all
    /// Rows may be doubtful: the rule says how many.
    case withoutDoubt
    /// A person has looked at the list.
    case none
  }

  /// Lists with fewer numbers say too little.
  private static let leastNumbers = 10

  private let rows: Int
  private let numbers: Set<String>
  private let entries: [String: [ListEntry]]

  init(_ entries: [String: [ListEntry]]) {
    self.entries = entries
    numbers = Set(entries.keys)
    rows = entries.values.reduce(0) { $0 + $1.count }
  }

  private var isTelling: Bool { numbers.count >= Self.leastNumbers }

  private func rows(where isLacking: (ListEntry) -> Bool) -> Int {
    entries.values.reduce(0) { $0 + $1.count(where: isLacking) }
  }

  /// Whether it shares less than a tenth of the numbers of the smaller of the two.
  private func hardlyShares(_ other: ListForm) -> Bool {
    numbers.intersection(other.numbers).count * 10 < min(numbers.count, other.numbers.count)
  }

  /// Why a list is held back; nil where it is made as the one before.
  ///
  /// - Parameters:
  ///   - before: the list before, with its date for people.
  ///   - earlier: the one before that: where those two hardly share a number either, that is how the list is.
  static func change(
    to content: ListContent, from before: (entries: [String: [ListEntry]], date: String)?,
    _ earlier: [String: [ListEntry]]?, _ check: Check
  ) -> String? {
    guard check != .none else { return nil }
    let new = ListForm(content.entries), old = before.map { ListForm($0.entries) }
    guard new.isTelling else { return nil }
    func lacks(_ what: String, _ isLacking: (ListEntry) -> Bool) -> String? {
      let count = new.rows(where: isLacking)
      guard count * 2 > new.rows else { return nil }
      guard let old, let before, old.isTelling else {
        return "\(count) of its \(new.rows) rows \(what)"
      }
      let known = old.rows(where: isLacking)
      // A list that was like this before is read as well as it can be.
      guard known * 2 <= old.rows else { return nil }
      return "\(count) of its \(new.rows) rows \(what), of the list of \(before.date) "
        + "\(known) of \(old.rows)"
    }
    if check == .all, let reason = lacks("are doubtful", { $0.doubt != nil }) {
      return old == nil ? reason : told(reason, content, old)
    }
    guard let old, let before, old.isTelling else { return nil }
    let shared = new.numbers.intersection(old.numbers).count
    let reason =
      lacks("have no date") { !$0.hasDate } ?? lacks("have no status") { $0.status.isEmpty }
      ?? (new.hardlyShares(old) && !(earlier.map { old.hardlyShares(ListForm($0)) } ?? false)
        ? "\(shared) of its \(new.numbers.count) numbers are in the list of \(before.date), which has "
          + "\(old.numbers.count)" : nil)
    return reason.map { told($0, content, old) }
  }

  /// The reason with the first lines that differ.
  private static func told(_ reason: String, _ content: ListContent, _ old: ListForm?) -> String {
    let known = old?.entries ?? [:]
    func line(_ entries: [ListEntry]?) -> String? {
      guard let text = entries?.current?.line else { return nil }
      return text.count > 80 ? "“\(text.prefix(79))…”" : "“\(text)”"
    }
    let differing = content.numbers.lazy.filter { number in
      guard let entries = content.entries[number], let before = known[number] else { return true }
      return !before.says(entries)
    }
    let lines = differing.prefix(3).map { number in
      let now = line(content.entries[number]) ?? "gone"
      return line(known[number]).map { "\(number) was \($0) and is \(now)" }
        ?? "\(number) was not in it and is \(now)"
    }
    return "the list has changed its form: \(reason)"
      + (lines.isEmpty ? "" : "; \(lines.joined(separator: "; "))")
  }
}

extension ListEntry {
  fileprivate var hasDate: Bool { dateISO != nil || date.contains(where: \.isNumber) }
}
