/// What is known of a list: its newest edition, and how fresh that is.
package struct ListStanding: Sendable {
  /// The newest edition with all its rows; a partial one where there is no other.
  package var newest: Edition
  /// Editions that came damaged after the newest, the newest first.
  package var partial: [Edition]
  /// Lists that came after all that were kept, the newest first.
  package var refused: [RefusedEdition]
  /// When the list was last found as it is, milliseconds since 1970; nil where nobody asks again.
  package var checked: Int64?

  /// The standing of a list that is read once and not kept.
  init(of edition: Edition, checked: Int64?) {
    (newest, partial, refused) = (edition, [], [])
    self.checked = checked
  }

  /// That the newest edition, or one after it, came damaged; a sentence without its end.
  var damage: String? {
    if newest.isPartial { return "Only part of this list could be read" }
    return partial.first.map { "Only part of the list of \($0.told) could be read" }
  }

  /// That what came last was not taken, a sentence without a full stop.
  var refusal: String? {
    refused.first.map { last in
      refused.count > 1
        ? "\(refused.count) newer files were refused, the last of them \(last.name): \(last.reason)"
        : "A newer file came: \(last.sentence)"
    }
  }

  /// Sentences for people on what may be missing, without full stops.
  package var warnings: [String] {
    [damage.map { "\($0): rows may be missing" }, refusal].compactMap(\.self)
  }
}

extension SeriesReader {
  /// Nil where the list has no edition.
  package func standing(of series: String) throws(SeriesError) -> ListStanding? {
    let editions = try editions(of: series)
    guard let newest = editions.best else { return nil }
    var standing = ListStanding(
      of: newest, checked: editions.map(\.confirmed).max() ?? newest.arrived)
    standing.partial = Array(editions.prefix { $0.job != newest.job })
    standing.refused = try refused(of: series)
    return standing
  }
}
