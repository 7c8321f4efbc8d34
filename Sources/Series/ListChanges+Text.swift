internal import Bytes
package import PluginKit

extension RecordedEdition {
  /// What `changes.json` holds.
  package var json: JSON {
    func list(_ kind: ListChanges.Change.Kind) -> JSON {
      .array(changes.changes.filter { $0.kind == kind }.map { $0.json.setting("kind", nil) })
    }
    return [
      "version": 1, "series": .string(edition.series),
      "edition": [
        "date": .string(edition.date), "name": .string(edition.name),
        "numbers": .integer(edition.numbers), "rows": .integer(edition.rows),
        "partial": edition.isPartial ? true : nil,
      ],
      "standing": .string(standing.rawValue),
      "comparedWith": comparedWith.map { .string($0) },
      "partialSince": partials.isEmpty ? nil : .array(partials.map { .string($0) }),
      "counts": [
        "added": .integer(changes.count(.added)), "removed": .integer(changes.count(.removed)),
        "changed": .integer(changes.count(.changed)),
      ],
      "added": list(.added), "removed": list(.removed), "changed": list(.changed),
    ]
  }

  /// What `changes.csv` holds: a line for each change, with the status that holds before and after, and why what is
  /// said now is doubtful. It is made for people, who open it in a spreadsheet: no cell is a formula.
  package var csv: [UInt8] {
    let form = CSVForm(excel: false, noFormulas: true)
    var output = ByteWriter()
    output.append(
      csvRow: ["change", "number", "statusBefore", "dateBefore", "status", "date", "doubtful"],
      form)
    for change in changes.changes {
      let before = change.before.current, after = change.after.current
      let fields = [
        change.kind.rawValue, change.number, before?.status ?? "", before?.date ?? "",
        after?.status ?? "", after?.date ?? "", after?.doubt?.reason ?? "",
      ]
      output.append(csvRow: fields, form)
    }
    return output.bytes
  }
}
