internal import GRDB

/// How it stands with one target, for `status`.
package struct TargetState: Sendable, Equatable {
  package var target: String
  /// Notices that it was not told of yet.
  package var pending: Int
  /// When the oldest of those came that are in no message yet.
  package var oldest: Int64?
  /// Failures in a row, why the last, and when it is tried again.
  package var failures: Int
  package var reason: String?
  package var next: Int64?
  /// When it last took a message.
  package var delivered: Int64?
  /// Messages that were given up.
  package var dropped: Int

  /// What was told already is gone through by none of these.
  static let statement = """
    SELECT id, failures, next, reason, delivered, dropped,
      (SELECT count(*) FROM delivery WHERE delivery.target = target.id AND delivery.message IS NULL)
        + (SELECT count(*) FROM message CROSS JOIN delivery ON delivery.message = message.id
          WHERE message.target = target.id AND message.outcome IS NULL) AS pending,
      (SELECT notice.added FROM delivery CROSS JOIN notice ON notice.id = delivery.notice
        WHERE delivery.target = target.id AND delivery.message IS NULL
        ORDER BY delivery.serial LIMIT 1) AS oldest
    FROM target ORDER BY id
    """

  static func all(_ database: Database) throws -> [TargetState] {
    try Row.fetchAll(database, sql: statement).map { row in
      let failures: Int = row["failures"]
      return TargetState(
        target: row["id"], pending: row["pending"], oldest: row["oldest"], failures: failures,
        reason: row["reason"],
        next: failures > 0 ? row["next"] : nil, delivered: row["delivered"],
        dropped: row["dropped"])
    }
  }
}
