package import Notices
package import Pipelines
internal import PluginKit

/// Sends a test message, so that nobody has to wait for bad news to see whether it would arrive.
package struct NoticeTrial: Sendable {
  private let active: ActiveConfiguration
  private let net: NetProgram

  package init(_ active: ActiveConfiguration, _ net: NetProgram) {
    (self.active, self.net) = (active, net)
  }

  /// Sends it to one target now; it is not kept and not tried again.
  ///
  /// - Parameter log: told the subject where the target is the log.
  package func send(
    to target: NotifyTarget, log: @escaping @Sendable (String) -> Void
  ) async -> DeliveryOutcome {
    let now = wallTime(), id = "test:\(JobIdentifiers.make(at: now))"
    let events = Notice.Event.allCases.filter(target.events.contains)
    let notice = Notice(
      id: id, event: events.first ?? .news, time: now, subject: "A test by procd",
      text: "This is a test of \(target.place), which is told of"
        + " \(events.map(\.rawValue).joined(separator: ", ")). Nothing has happened.",
      details: ["test": true])
    let courier = Courier(
      active: active, net: net, isWanted: { true },
      emit: { if case .told(let subject, _) = $0 { log(subject) } })
    return await courier.deliver(
      NoticeMessage(id: id, made: now, attempts: 0, notices: [notice]), to: target)
  }
}
