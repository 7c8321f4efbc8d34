/// One appearance of a list.
package struct Edition: Sendable, Equatable {
  package var series: String
  /// The job that read it.
  package var job: String
  /// The name of its file.
  package var name: String
  /// Where the file arrived, below the inbox; nil where nobody may say later that it is still the same.
  package var path: String?
  /// YYYY-MM-DD: what the file's name says, or the day of its last change; see ``EditionDate``.
  package var date: String
  /// Milliseconds since 1970.
  package var arrived: Int64
  /// Whether it may lack rows: damaged, or read with doubts.
  package var isPartial: Bool
  package var numbers: Int
  package var rows: Int
  /// When the same content was last put up again; the time of its arrival where it was not.
  package var confirmed: Int64
  /// Its place among the editions of its date, from 1.
  package var place = 1

  package init(
    series: String, job: String, name: String, path: String? = nil, date: String, arrived: Int64,
    isPartial: Bool, numbers: Int = 0, rows: Int = 0
  ) {
    (self.series, self.job, self.name, self.path) = (series, job, name, path)
    (self.date, self.arrived, self.isPartial) = (date, arrived, isPartial)
    (self.numbers, self.rows) = (numbers, rows)
    confirmed = arrived
  }

  /// Its date as YYYY-MM-DD; the second and later ones of a day are numbered.
  package var day: String { place > 1 ? "\(date) (\(place))" : date }

  /// Its date for people, as `15 Jun 2012`; the second and later ones of a day are numbered.
  package var told: String {
    let written = EditionDate.written(date)
    return place > 1 ? "\(written) (no. \(place) of that day)" : written
  }
}

/// The editions of a list, the newest first.
extension [Edition] {
  /// The newest one that has all its rows; a partial one where there is no other.
  var best: Edition? { first { !$0.isPartial } ?? first }

  /// The same, the newest first, each with its place among those of its date.
  var numbered: [Edition] {
    var editions = self
    for index in editions.indices.dropLast().reversed()
    where editions[index].date == editions[index + 1].date {
      editions[index].place = editions[index + 1].place + 1
    }
    return editions
  }
}

/// What became of an edition that was handed in.
package struct RecordedEdition: Sendable, Equatable {
  package enum Standing: String, Sendable {
    /// The first of its series.
    case first
    /// The newest, compared with the one before.
    case newest
    /// Older than one that is known; put in its place.
    case late
    /// Its rows are those of a known neighbour: nothing changes.
    case known
  }

  package var edition: Edition
  package var standing: Standing
  /// The date of the edition it was compared with.
  package var comparedWith: String?
  /// The dates of partial editions since then: what they told already is no change again.
  package var partials: [String]
  package var changes: ListChanges

  package init(
    edition: Edition, standing: Standing, comparedWith: String?, partials: [String] = [],
    changes: ListChanges
  ) {
    (self.edition, self.standing) = (edition, standing)
    (self.comparedWith, self.partials) = (comparedWith, partials)
    self.changes = changes
  }
}
