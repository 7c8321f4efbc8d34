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

  static func all(_ database: Database) throws -> [TargetState] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT names.id AS id, target.failures, target.next, target.reason, target.delivered,
          target.dropped, (
            SELECT count(*) FROM delivery LEFT JOIN message ON message.id = delivery.message
            WHERE delivery.target = names.id AND message.outcome IS NULL) AS pending, (
            SELECT min(notice.added) FROM delivery JOIN notice ON notice.id = delivery.notice
            WHERE delivery.target = names.id AND delivery.message IS NULL) AS oldest
        FROM (SELECT id FROM target UNION SELECT target FROM delivery) AS names
        LEFT JOIN target ON target.id = names.id ORDER BY names.id
        """
    ).map { row in
      let failures = (row["failures"] as Int?) ?? 0
      return TargetState(
        target: row["id"], pending: row["pending"], oldest: row["oldest"], failures: failures,
        reason: row["reason"],
        next: failures > 0 ? row["next"] : nil, delivered: row["delivered"],
        dropped: (row["dropped"] as Int?) ?? 0)
    }
  }
}
