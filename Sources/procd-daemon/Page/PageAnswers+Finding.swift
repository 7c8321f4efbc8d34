import Conveyor
import Finding
import JobLedger
import PageAPI
import Pipelines
import PlainText
import PluginKit
import Synchronization
import SystemPackage
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
    let query = FindQuery(
      typed, isTyping: typed.last?.isWhitespace == false && typed.count > 1)
    let answer = try indexing.search(
      query, filter,
      offset: head.count("offset", 0), limit: min(100, head.count("limit", 20)), forgives: true)
    let took = milliseconds() - begin
    return [
      "total": .integer(answer.total), "more": .bool(answer.isMore),
      "milliseconds": .integer(took), "behind": .integer(try behind(indexing)),
      "instead": answer.instead.map { .string($0.typed) },
      "suggestion": answer.suggestion.map { .string($0.typed) },
      "words": .string((answer.instead ?? query).words),
      "hits": .array(
        try answer.hits.map { hit in
          HitText.json(hit).setting("picture", try hasPicture(hit, ledger) ? true : nil)
        }),
    ]
  }

  /// Whether the page of a hit can be drawn, and the words on it found.
  private func hasPicture(_ hit: FindReader.Hit, _ ledger: LedgerReader) throws -> Bool {
    guard painter.isThere, let page = hit.page, page > 0, let row = try ledger.job(hit.job) else {
      return false
    }
    return pdf(of: row) != nil
  }

  /// A strip of a page with the words of a hit in its middle.
  func strip(of row: JobRow, _ pdf: FilePath, page: Int, near words: String, width: Int)
    async throws -> [UInt8]
  {
    let key = "\(row.id) \(page) near \(words)"
    if let bytes = painter.kept(key, width: width) { return bytes }
    guard let ledger = try ledger() else { throw PageRefusal.noJob }
    let text = try await text(["job": .string(row.id), "page": .integer(page)])
    let placed = text["words"]?.arrayValue ?? []
    guard
      let found = try index(ledger).place(
        of: words, among: placed.map { $0["text"]?.stringValue ?? "" }),
      let strip = PageStrip(
        around: placed[found.lowerBound], of: text["width"]?.measure, text["height"]?.measure)
    else { throw PageRefusal(404, "web.page", "These words have no place on the page.") }
    return try await painter.picture(of: pdf, page: page, strip, width: width, key: key)
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
