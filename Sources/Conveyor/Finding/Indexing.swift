internal import Files
package import Finding
package import JobLedger
internal import Pipelines
internal import PluginKit
internal import Synchronization
package import SystemPackage
internal import Workers

/// Fills the search index from the ledger and from the results that stand in the outbox.
///
/// It follows the work and is never waited for: what is missing in the index is found by going through ledger and
/// index side by side, whoever runs next.
package struct Indexing: Sendable {
  package static let storeName = FilePath("find.sqlite")

  let active: ActiveConfiguration
  let ledger: LedgerReader
  let store: FindStore
  /// `procd`, which reads PDF files in a process that confines itself.
  let extractor: FilePath?
  /// What stood at the name of the store when it was opened.
  private let opened: FileStatus?

  package init(
    _ active: ActiveConfiguration, _ ledger: LedgerReader, _ installation: Installation
  ) throws(FindError) {
    (self.active, self.ledger) = (active, ledger)
    extractor = installation.procd
    store = try FindStore(path: Self.store(of: active))
    opened = Self.standing(active)
  }

  private static func standing(_ active: ActiveConfiguration) -> FileStatus? {
    (try? Folder.open(active.spool).status(storeName)) ?? nil
  }

  package static func store(of active: ActiveConfiguration) -> FilePath {
    active.spool.appending(storeName.components)
  }

  /// Documents that are put in with one commit.
  private static let batch = 64
  /// More of a text is not kept, and more of several is not collected for one commit.
  private static let mostText = 16 << 20, mostInMemory = 16 << 20
  /// A piece of a text that has no pages.
  private static let pieceLength = 32 << 10
  /// How long the text of one PDF may take, in milliseconds.
  private static let patience = 120_000

  /// Puts in what is missing, and takes out what is gone.
  ///
  /// - Parameter progress: told how many are done of how many; false ends it.
  package func catchUp(
    progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
  ) async throws {
    let (missing, gone) = try difference()
    for start in stride(from: 0, to: gone.count, by: 1000) {
      try store.remove(jobs: Array(gone[start..<min(start + 1000, gone.count)]))
    }
    var done = 0
    guard progress(0, missing.count) else { return }
    for start in stride(from: 0, to: missing.count, by: Self.batch) {
      let part = missing[start..<min(start + Self.batch, missing.count)]
      var isWanted = true
      try await put(Array(part)) {
        done += 1
        isWanted = progress(done, missing.count) && !Task.isCancelled
        return isWanted
      }
      guard isWanted else { return }
    }
  }

  /// Returns the words of a page that say what a hit lights, or nil if none do.
  package func place(of lit: String, among words: [String]) throws -> Range<Int>? {
    try store.reader.place(of: lit, among: words)
  }

  /// Whether its file still stands where it was opened: what is written into one that was deleted, nobody finds.
  package var isThere: Bool {
    guard let opened, let now = Self.standing(active) else { return false }
    return now.isSameFile(as: opened)
  }

  /// What the index has, of documents of which something still stands.
  package func search(
    _ query: FindQuery, _ filter: FindReader.Filter = .init(), offset: Int = 0, limit: Int,
    forgives: Bool
  ) throws -> FindReader.Answer {
    func search() throws -> FindReader.Answer {
      try store.reader.search(query, filter, offset: offset, limit: limit, forgives: forgives)
    }
    var answer = try search()
    let gone = try answer.hits.filter { try isGone($0.job) }
    guard !gone.isEmpty else { return answer }
    // Its texts go with it; its name stays, so that it is not taken for one that was never read.
    try store.put(
      gone.map {
        FindStore.Document(
          job: $0.job, path: $0.path, pipeline: $0.pipeline, outcome: $0.outcome,
          finished: $0.finished, pages: [], isPaged: false)
      })
    answer = try search()
    let jobs = Set(gone.map(\.job)), all = answer.hits.count
    answer.hits.removeAll { jobs.contains($0.job) }
    answer.total -= all - answer.hits.count
    return answer
  }

  /// Whether somebody has taken away the original and all results of a job. Where a disk may not be there, nothing is
  /// known.
  private func isGone(_ job: String) throws -> Bool {
    guard active.missingPlace == nil, let row = try ledger.job(job), row.state == .done,
      let original = active.original(of: row)?.whole, let name = original.lastComponent,
      let place = try? Folder.open(original.removingLastComponent()),
      (try? place.exists(FilePath(name: name))) == false, (try? hasResults(job)) == false
    else { return false }
    // An empty folder may be a place where a disk is to be mounted.
    return (try? place.names().isEmpty) == false
      && (try? Folder.open(active.folder(.outbox)).names().isEmpty) == false
  }

  /// How many documents the index lacks.
  package func behind() throws -> Int { try difference().missing.count }

  /// Goes through the jobs of ledger and index, both in the order of their identifiers.
  private func difference() throws -> (missing: [String], gone: [String]) {
    var missing: [String] = [], gone: [String] = []
    var kept = IdentifierWalk { [reader = store.reader] in
      try reader.jobs(after: $0).map { ($0, false) }
    }
    var jobs = IdentifierWalk { [ledger] in try ledger.finishedIdentifiers(after: $0) }
    while let job = try jobs.first() {
      while let other = try kept.first(), other.id < job.id {
        // One that has ended just now may not have been there when the jobs before it were read.
        if try ledger.job(other.id)?.state != .done { gone.append(other.id) }
        kept.next()
      }
      let isKept = try kept.first()?.id == job.id
      if isKept { kept.next() }
      if job.isLetGo, try !hasResults(job.id) {
        if isKept { gone.append(job.id) }
      } else if !isKept {
        missing.append(job.id)
      }
      jobs.next()
    }
    while let other = try kept.first() {
      if try ledger.job(other.id)?.state != .done { gone.append(other.id) }
      kept.next()
    }
    return (missing, gone)
  }

  /// Whether something of a job whose original was let go can still be opened.
  private func hasResults(_ job: String) throws -> Bool {
    let outbox = try outbox()
    guard let row = try ledger.job(job) else { return false }
    return row.results.contains { $0.file(in: outbox) != nil }
  }

  /// Opens the outbox. If it is not there now, or does not answer, its texts are not taken for gone.
  private func outbox() throws -> Folder {
    if let silent = active.silentFolders().first(where: { $0.path == active.folder(.outbox) }) {
      throw silent.error
    }
    return try Folder.open(active.folder(.outbox))
  }

  /// Puts these jobs in, as far as they have ended.
  ///
  /// - Parameter progress: called after each; false ends it.
  package func put(_ jobs: [String], progress: () -> Bool = { true }) async throws {
    let outbox = try outbox()
    var documents: [FindStore.Document] = [], bytes = 0
    for job in jobs {
      guard let row = try ledger.job(job), row.state == .done, let outcome = row.outcome else {
        continue
      }
      let (pages, isPaged) = await text(of: row, in: outbox)
      documents.append(
        FindStore.Document(
          job: row.id, path: row.path.repaired.text, pipeline: row.pipeline,
          outcome: outcome.rawValue, sender: row.sender, finished: row.finished ?? row.arrived,
          pages: pages, isPaged: isPaged))
      bytes += pages.reduce(0) { $0 + $1.utf8.count }
      if documents.count >= Self.batch || bytes >= Self.mostInMemory {
        try store.put(documents)
        (documents, bytes) = ([], 0)
      }
      guard progress() else { break }
    }
    try store.put(documents)
  }

  /// The text of a job's results: what stands as text, or else what its PDF says.
  private func text(of row: JobRow, in outbox: Folder) async -> (pages: [String], isPaged: Bool) {
    // The words of recognition are told by their PDF.
    let results = row.results.filter { $0.artifact.role != "words" }
    func of(_ types: String...) -> [JobRow.Result] {
      results.filter { result in types.contains { result.artifact.mime.hasPrefix($0) } }
    }
    var texts = of("text/plain")
    if texts.isEmpty { texts = of("text/markdown") }
    // Rows are kept in several forms that say the same.
    let rows = of("text/csv")
    texts += rows.isEmpty ? of("application/jsonl", "application/x-ndjson") : rows
    var pages: [String] = [], isPaged = false
    for result in texts {
      guard let bytes = try? result.file(in: outbox)?.beginning(Self.mostText) else {
        continue
      }
      let parts = bytes.split(separator: 0x0C, omittingEmptySubsequences: false)
      if pages.isEmpty, parts.count > 1 { isPaged = true }
      for part in parts {
        pages += isPaged ? [String(decoding: part, as: UTF8.self)] : pieces(part)
      }
    }
    guard texts.isEmpty, let pdf = of("application/pdf").first else { return (pages, isPaged) }
    // Several of one role are parts of a document; one of another role says the same once more.
    let parts = of("application/pdf").filter { $0.artifact.role == pdf.artifact.role }
    var count = 0
    for part in parts where count < Self.mostText && part.file(in: outbox) != nil {
      let found = await extracted(active.folder(.outbox).appending(part.path.components))
      count += found.reduce(0) { $0 + $1.utf8.count }
      pages += found
    }
    // Pages are told by numbers, which those of parts do not have.
    return (pages, parts.count == 1)
  }

  /// A text without pages as pieces that end at the end of a line.
  private func pieces(_ text: ArraySlice<UInt8>) -> [String] {
    var pieces: [String] = [], rest = text
    while rest.count > Self.pieceLength {
      let head = rest.prefix(Self.pieceLength)
      let end = head.lastIndex(of: 0x0A) ?? head.lastIndex(of: 0x20) ?? head.endIndex - 1
      pieces.append(String(decoding: rest[...end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return pieces + [String(decoding: rest, as: UTF8.self)]
  }

  /// The text of a PDF's pages; none where it cannot be read.
  private func extracted(_ file: FilePath) async -> [String] {
    guard let extractor else { return [] }
    let run = ProgramRun(
      [extractor.string, "extract", file.string], environment: ["LC_ALL=C.UTF-8"],
      milliseconds: Self.patience)
    let text = Mutex<[UInt8]>([])
    let outcome = await run.run(line: { line in
      text.withLock { text in
        if text.count < Self.mostText { text += line + [0x0A] }
      }
    })
    guard outcome.end == .status(0) else { return [] }
    return text.withLock { text in
      text.split(separator: 0x0C, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

/// Entries that come some at a time, one by one.
private struct IdentifierWalk {
  let more: (String?) throws -> [(id: String, isLetGo: Bool)]
  private var entries: ArraySlice<(id: String, isLetGo: Bool)> = []
  private var last: String?
  private var isOver = false

  init(_ more: @escaping (String?) throws -> [(id: String, isLetGo: Bool)]) { self.more = more }

  mutating func first() throws -> (id: String, isLetGo: Bool)? {
    if entries.isEmpty, !isOver {
      entries = try more(last)[...]
      isOver = entries.isEmpty
      last = entries.last?.id ?? last
    }
    return entries.first
  }

  mutating func next() { entries.removeFirst() }
}
