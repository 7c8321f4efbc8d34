import ArgumentParser
import Conveyor
import Files
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct DeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract:
      "Delete documents with their results, or files in quarantine; --undo brings them back.",
    discussion: """
      A document is its original with its results and reports, or a file in quarantine. They are \
      moved out of sight and removed after the time in "keepDeleted" of the configuration, by \
      default 30 days; until then --undo brings them back. Files that somebody changed stay where \
      they are. What happened stays in the ledger. Exits with 0, or with 65 if something was not \
      deleted or brought back.
      """)

  @Argument(help: "Documents: the name or path that the file had in the inbox, a result, or a job.")
  var documents: [String] = []

  @Flag(help: "Bring deleted documents back.")
  var undo = false

  @Flag(help: "List the documents that can be brought back.")
  var list = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard list || !documents.isEmpty else {
      throw ValidationError("Name a document, or say --list.")
    }
  }

  func run() async throws {
    let active = try options.loadWithSpool(probed: .all)
    let path = active.spool.appending(Spool.ledgerName.components)
    guard let reader = try Ledger.reading(path: path) else {
      Console.complain("procd: nothing has been processed here yet")
      throw Status.inputQuarantined
    }
    if list { return try Self.list(active, reader) }
    let view = try StatusView(active: active, configuration: options.path())
    let deletion = Deletion(active, try Ledger(path: path))
    var stays = false
    for document in documents {
      let known = try reader.job(document).map { [$0] } ?? view.jobs(of: document)
      // One that was deleted in part is deleted again.
      let fitting = try known.first { try Deletion.isDeleted($0, in: active) == undo }
      guard let row = fitting ?? (undo ? nil : known.first) else {
        Console.complain(
          "procd: \(known.isEmpty ? "nothing is known of \(document.plain)" : "\(document.plain) is not among the deleted documents")"
        )
        stays = true
        continue
      }
      do {
        if undo {
          try await deletion.restore(row)
          Console.print("\(row.path.printable) is back")
        } else {
          for path in try await deletion.delete(row, at: wallTime()) {
            Console.complain("procd: \(path.printable) was changed or cannot be moved, and stays")
            stays = true
          }
          Console.print(
            "\(row.path.printable) is deleted; procd delete --undo \(row.id) brings it back")
        }
      } catch let refusal as Deletion.Refusal {
        Console.complain("procd: \(row.path.printable): \(refusal.reason.plain)")
        stays = true
      }
    }
    if stays { throw Status.inputQuarantined }
  }

  private static func list(_ active: ActiveConfiguration, _ reader: LedgerReader) throws {
    let rows = try Deletion.deleted(in: active, reader)
    for row in rows {
      let time = row.letGo.map { timestamp($0) } ?? ""
      Console.print("\(time)  \(row.id)  \(row.path.printable)")
    }
    if rows.isEmpty { Console.print("no deleted document can be brought back") }
  }
}
