internal import GRDB
package import Pipelines
internal import PluginKit
internal import SQLiteFiles
package import SystemPackage

/// What is to be told to whom, until it was told.
///
/// A notice is known by its id: adding it again changes nothing, so whoever is not sure that he added it
/// adds it once more.
package final class NoticeQueue: Sendable {
  private let database: DatabaseQueue
  private let relief: @Sendable () -> Void

  /// The file's name in the spool.
  package static let fileName = FilePath("notices.sqlite")

  /// Opens or makes the queue, and brings an older one up to date.
  ///
  /// - Parameter relief: makes room when the disk is full, where it can.
  package init(
    path: FilePath, relief: @escaping @Sendable () -> Void = {}
  ) throws(NoticeError) {
    self.relief = relief
    do {
      database = try SQLiteFile.open(
        path, label: "procd notices", NoticeMigrations.all,
        as: DatabaseQueue.init(path:configuration:))
    } catch { throw NoticeError(error) }
  }

  /// Opens the queue for looking only, also while a daemon runs. Nil where there is none yet.
  package static func states(path: FilePath) throws(NoticeError) -> [TargetState]? {
    do { return try SQLiteFile.reading(path)?.read(TargetState.all) } catch {
      throw NoticeError(error)
    }
  }

  private func write<Value>(_ change: (Database) throws -> Value) throws(NoticeError) -> Value {
    do { return try database.write(change) } catch {
      let error = NoticeError(error)
      guard case .full = error else { throw error }
      relief()
      do { return try database.write(change) } catch { throw NoticeError(error) }
    }
  }

  // MARK: - Adding

  /// Keeps what any of the targets is to be told of.
  ///
  /// - Returns: whether there is something to tell that was not known before.
  @discardableResult
  package func add(
    _ notices: [Notice], for targets: [NotifyTarget], at now: Int64
  ) throws(NoticeError) -> Bool {
    let wanted = notices.compactMap { notice in
      let targets = targets.filter { $0.wants(notice) }.map(\.id)
      return targets.isEmpty ? nil : (notice, targets)
    }
    guard !wanted.isEmpty else { return false }
    return try write { database in
      var isNew = false
      for (notice, targets) in wanted {
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO notice
            (id, event, time, series, number, label, subject, text, details, added)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            notice.id, notice.event.rawValue, notice.time, notice.series, notice.number,
            notice.label, notice.subject, notice.text,
            String(decoding: notice.details.line, as: UTF8.self), now,
          ])
        guard database.changesCount > 0 else { continue }
        isNew = true
        for target in targets {
          try database.execute(
            sql: "INSERT OR IGNORE INTO target (id) VALUES (?)", arguments: [target])
          try database.execute(
            sql: "INSERT INTO delivery (notice, target) VALUES (?, ?)",
            arguments: [notice.id, target])
        }
      }
      return isNew
    }
  }

  /// Whether somebody was told of a pause and not of its end.
  package func hasOpenPause() throws(NoticeError) -> Bool {
    do {
      let last = try database.read {
        try Notice.latest(of: .paused, $0)
      }
      return last.map { !$0.isOver } ?? false
    } catch { throw NoticeError(error) }
  }

  // MARK: - Delivering

  package enum Next: Sendable, Equatable {
    case nothing
    case wait(until: Int64)
    case send(NoticeMessage)
  }

  /// The message that a target gets next: one that was tried already before any other.
  ///
  /// - Parameter flushes: whether nothing is held back for collecting.
  package func next(
    for target: NotifyTarget, at now: Int64, flushes: Bool
  ) throws(NoticeError) -> Next {
    try write { database in
      let rest = try Int64.fetchOne(
        database, sql: "SELECT next FROM target WHERE id = ? AND failures > 0",
        arguments: [target.id])
      if let rest, rest > now, rest < now + 2 * 86_400_000 { return .wait(until: rest) }
      if let row = try Row.fetchOne(
        database,
        sql: """
          SELECT * FROM message WHERE target = ? AND outcome IS NULL ORDER BY made, id LIMIT 1
          """, arguments: [target.id])
      {
        return .send(try Self.message(row, database))
      }
      let waiting = try Row.fetchAll(
        database,
        sql: """
          SELECT notice.id, notice.event, notice.added FROM delivery
          JOIN notice ON notice.id = delivery.notice
          WHERE delivery.target = ? AND delivery.message IS NULL ORDER BY delivery.serial
          """, arguments: [target.id]
      ).compactMap { row in
        Notice.Event(rawValue: row["event"]).map {
          Collecting.Waiting(notice: row["id"], event: $0, added: row["added"])
        }
      }
      switch Collecting(every: target.every).next(waiting, at: now, flushes: flushes) {
      case .nothing: return .nothing
      case .wait(let until): return .wait(until: until)
      case .send(let notices):
        let id = JobIdentifiers.make(at: now)
        try database.execute(
          sql: "INSERT INTO message (id, target, made) VALUES (?, ?, ?)",
          arguments: [id, target.id, now])
        for notice in notices {
          try database.execute(
            sql: "UPDATE delivery SET message = ? WHERE notice = ? AND target = ?",
            arguments: [id, notice, target.id])
        }
        guard
          let row = try Row.fetchOne(
            database, sql: "SELECT * FROM message WHERE id = ?", arguments: [id])
        else { return .nothing }
        return .send(try Self.message(row, database))
      }
    }
  }

  private static func message(_ row: Row, _ database: Database) throws -> NoticeMessage {
    let id: String = row["id"]
    let notices = try Row.fetchAll(
      database,
      sql: """
        SELECT notice.* FROM delivery JOIN notice ON notice.id = delivery.notice
        WHERE delivery.message = ? ORDER BY delivery.serial
        """, arguments: [id]
    ).map(Notice.init(row:))
    return NoticeMessage(
      id: id, made: row["made"], attempts: row["attempts"], notices: notices)
  }

  /// Notes how a try ended.
  ///
  /// - Returns: whether the message was given up.
  @discardableResult
  package func ended(
    _ message: NoticeMessage, _ outcome: DeliveryOutcome, for target: NotifyTarget, at now: Int64
  ) throws(NoticeError) -> Bool {
    try write { database in
      try database.execute(
        sql: "UPDATE message SET attempts = attempts + 1 WHERE id = ?", arguments: [message.id])
      try database.execute(
        sql: "INSERT OR IGNORE INTO target (id) VALUES (?)", arguments: [target.id])
      func end(_ how: String) throws {
        try database.execute(
          sql: "UPDATE message SET ended = ?, outcome = ? WHERE id = ?",
          arguments: [now, how, message.id])
      }
      let reason: String, asked: Int?
      switch outcome {
      case .delivered:
        try end("delivered")
        try database.execute(
          sql:
            "UPDATE target SET failures = 0, next = 0, reason = NULL, delivered = ? WHERE id = ?",
          arguments: [now, target.id])
        return false
      case .later(let text, let seconds): (reason, asked) = (text, seconds)
      case .refused(let text, _): (reason, asked) = (text, nil)
      }
      let isGivenUp = Retrying.isGivenUp(
        outcome, attempts: message.attempts + 1, made: message.made, at: now)
      if isGivenUp { try end("dropped") }
      let failures = try Int.fetchOne(
        database, sql: "SELECT failures FROM target WHERE id = ?", arguments: [target.id])
      let count = min((failures ?? 0) + 1, 1000)
      try database.execute(
        sql: """
          UPDATE target SET failures = ?, next = ?, reason = ?, dropped = dropped + ? WHERE id = ?
          """,
        arguments: [
          count, now + Retrying.wait(after: count, asked: asked), reason, isGivenUp ? 1 : 0,
          target.id,
        ])
      return isGivenUp
    }
  }

  /// Removes what was told long ago.
  ///
  /// - Parameter before: milliseconds since 1970.
  package func forget(before: Int64) throws(NoticeError) {
    try write { database in
      try database.execute(
        sql: """
          DELETE FROM notice WHERE added < ?1 AND NOT EXISTS (
            SELECT 1 FROM delivery LEFT JOIN message ON message.id = delivery.message
            WHERE delivery.notice = notice.id AND message.outcome IS NULL
            AND notice.added > ?1 - 2592000000)
          """, arguments: [before])
      try database.execute(
        sql: """
          DELETE FROM message WHERE NOT EXISTS (
            SELECT 1 FROM delivery WHERE delivery.message = message.id)
          """)
    }
  }
}

extension Notice {
  /// Arguments: the event.
  static let latest = "SELECT * FROM notice WHERE event = ? ORDER BY added DESC, rowid DESC LIMIT 1"

  fileprivate static func latest(of event: Event, _ database: Database) throws -> Notice? {
    try Row.fetchOne(
      database,
      sql: latest,
      arguments: [event.rawValue]
    ).map(Notice.init(row:))
  }

  fileprivate init(row: Row) {
    self.init(
      id: row["id"], event: Event(rawValue: row["event"]) ?? .done, time: row["time"],
      series: row["series"], number: row["number"], label: row["label"], subject: row["subject"],
      text: row["text"], details: (try? JSONReader.read(row["details"] as String).value) ?? [:])
  }
}
