internal import Bytes
internal import PluginKit

/// All rows of one edition: for each number its entries in the order of the list.
package struct ListContent: Sendable {
  /// In the order in which they first appear.
  package private(set) var numbers: [String] = []
  package private(set) var entries: [String: [ListEntry]] = [:]

  package init() {}

  /// The rows so far of numbers that have several.
  private var said: [String: SaidRows] = [:]

  /// A number as lists are searched for it, however its hyphens, slashes and digits are printed.
  package static func key(of number: String) -> String { FoldedText(number).text }

  /// Adds a row. One that its number has already counts once; read twice, it is as sure as the surer
  /// reading.
  package mutating func add(_ number: String, _ entry: ListEntry) {
    let number = Self.key(of: number)
    if entries[number] == nil {
      numbers.append(number)
      entries[number] = [entry]
      return
    }
    if said[number] == nil {
      var rows = SaidRows()
      for entry in entries[number] ?? [] { _ = rows.add(entry) }
      said[number] = rows
    }
    if let place = said[number]?.add(entry) {
      if entry.doubt == nil { entries[number]?[place].doubt = nil }
    } else {
      entries[number]?.append(entry)
    }
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
