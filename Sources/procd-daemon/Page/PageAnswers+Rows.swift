import Conveyor
import Files
import JobLedger
import Pipelines
import PluginKit
import SystemPackage

/// Rows of tables and lists.
extension PageAnswers {
  /// More of a table is not looked at.
  private static let mostBytes = 64 << 20
  private static let mostColumns = 100

  func rows(_ head: JSON) async throws -> JSON {
    try await heavy.pass()
    defer { heavy.leave() }
    return try rowsAtOnce(head)
  }

  private func rowsAtOnce(_ head: JSON) throws -> JSON {
    let row = try row(head)
    func file(_ types: String...) -> OpenFile? {
      outbox.flatMap { outbox in
        row.results.first { result in types.contains { result.artifact.mime.hasPrefix($0) } }?
          .file(in: outbox)
      }
    }
    var table: [[String]]
    if let csv = file("text/csv") {
      table = CSVRows(try csv.beginning(Self.mostBytes)).rows
    } else if let lines = outbox.flatMap({ outbox in
      row.results.first(where: \.isRows)?.file(in: outbox)
    }) {
      table = Self.table(of: try lines.beginning(Self.mostBytes))
    } else {
      throw PageRefusal(404, "web.rows", "There are no rows of this document.")
    }
    let columns = table.isEmpty ? [] : table.removeFirst()
    var pages: [String: Int] = [:]
    if let number = columns.firstIndex(of: "number"), let page = columns.firstIndex(of: "page") {
      for cells in table where cells.count > max(number, page) {
        pages[cells[number]] = pages[cells[number]] ?? Int(cells[page])
      }
    }
    let offset = head.count("offset", 0), limit = min(1000, head.count("limit", 200))
    return [
      "columns": .array(columns.map { .string($0) }), "total": .integer(table.count),
      "rows": .array(
        table.dropFirst(offset).prefix(limit).map { .array($0.map { .string($0) }) }),
      "edition": row.report?["edition"],
      "changes": .array(try changes(of: row, pages)),
    ]
  }

  /// Lines of JSON as a table, its columns in the order in which they first come.
  private static func table(of text: [UInt8]) -> [[String]] {
    let objects = text.split(separator: 0x0A).prefix(100_000).compactMap {
      try? JSONReader.read(Array($0)).value
    }
    var columns: [String] = [], known: Set<String> = []
    for case .object(let members) in objects.prefix(1000) {
      for member in members where columns.count < mostColumns && known.insert(member.name).inserted
      {
        columns.append(member.name)
      }
    }
    return [columns]
      + objects.map { object in
        columns.map { column in
          let value = object[column]
          return value?.stringValue ?? value.map { String(decoding: $0.line, as: UTF8.self) } ?? ""
        }
      }
  }

  /// What changed in a list, as the result with the role `changes` has it.
  ///
  /// - Parameter pages: on which page each number stands.
  private func changes(of row: JobRow, _ pages: [String: Int]) throws -> [JSON] {
    guard let outbox,
      let file = row.results.first(where: { $0.path.string.hasSuffix("changes.json") })?.file(
        in: outbox)
    else { return [] }
    let json = try JSONReader.read(try file.readAll(limit: 16 << 20)).value
    var changes: [JSON] = []
    for (name, kind) in [("changed", "changed"), ("removed", "gone"), ("added", "new")] {
      for change in json[name]?.arrayValue ?? [] where changes.count < 2000 {
        changes.append([
          "kind": .string(kind), "number": change["number"],
          "before": change["before"]?.arrayValue?.first ?? change["before"],
          "after": change["after"]?.arrayValue?.first ?? change["after"],
          "page": change["number"]?.stringValue.flatMap { pages[$0] }.map { .integer($0) },
        ])
      }
    }
    return changes
  }
}

/// Rows of RFC 4180, whatever the bytes.
struct CSVRows {
  private(set) var rows: [[String]] = []
  private static let mostRows = 200_000

  init(_ bytes: [UInt8]) {
    var cell: [UInt8] = [], row: [String] = [], isQuoted = false, index = 0
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    while index < bytes.count, rows.count < Self.mostRows {
      let byte = bytes[index]
      index += 1
      if isQuoted {
        if byte != 0x22 {
          cell.append(byte)
        } else if index < bytes.count, bytes[index] == 0x22 {
          cell.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case 0x22 where cell.isEmpty: isQuoted = true
      case 0x2C:
        row.append(text(cell))
        cell = []
      case 0x0A, 0x0D:
        if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
        row.append(text(cell))
        if row != [""] { rows.append(row) }
        (row, cell) = ([], [])
      default: cell.append(byte)
      }
    }
    if !cell.isEmpty || !row.isEmpty { rows.append(row + [text(cell)]) }
  }
}
