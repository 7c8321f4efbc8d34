/// What one edition of a list says of a number.
package struct StoryPart: Sendable {
  package var edition: Edition
  package var entries: [ListEntry]
  /// Whether a whole list after this one, before the next one told of, did not have the number.
  package var isLostAfter = false
}

extension [StoryPart] {
  /// Marks the parts behind which a whole list was without the number, and gives their editions their
  /// places of the day.
  ///
  /// - Parameter editions: all of the list, the newest first, as the parts are.
  mutating func mark(among editions: [Edition]) {
    var next = startIndex
    var isLost = false
    for edition in editions where next < endIndex {
      if edition.job == self[next].edition.job {
        self[next].isLostAfter = isLost
        self[next].edition.place = edition.place
        isLost = false
        next += 1
      } else if !edition.isPartial {
        isLost = true
      }
    }
  }

  /// Every row that the number had, with the first and the last list of each time that it stood there
  /// without a break, the newest first.
  package var history: [(entry: ListEntry, first: String, last: String)] {
    var lines: [(entry: ListEntry, first: String, last: String)] = []
    // The lines whose rows were in the list after, by their places among those rows.
    var open: [Int] = []
    var said = SaidRows()
    for part in self {
      if part.isLostAfter { (open, said) = ([], SaidRows()) }
      var stay: [Int] = []
      var kept = SaidRows()
      func keep(_ line: Int) {
        if kept.add(lines[line].entry) == nil { stay.append(line) }
      }
      for entry in part.entries.reversed() where kept.place(of: entry) == nil {
        if let place = said.place(of: entry) {
          lines[open[place]].first = part.edition.day
          keep(open[place])
        } else {
          lines.append((entry, part.edition.day, part.edition.day))
          keep(lines.count - 1)
        }
      }
      // What a damaged list does not show may be there all the same.
      if part.edition.isPartial { open.forEach(keep) }
      (open, said) = (stay, kept)
    }
    return lines
  }
}
