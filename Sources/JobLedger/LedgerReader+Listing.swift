internal import GRDB
package import Pipelines

/// Which jobs a list is of.
package struct JobFilter: Sendable, Equatable {
  package var outcome: Report.Outcome?
  package var pipeline: String?
  /// A part of the path, in whichever Unicode normal form and case it is typed.
  package var name: String?
  /// The folder of the inbox, with those below it.
  package var folder: String?
  /// When they ended, milliseconds since 1970.
  package var since: Int64?
  package var until: Int64?
  /// Whose documents, as ``LedgerReader/senders()`` has them.
  package var sender: String?

  package init(
    outcome: Report.Outcome? = nil, pipeline: String? = nil, name: String? = nil,
    folder: String? = nil, since: Int64? = nil, until: Int64? = nil, sender: String? = nil
  ) {
    (self.outcome, self.pipeline, self.name) = (outcome, pipeline, name)
    (self.folder, self.since, self.until, self.sender) = (folder, since, until, sender)
  }

  /// Whether jobs of one outcome and rule are left out by something else.
  fileprivate var isNarrow: Bool {
    name != nil || folder != nil || since != nil || until != nil || sender != nil
  }

  /// Of the outcomes one has an index of its own, for which it must be known here.
  fileprivate var condition: String {
    [
      "TRUE", outcome.map { "outcome = '\($0.rawValue)'" },
      pipeline.map { _ in "pipeline = :pipeline" },
      name.map {
        $0.isASCII
          ? "instr(lower(CAST(path AS TEXT)), :name) > 0" : "\(PathSpelling.contains)(path, :name)"
      },
      // Paths are bytes, and those below a folder are between it with a slash and it with the next sign.
      folder.map { _ in "path >= CAST(:folder AS BLOB) AND path < CAST(:beyond AS BLOB)" },
      sender.map { _ in "sender = :sender" },
      since.map { _ in "finished >= :since" }, until.map { _ in "finished < :until" },
    ].compactMap(\.self).joined(separator: " AND ")
  }

  fileprivate var arguments: StatementArguments {
    var arguments: [String: (any DatabaseValueConvertible)?] = [:]
    if let pipeline { arguments["pipeline"] = pipeline }
    if let sender { arguments["sender"] = sender }
    if let name { arguments["name"] = name.lowercased() }
    if let folder { (arguments["folder"], arguments["beyond"]) = (folder + "/", folder + "0") }
    if let since { arguments["since"] = since }
    if let until { arguments["until"] = until }
    return StatementArguments(arguments)
  }
}

/// In which order jobs are listed.
package enum JobOrder: String, Sendable, CaseIterable {
  case newest, oldest, name
  /// By who sent the document, and by its own day, the latest first; those without one come last.
  case sender, day

  var terms: String {
    switch self {
    case .newest: "finished DESC, id DESC"
    case .oldest: "finished, id"
    case .name: "lower(CAST(path AS TEXT)), finished DESC, id DESC"
    case .sender: "sender IS NULL, lower(sender), finished DESC, id DESC"
    case .day: "coalesce(day, '') NOT GLOB '[0-9]*', day DESC, finished DESC, id DESC"
    }
  }
}

/// Compares names as people see them: one name may be typed in several Unicode normal forms, which SQLite takes for
/// different texts. Costs a string per row, so it is asked only about names that are not ASCII.
enum PathSpelling {
  static let contains = "pathContains", ends = "pathEnds"

  /// Whether a path contains a text, whatever the case. Arguments: the path in bytes, the text.
  static let containing = function(contains) { path, text in
    path.lowercased().contains(text.lowercased())
  }

  /// Whether a path, or its last names, is a text. Arguments: the path in bytes or as text, the text.
  static let ending = function(ends) { path, text in path == text || path.hasSuffix("/" + text) }

  private static func function(
    _ name: String, _ fits: @escaping @Sendable (_ path: String, _ text: String) -> Bool
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 2, pure: true) { values in
      let texts = values.map { value in
        switch value.storage {
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        case .string(let text): text
        default: ""
        }
      }
      return fits(texts[0], texts[1])
    }
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension LedgerReader {
  /// Finished jobs, the newest first unless another order is wanted.
  package func finished(
    _ filter: JobFilter, order: JobOrder = .newest, offset: Int, limit: Int
  ) throws(LedgerError) -> [JobRow] {
    try read { database in
      database.add(function: PathSpelling.containing)
      var arguments = filter.arguments
      arguments += ["offset": offset, "limit": limit]
      // First without the reports, however far back the part wanted lies.
      let jobs = try String.fetchAll(
        database, sql: LedgerStatements.finishedIdentifiers(filter.condition, order),
        arguments: arguments)
      return try jobs.compactMap { try Self.job($0, database) }
    }
  }

  /// Returns how many finished jobs there are of a kind. Only names are looked through for it; all else is counted.
  package func count(_ filter: JobFilter) throws(LedgerError) -> Int {
    guard !filter.isNarrow else {
      return try read { database in
        database.add(function: PathSpelling.containing)
        return try Int.fetchOne(
          database, sql: "SELECT count(*) FROM jobEnd WHERE \(filter.condition)",
          arguments: filter.arguments) ?? 0
      }
    }
    return try outcomes().filter { counted in
      (filter.outcome ?? counted.key.outcome) == counted.key.outcome
        && (filter.pipeline ?? counted.key.pipeline) == counted.key.pipeline
    }.reduce(0) { $0 + $1.number }
  }

  /// Returns the senders of documents, as far as rules or steps found them, sorted by name.
  package func senders(limit: Int = 200) throws(LedgerError) -> [String] {
    try read { database in
      var senders: [String] = []
      while senders.count < limit,
        let next = try String.fetchOne(
          database, sql: LedgerStatements.nextSender, arguments: [senders.last ?? ""])
      { senders.append(next) }
      return senders
    }
  }

  /// Finished jobs in the order of their identifiers, some at a time, for who goes through all.
  package func finishedIdentifiers(
    after job: String?, limit: Int = 1000
  ) throws(LedgerError) -> [(id: String, isLetGo: Bool)] {
    try read { database in
      try Row.fetchAll(
        database, sql: LedgerStatements.identifiersAfter, arguments: [job ?? "", limit]
      ).map { ($0["id"], $0["isLetGo"]) }
    }
  }
}
