internal import PDFText

/// Dates that go on over the lines of their cell.
struct WrappedDate {
  /// From top to bottom.
  let lines: [[PlacedWord]]
  /// The middles of the rows, sorted.
  let rows: [Double]
  /// Of the letters of the rows.
  let size: Double

  /// What stands in a column beside a number, and with the lines around it that make it a date.
  struct Found {
    /// On the line of the number.
    var onLine: [PlacedWord]
    /// Of the whole date; empty where there is none.
    var date: [PlacedWord]
  }

  /// Looks beside a number whose line has no date.
  func find(
    beside middle: Double, in column: ClosedRange<Double>, _ finder: inout DateFinder
  ) -> Found {
    let parts = parts(around: middle, in: column)
    let own = parts.firstIndex { ($0.middle - middle).magnitude < 0.5 * size }
    var found = Found(onLine: own.map { parts[$0].words } ?? [], date: [])
    // As few lines as make a date, those below before those above: most cells are aligned at the top.
    for count in 2...4 {
      for start in parts.indices.reversed() where start + count <= parts.count {
        let place = start..<(start + count)
        guard reaches(parts[place], middle), own.map(place.contains) ?? true else { continue }
        let words = parts[place].flatMap(\.words)
        if finder.isDate(PlacedWord.text(words)) {
          found.date = words
          return found
        }
      }
    }
    return found
  }

  /// The extent of the dates that go on over lines in a column; nil where most rows have none.
  func extent(in column: ClosedRange<Double>, _ finder: inout DateFinder) -> ClosedRange<Double>? {
    let asked = rows.prefix(40)
    var count = 0
    var low = column.lowerBound, high = column.upperBound
    for middle in asked {
      let date = find(beside: middle, in: column, &finder).date
      if !date.isEmpty { count += 1 }
      for word in date { (low, high) = (min(low, word.box.x0), max(high, word.box.x1)) }
    }
    return asked.count >= 3 && count * 2 > asked.count ? low...high : nil
  }

  private typealias Part = (middle: Double, words: [PlacedWord])

  /// What the lines around a number have in a column, without those of other numbers.
  private func parts(around middle: Double, in column: ClosedRange<Double>) -> [Part] {
    let reach = 4.5 * size
    // Lines are sorted by their tops; one more is no harm.
    var low = 0, high = lines.count
    while low < high {
      let place = (low + high) / 2
      if (lines[place].first?.box.middleY ?? 0) < middle - reach {
        low = place + 1
      } else {
        high = place
      }
    }
    var result: [Part] = []
    for line in lines[low...] {
      guard let place = line.first?.box.middleY, place < middle + reach else { break }
      let isOwn = (place - middle).magnitude < 0.5 * size
      if !isOwn, rows.hasRow(at: place, size) {
        // What is beyond another number is not this one's.
        if place < middle { result = [] } else { break }
        continue
      }
      let words = line.filter { $0.box.x0 < column.upperBound && $0.box.x1 > column.lowerBound }
      if !words.isEmpty { result.append((place, words)) }
    }
    return result
  }

  /// Whether the number stands beside these lines.
  private func reaches(_ parts: ArraySlice<Part>, _ middle: Double) -> Bool {
    guard let first = parts.first?.middle, let last = parts.last?.middle else { return false }
    let areNeighbours = zip(parts, parts.dropFirst()).allSatisfy {
      $1.middle - $0.middle < 1.75 * size
    }
    return areNeighbours && first < middle + 0.5 * size && last > middle - 0.5 * size
  }
}
