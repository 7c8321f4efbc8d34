internal import Files
internal import Notices
package import Pipelines
internal import PluginKit
package import SystemPackage

/// Tells one thing while procd does not work yet, or no more.
package struct SingleNotice: Sendable {
  private let delivery: NoticeDelivery

  /// - Parameter isWanted: what was not told once this says no is told when procd works.
  package init(
    _ active: ActiveConfiguration, _ net: NetProgram,
    emit: @escaping @Sendable (ConveyorEvent) -> Void,
    while isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    delivery = NoticeDelivery(
      courier: Courier(active: active, net: net, isWanted: isWanted, emit: emit),
      isStopping: { !isWanted() }, emit: emit, tellsEach: true)
  }

  /// Keeps it in the spool until it was told. Where there is none, it is tried once.
  package func tell(_ notice: Notice) async {
    let targets = delivery.courier.active.configuration.notify.filter { $0.wants(notice) }
    guard !targets.isEmpty else { return }
    let queue = kept(notice)
    await withDiscardingTaskGroup { group in
      for target in targets {
        group.addTask {
          if let queue {
            _ = await delivery.serve(target, queue, flushes: false)
          } else {
            let message = NoticeMessage(
              id: notice.id, made: notice.time, attempts: 0, notices: [notice])
            let outcome = await delivery.courier.deliver(message, to: target)
            delivery.say(outcome, target, message, isGivenUp: true)
          }
        }
      }
    }
  }

  /// The queue that has it now; nil where there can be none, which is told unless there is no spool.
  private func kept(_ notice: Notice) -> NoticeQueue? {
    let active = delivery.courier.active
    do {
      // Not below the mount point of a disk that is missing: only a spool that was used before has a ledger.
      guard try Folder.standing(active.spool)?.exists(Spool.ledgerName) == true else { return nil }
      let queue = try NoticeQueue(
        path: active.spool.appending(NoticeQueue.fileName.components))
      try queue.add([notice], for: active.configuration.notify, at: wallTime())
      return queue
    } catch {
      delivery.emit(.trouble("\(error)"))
      return nil
    }
  }
}

extension Notice {
  /// Intake pauses.
  package static func paused(_ reason: String) -> Notice {
    intake(
      "paused", "procd takes in no files at present",
      "\(reason). Intake goes on when this is fixed; nothing is lost.", ["reason": .string(reason)])
  }

  static func intake(_ kind: String, _ subject: String, _ text: String, _ details: JSON) -> Notice {
    let now = wallTime()
    return Notice(
      id: "\(kind):\(now)", event: .paused, time: now, subject: subject, text: text,
      details: details)
  }

  /// procd ended by itself, or could not start. However often it is tried, the same is told once a day.
  ///
  /// - Parameter ledger: told again where another one stands there.
  package static func stopped(_ reason: String, ledger: FilePath) -> Notice {
    let now = wallTime(), name = ledger.lastComponent.map { FilePath(name: $0) } ?? ledger
    let status = (try? Folder.open(ledger.removingLastComponent()).status(name)) ?? nil
    let mark = status.map { "\($0.inode) \($0.modified)" } ?? ""
    return Notice(
      id: "stopped:\(now / 86_400_000):\(mark):\(reason)", event: .stopped, time: now,
      subject: "procd has stopped", text: "\(reason).", details: ["reason": .string(reason)])
  }
}
