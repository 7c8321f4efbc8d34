package import Pipelines

/// Which notices make the next message to a target, and when: news of a number goes at once and alone,
/// other news is collected for a while into one message.
package struct Collecting: Sendable {
  /// Milliseconds for which other news is collected.
  package var every: Int
  /// More than these are not put into one message.
  package static let most = 500

  package init(every: Int) { self.every = every }

  /// One that waits for the target, in the order of coming.
  package struct Waiting: Sendable, Equatable {
    package var notice: String
    package var event: Notice.Event
    package var added: Int64
    package init(notice: String, event: Notice.Event, added: Int64) {
      (self.notice, self.event, self.added) = (notice, event, added)
    }
  }

  package enum Next: Sendable, Equatable {
    case nothing
    case wait(until: Int64)
    case send([String])
  }

  /// - Parameter flushes: whether nothing is held back, because procd ends.
  package func next(_ waiting: [Waiting], at now: Int64, flushes: Bool) -> Next {
    // What somebody has to do something about is not held back.
    if let news = waiting.first(where: { [.number, .paused, .stopped].contains($0.event) }) {
      return .send([news.notice])
    }
    guard let oldest = waiting.first else { return .nothing }
    let due = oldest.added + Int64(every)
    // A clock that was set back must not hold news for longer.
    guard flushes || now >= due || oldest.added > now else { return .wait(until: due) }
    return .send(waiting.prefix(Self.most).map(\.notice))
  }
}

/// When a target that failed is tried again, and when a message is given up.
package enum Retrying {
  private static let firstWait: Int64 = 2000
  private static let longestWait: Int64 = 3_600_000
  /// How long a target may ask to be left alone.
  private static let longestAsked: Int64 = 86_400_000
  /// A message that is put off again and again is given up after a week.
  private static let patience: Int64 = 7 * 86_400_000
  /// So often a message is tried that a target refuses.
  private static let mostRefusals = 10

  /// Milliseconds to wait after this many failures in a row.
  ///
  /// - Parameter asked: seconds that the target asked for.
  package static func wait(after failures: Int, asked: Int?) -> Int64 {
    let doubled = min(firstWait << Int64(min(max(0, failures - 1), 20)), longestWait)
    return max(doubled, min(Int64(min(max(0, asked ?? 0), 86_400)) * 1000, longestAsked))
  }

  package static func isGivenUp(
    _ outcome: DeliveryOutcome, attempts: Int, made: Int64, at now: Int64
  ) -> Bool {
    switch outcome {
    case .delivered: false
    case .later: now - made > patience
    case .refused(_, let isFinal): isFinal || attempts >= mostRefusals
    }
  }
}

/// How one try ended.
package enum DeliveryOutcome: Sendable, Equatable {
  case delivered
  /// The target cannot take it now.
  case later(reason: String, seconds: Int?)
  /// The target does not want it; where that is not final, some more tries are made.
  case refused(reason: String, isFinal: Bool)
}
