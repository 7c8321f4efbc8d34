internal import PluginKit

/// What one row of a list says of its number.
package struct ListEntry: Sendable, Hashable {
  /// Why a row may not be as it was meant.
  package struct Doubt: Sendable, Hashable {
    /// Stable, one word.
    package var code: String
    /// A sentence for people, without a full stop.
    package var reason: String

    package init(code: String, reason: String) { (self.code, self.reason) = (code, reason) }
  }

  package var status: String
  /// As it is printed.
  package var date: String
  /// The same as YYYY-MM-DD where its meaning is known.
  package var dateISO: String?
  /// Set where its reader was not sure of the row.
  package var doubt: Doubt?

  package init(status: String, date: String, dateISO: String? = nil, doubt: Doubt? = nil) {
    (self.status, self.date) = (status, date)
    (self.dateISO, self.doubt) = (dateISO, doubt)
  }

  /// Whether both say the same, however it is printed: the status without regard to white space and
  /// capitals, and the date by its meaning or by its letters.
  package func says(_ other: ListEntry) -> Bool {
    guard folded(status) == folded(other.status) else { return false }
    if let dateISO, dateISO == other.dateISO { return true }
    return foldedDate(date) == foldedDate(other.date)
  }
}

/// Rows that were said, found again without comparing each with each: a list may have any number of rows
/// for one number.
struct SaidRows {
  private struct Key: Hashable {
    var status: String
    var date: String
    var isISO: Bool
  }

  private var places: [Key: Int] = [:]
  private var count = 0

  /// Adds a row where none says the same.
  ///
  /// - Returns: the place of the row that says the same, by the order of adding; nil where this one is
  ///   new.
  mutating func add(_ entry: ListEntry) -> Int? {
    if let place = place(of: entry) { return place }
    for key in Self.keys(entry) where places[key] == nil { places[key] = count }
    count += 1
    return nil
  }

  func place(of entry: ListEntry) -> Int? {
    Self.keys(entry).lazy.compactMap { places[$0] }.first
  }

  private static func keys(_ entry: ListEntry) -> [Key] {
    let status = folded(entry.status)
    let printed = Key(status: status, date: foldedDate(entry.date), isISO: false)
    return entry.dateISO.map { [Key(status: status, date: $0, isISO: true), printed] } ?? [printed]
  }
}

/// One blank between words, none around, and no capitals. Marks between the parts stay: 1-12 is not 11-2.
private func foldedDate(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
}

/// How a text is set is no news: blanks, capitals, hyphens where lines were broken, ligatures.
private func folded(_ text: String) -> String {
  var plain = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x2D, 0xAD, 0x2010, 0x2011: continue
    case 0xFB00...0xFB06: plain.append(contentsOf: ligatures[Int(scalar.value - 0xFB00)])
    default: if !scalar.properties.isWhitespace { plain.append(scalar) }
    }
  }
  return String(plain).lowercased()
}

private let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"].map(\.unicodeScalars)

// MARK: - For people

extension ListEntry {
  /// One line: status, date, and whether the row is doubtful.
  package var line: String {
    let status = status.isEmpty ? "no status" : status
    return (date.isEmpty ? status : "\(status), \(date)") + doubtMark
  }

  /// ` (doubtful: …)`; empty where the row is not.
  package var doubtMark: String { doubt.map { " (doubtful: \($0.reason))" } ?? "" }
}

// MARK: - For programs

extension ListEntry {
  var json: JSON {
    [
      "status": .string(status), "date": .string(date), "dateISO": dateISO.map { .string($0) },
      "doubtful": doubt.map { ["code": .string($0.code), "reason": .string($0.reason)] },
    ]
  }

  init?(_ json: JSON) {
    guard let status = json["status"]?.stringValue, let date = json["date"]?.stringValue else {
      return nil
    }
    self.init(
      status: status, date: date, dateISO: json["dateISO"]?.stringValue,
      doubt: json["doubtful"].flatMap(Doubt.init))
  }
}

extension ListEntry.Doubt {
  /// Of a reader that marks a row without saying why, the mark is kept all the same.
  fileprivate init?(_ json: JSON) {
    switch json {
    case .null, .bool(false): return nil
    default:
      let code = json["code"]?.stringValue ?? "unknown"
      self.init(code: code, reason: json["reason"]?.stringValue ?? json.stringValue ?? code)
    }
  }
}

extension [ListEntry] {
  /// The entry that holds: the one of the latest date, on a tie the later row; without dates the last
  /// row.
  package var current: ListEntry? {
    var best: ListEntry?
    for entry in self where (entry.dateISO ?? "") >= (best?.dateISO ?? "") { best = entry }
    return best
  }

  /// Whether both say the same, row by row.
  func says(_ other: [ListEntry]) -> Bool {
    if self == other { return true }
    let one = withoutRepeats, other = other.withoutRepeats
    return one.count == other.count && zip(one, other).allSatisfy { $0.says($1) }
  }

  /// Each row once, where it stands first.
  var withoutRepeats: [ListEntry] {
    guard count > 1 else { return self }
    var said = SaidRows()
    return filter { said.add($0) == nil }
  }
}
