/// When one programme of a file runs, small enough to keep all of a file's in memory.
struct Showing: Equatable {
  var start: Int64
  var work: UInt32
  var channel: UInt32
  /// Its place in the file.
  var order: UInt32
  /// Seconds in the lower 24 bits, 0 where the end is not known; above them the marks.
  private var packed: UInt32

  init(
    channel: UInt32, start: Int64, stop: Int64?, work: UInt32, marks: ShowingMarks, order: UInt32
  ) {
    (self.start, self.work, self.channel, self.order) = (start, work, channel, order)
    // What is beyond is mended, and must still be seen to be too long.
    let length = (stop ?? start).subtractingReportingOverflow(start).partialValue
    packed = UInt32(clamping: min(length, 0xFF_FFFF)) | UInt32(marks.rawValue) << 24
  }

  var length: Int64 {
    get { Int64(packed & 0xFF_FFFF) }
    set { packed = packed & 0xFF00_0000 | UInt32(clamping: newValue) & 0xFF_FFFF }
  }
  var marks: ShowingMarks {
    get { ShowingMarks(rawValue: UInt8(packed >> 24)) }
    set { packed = packed & 0xFF_FFFF | UInt32(newValue.rawValue) << 24 }
  }
  var stop: Int64 { start + length }

  /// Whether it says the same, wherever it stood in its file.
  func same(as other: Showing) -> Bool {
    start == other.start && work == other.work && channel == other.channel && packed == other.packed
  }
}

/// Puts what files say of one channel into an order in which one programme follows another.
enum Schedule {
  struct Mended: Equatable {
    var doubled = 0, overlaps = 0, stopsAdded = 0
  }

  /// Mends the programmes of one channel from one file.
  ///
  /// - Parameter showings: sorted by start and, for those that begin together, by their place in the file.
  static func mend(_ showings: inout [Showing], _ count: inout Mended) {
    var kept: [Showing] = []
    kept.reserveCapacity(showings.count)
    for showing in showings {
      if let last = kept.last, last.start == showing.start {
        // What the file says later corrects what it said before.
        count.doubled += 1
        kept[kept.count - 1] = showing
      } else {
        kept.append(showing)
      }
    }
    for index in kept.indices {
      let next = index + 1 < kept.count ? kept[index + 1].start - kept[index].start : nil
      if kept[index].length == 0 {
        count.stopsAdded += 1
        kept[index].marks.insert(.guessedStop)
        kept[index].length =
          next.flatMap { $0 <= Limits.longestGuess ? $0 : nil } ?? Limits.guessedLength
      } else if kept[index].length > Limits.longestProgramme {
        count.stopsAdded += 1
        kept[index].marks.insert(.guessedStop)
        kept[index].length = Limits.longestProgramme
      }
      if let next, kept[index].length > next {
        if !kept[index].marks.contains(.guessedStop) { count.overlaps += 1 }
        kept[index].length = next
      }
    }
    showings = kept
  }

  /// What has to change in the guide.
  struct Change: Equatable {
    var remove: [Showing] = []
    var insert: [Showing] = []
    var unchanged = 0
    /// Of those to remove, how many come back with an earlier end.
    var shortened = 0
  }

  /// Brings a newer file together with what is known of a channel already.
  ///
  /// The newer file is right wherever it says something: what runs at the same time goes. One that began
  /// before all that the newer file tells of is shortened instead, as its beginning is not in question.
  ///
  /// - Parameters:
  ///   - old: what is known, in order, without overlaps.
  ///   - new: the newer file, mended.
  static func merge(old: [Showing], new: [Showing]) -> Change {
    var change = Change(), next = 0
    guard let first = new.first else { return change }
    var known: Set<Int> = []
    for showing in old {
      while next < new.count, new[next].stop <= showing.start { next += 1 }
      guard next < new.count, new[next].start < showing.stop else { continue }
      if new[next].same(as: showing) {
        known.insert(next)
        continue
      }
      change.remove.append(showing)
      if showing.start < first.start {
        var rest = showing
        rest.length = first.start - showing.start
        change.insert.append(rest)
        change.shortened += 1
      }
    }
    change.unchanged = known.count
    for (index, showing) in new.enumerated() where !known.contains(index) {
      change.insert.append(showing)
    }
    return change
  }
}
