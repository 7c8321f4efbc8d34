/// When each word of an utterance is heard.
struct WordTimes: Equatable {
  /// The first sample of each word from the beginning of the utterance; never falls.
  private(set) var starts: [Int] = []
  /// The sample behind the last word.
  private(set) var end = 0

  /// - Parameters:
  ///   - text: what the engine got.
  ///   - utterance: what it made of it.
  init(_ text: SpokenText, _ utterance: Utterance) {
    let loud = Self.loudRange(utterance.samples)
    end = loud.upperBound
    var found = [Int?](repeating: nil, count: text.starts.count)
    let spoken = text.starts.indices.filter { text.starts[$0] != nil }
    let offsets = spoken.map { text.starts[$0] ?? 0 }
    for event in utterance.events {
      guard let word = Self.word(at: event.scalar, offsets).map({ spoken[$0] }) else { continue }
      found[word] = min(found[word] ?? .max, event.sample)
    }
    if let first = spoken.first, found[first] == nil { found[first] = loud.lowerBound }
    starts = Self.filled(found, isSpoken: text.starts.map { $0 != nil }, end: end)
    for index in starts.indices { starts[index] = max(starts[index], loud.lowerBound) }
  }

  /// The samples from the first to the last that can be heard.
  static func loudRange(_ samples: [Int16]) -> Range<Int> {
    // A hundredth of the loudest that is possible: below it lie only the ends of fading sounds.
    func isLoud(_ sample: Int16) -> Bool { sample.magnitude > 160 }
    guard let first = samples.firstIndex(where: isLoud),
      let last = samples.lastIndex(where: isLoud)
    else { return 0..<samples.count }
    return first..<last + 1
  }

  /// The last place whose offset is not behind a scalar.
  private static func word(at scalar: Int, _ offsets: [Int]) -> Int? {
    var low = 0, high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] <= scalar { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The engine says some words together ("of the") and tells of the first alone: the others get
  /// their share of the time up to the next that is known. Words that are not spoken get none.
  private static func filled(_ found: [Int?], isSpoken: [Bool], end: Int) -> [Int] {
    var starts: [Int] = []
    starts.reserveCapacity(found.count)
    var index = 0, latest = 0
    while index < found.count {
      var next = index + 1
      while next < found.count, found[next] == nil { next += 1 }
      let start = max(latest, min(found[index] ?? latest, end))
      let limit = max(start, min(next < found.count ? found[next] ?? end : end, end))
      let sharers = max(1, (index..<next).count { isSpoken[$0] })
      var before = 0
      for word in index..<next {
        starts.append(start + (limit - start) * before / sharers)
        if isSpoken[word] { before += 1 }
      }
      latest = starts.last ?? latest
      index = next
    }
    return starts
  }
}
