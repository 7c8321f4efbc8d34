internal import PluginKit

/// What one row of a list says of its number.
package struct ListEntry: Sendable, Hashable {
  package var status: String
  /// As it is printed.
  package var date: String
  /// The same as YYYY-MM-DD where its meaning is known.
  package var dateISO: String?

  package init(status: String, date: String, dateISO: String? = nil) {
    (self.status, self.date, self.dateISO) = (status, date, dateISO)
  }

  var json: JSON {
    [
      "status": .string(status), "date": .string(date), "dateISO": dateISO.map { .string($0) },
    ]
  }

  init?(_ json: JSON) {
    guard let status = json["status"]?.stringValue, let date = json["date"]?.stringValue else {
      return nil
    }
    self.init(status: status, date: date, dateISO: json["dateISO"]?.stringValue)
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
}

/// All rows of one edition: for each number its entries in the order of the list.
package struct ListContent: Sendable, Equatable {
  /// In the order in which they first appear.
  package private(set) var numbers: [String] = []
  package private(set) var entries: [String: [ListEntry]] = [:]

  package init() {}

  package mutating func add(_ number: String, _ entry: ListEntry) {
    if entries[number] == nil { numbers.append(number) }
    entries[number, default: []].append(entry)
  }

  package var rowCount: Int { entries.values.reduce(0) { $0 + $1.count } }

  /// Reads rows as the step `status.rows` gives them, a line of JSON each.
  ///
  /// - Throws: ``SeriesError/rows(line:)`` where a line is no row.
  package init(jsonLines bytes: [UInt8]) throws(SeriesError) {
    var line = 0
    for text in bytes.split(separator: 0x0A) {
      line += 1
      guard let json = try? JSONReader.read(Array(text)).value,
        let number = json["number"]?.stringValue, let entry = ListEntry(json)
      else { throw .rows(line: line) }
      add(number, entry)
    }
  }
}
