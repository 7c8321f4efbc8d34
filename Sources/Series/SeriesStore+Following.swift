internal import GRDB

/// A number that somebody wants to hear of.
package struct FollowedNumber: Sendable, Equatable {
  package var number: String
  /// What it is called by who follows it.
  package var label: String?
  /// Milliseconds since 1970.
  package var since: Int64

  package init(number: String, label: String?, since: Int64) {
    (self.number, self.label, self.since) = (number, label, since)
  }
}

extension SeriesStore {
  /// Follows a number, or gives one that is followed another label.
  package func follow(_ followed: FollowedNumber) throws(SeriesError) {
    try write { database in
      try database.execute(
        sql: """
          INSERT INTO followed VALUES (?, ?, ?)
          ON CONFLICT(number) DO UPDATE SET label = coalesce(excluded.label, label)
          """, arguments: [followed.number, followed.label, followed.since])
    }
  }

  /// Follows a number no longer; false where it was not followed.
  package func unfollow(_ number: String) throws(SeriesError) -> Bool {
    try write { database in
      try database.execute(sql: "DELETE FROM followed WHERE number = ?", arguments: [number])
      return database.changesCount > 0
    }
  }
}
