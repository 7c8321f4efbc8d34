internal import Synchronization
internal import Workers

/// The fleet as it is shown to people.
extension FleetSlots {
  /// A machine, as it is shown.
  package struct Machine: Sendable {
    package var presence: Presence
    /// Why it gets no work; nil where it does.
    package var reason: String?
  }

  /// The fleet at one moment, for status and figures.
  package struct View: Sendable {
    package var trouble: String?
    package var machines: [Machine]
    package var out: Int
    package var sent: Int
    package var returned: Int
    package var dropped: Int
    package var hasStrangers: Bool

    package var slots: Int {
      machines.reduce(0) { $0 + ($1.reason == nil ? $1.presence.slots : 0) }
    }
    package var helpers: Int { machines.count { $0.reason == nil } }

    /// For people; two lines where all is well.
    package var lines: [String] {
      if let trouble {
        return [
          "\(trouble); new steps run here"
            + (out > 0
              ? ", \(out) that \(out == 1 ? "is" : "are") out will do so too if it stays away" : "")
        ]
      }
      let busy = machines.reduce(0) { $0 + $1.presence.busy }
      return [
        "\(helpers) helper\(helpers == 1 ? "" : "s") with \(slots) slot\(slots == 1 ? "" : "s"), \(busy) busy",
        "\(out) order\(out == 1 ? "" : "s") out, \(sent) sent, \(returned) done here after all",
      ]
        + machines.compactMap { machine in
          machine.reason.map { "\(machine.presence.name) gets no work: \($0)" }
        } + (hasStrangers ? ["machines with another key are at the broker"] : [])
    }
  }

  package var view: View {
    state.withLock { state in
      let now = milliseconds()
      return View(
        trouble: state.trouble?.message,
        machines: state.neighbors.helpers(at: now).map { helper in
          Machine(
            presence: helper,
            reason: state.book.isShunned(helper.name)
              ? "it answered nonsense three times: look at its memory and disk, then start it anew"
              : helper.whyIdle(for: Array(state.builds.values)))
        }, out: state.book.count, sent: state.sent, returned: state.returned,
        dropped: state.book.dropped, hasStrangers: state.neighbors.hasStrangers(at: now))
    }
  }
}

extension Presence {
  /// Why a helper does nothing for a keeper with these builds; nil where it does.
  package func whyIdle(for keeper: [StepBuild]) -> String? {
    if isDraining { return "it is being drained" }
    let lacks = lacks(of: keeper)
    guard lacks.count == keeper.count else { return nil }
    return lacks.compactMap(\.reason).first ?? "it has none of the steps that travel"
  }

  /// The steps of a keeper that a helper cannot do exactly, and why; without a reason those that it does not have.
  package func lacks(of keeper: [StepBuild]) -> [(step: String, reason: String?)] {
    keeper.compactMap { own in
      if builds.contains(where: { $0.digest == own.digest }) { return nil }
      return (own.step, builds.first { $0.step == own.step }?.difference(from: own))
    }
  }

  /// What of a keeper's work it does not get, though it gets some, for people.
  package func partly(for keeper: [StepBuild]) -> [String] {
    guard whyIdle(for: keeper) == nil else { return [] }
    return lacks(of: keeper).compactMap { lack in lack.reason.map { "gets no \(lack.step): \($0)" }
    }
  }
}
