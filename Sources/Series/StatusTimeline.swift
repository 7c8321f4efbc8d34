internal import Bytes

/// How the status of a number went from list to list, as spans of days.
struct StatusTimeline {
  struct Span: Equatable {
    /// Nil for the time in which the number was in no list.
    var entry: ListEntry?
    /// Counted from 1970-01-01.
    var first: Int
    /// The day from which something else holds.
    var end: Int
  }

  /// The oldest first; each begins where the one before ends.
  private(set) var spans: [Span] = []

  /// - Parameters:
  ///   - story: the newest first, as ``SeriesReader/story(of:in:)`` gives it.
  ///   - editions: all of the list, the newest first.
  ///   - newest: the list that holds now.
  init(_ story: [StoryPart], editions: [Edition], newest: Edition) {
    for part in story.reversed() {
      guard let day = Self.day(part.edition), let entry = part.entries.current else { continue }
      // A torn row of a damaged list says nothing.
      if part.edition.isPartial, entry.doubt != nil { continue }
      if let last = spans.last, let held = last.entry, held.says(entry) {
        spans[spans.count - 1].end = day
      } else {
        close(at: day)
        spans.append(Span(entry: entry, first: day, end: day))
      }
      guard part.isLostAfter || part.edition.job == story.first?.edition.job,
        let lost = Self.whole(after: part.edition, editions), let begin = Self.day(lost)
      else { continue }
      close(at: begin)
      spans.append(Span(entry: nil, first: begin, end: begin))
    }
    if let day = Self.day(newest) { close(at: day) }
  }

  /// The whole list that came next: one that would have the number, were it still there.
  private static func whole(after edition: Edition, _ editions: [Edition]) -> Edition? {
    guard let place = editions.firstIndex(where: { $0.job == edition.job }) else { return nil }
    return editions[..<place].last { !$0.isPartial }
  }

  /// Nobody knows what held between two lists: the older one counts until the newer one came.
  private mutating func close(at day: Int) {
    if let last = spans.last, last.end < day { spans[spans.count - 1].end = day }
  }

  /// Whether it shows more than that something is so.
  var isWorthShowing: Bool {
    guard spans.count > 1, let first = spans.first, let last = spans.last else { return false }
    return last.end > first.first
  }

  /// Whether the number was in no list for a while, and came back.
  var hasBreak: Bool { spans.dropLast().contains { $0.entry == nil } }

  /// For each span the place of its status among all that it had; nil where it is in no list.
  var shades: [Int?] {
    var known: [String: Int] = [:]
    return spans.map { span in
      guard let status = span.entry?.status.lowercased() else { return nil }
      let shade = known[status] ?? known.count
      known[status] = shade
      return shade
    }
  }

  private static func day(_ edition: Edition) -> Int? {
    CalendarDate(iso: edition.date)?.daysSince1970
  }
}
