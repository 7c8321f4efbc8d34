import Conveyor
import Finding
import JobLedger
import PageAPI
import Pipelines
import PlainText
import PluginKit
import Synchronization
import Workers

/// The search, as `procd find` has it.
extension PageAnswers {
  func find(_ head: JSON) throws -> JSON {
    guard active.configuration.isIndexed else {
      throw PageRefusal(
        409, "web.find", "The configuration says \"find\": false, so no texts are kept.")
    }
    guard let ledger = try ledger() else { return ["total": 0, "more": false, "hits": .array([])] }
    let begin = milliseconds()
    let indexing = try index(ledger)
    let filter = FindReader.Filter(
      pipeline: head["in"]?.stringValue, outcome: head["outcome"]?.stringValue,
      since: head["since"]?.stringValue.flatMap(milliseconds(ofDay:)))
    let typed = head["q"]?.stringValue ?? ""
    let answer = try indexing.search(
      FindQuery(typed, isTyping: typed.last?.isWhitespace == false && typed.count > 1), filter,
      offset: head.count("offset", 0), limit: min(100, head.count("limit", 20)))
    let took = milliseconds() - begin
    return [
      "total": .integer(answer.total), "more": .bool(answer.isMore),
      "milliseconds": .integer(took), "behind": .integer(try behind(indexing)),
      "hits": .array(answer.hits.map(HitText.json)),
    ]
  }

  /// How many documents are not read yet: as the running procd knows, which reads them by and by. Where none runs they
  /// are read here, beside.
  private func behind(_ indexing: Indexing) throws -> Int {
    if let pulse = Health.ask(active).pulse { return pulse.unread }
    let isBegun = counts.withLock { counts in
      defer { counts["catch-up"] = (milliseconds(), 1) }
      return counts["catch-up"].map { milliseconds() - $0.at < 5000 } ?? false
    }
    if !isBegun {
      Task {
        do { try await indexing.catchUp() } catch {
          Console.complain(
            "procd: new documents could not be read, so they cannot be found yet: \(error)")
        }
      }
    }
    return try remembered("behind", for: 3000) { .integer(try indexing.behind()) }.integerValue ?? 0
  }

  /// The index, opened again where it was deleted.
  private func index(_ ledger: LedgerReader) throws -> Indexing {
    try opened.withLock { opened in
      if let opened, opened.isThere { return opened }
      let indexing = try Indexing(active, ledger, installation)
      opened = indexing
      return indexing
    }
  }
}
