internal import Files
internal import Notices
package import Pipelines
internal import PluginKit
package import SystemPackage

/// Brings what waits for one target to it, message by message.
struct NoticeDelivery: Sendable {
  let active: ActiveConfiguration
  let net: NetProgram
  /// False once a message that is on its way is to be given up.
  let isWanted: @Sendable () -> Bool
  /// True once no further message is begun.
  let isStopping: @Sendable () -> Bool
  let emit: @Sendable (ConveyorEvent) -> Void
  /// Whether each failure is told: who runs procd from time to time reads each run by itself.
  let tellsEach: Bool

  /// - Parameter flushes: whether nothing is held back for collecting.
  /// - Returns: when there is something to do again.
  func serve(_ target: NotifyTarget, _ queue: NoticeQueue, flushes: Bool) async -> Int64 {
    do throws(NoticeError) {
      while !isStopping() {
        switch try queue.next(for: target, at: wallTime(), flushes: flushes) {
        case .nothing: return .max
        case .wait(let until): return until
        case .send(let message):
          let outcome = await deliver(message, to: target)
          // A command that was cut off because procd stops is not to blame.
          if outcome != .delivered, isStopping() { return .max }
          let isGivenUp = try queue.ended(message, outcome, for: target, at: wallTime())
          say(outcome, target, message, isGivenUp: isGivenUp)
        }
      }
    } catch {
      emit(.trouble("\(error)"))
      return wallTime() + 60_000
    }
    return .max
  }

  func deliver(_ message: NoticeMessage, to target: NotifyTarget) async -> DeliveryOutcome {
    let emit = emit
    let courier = Courier(
      active: active, net: net, isWanted: isWanted,
      log: { emit(.told(subject: $0.subject, text: $0.text)) })
    return await courier.deliver(message, to: target)
  }

  func say(
    _ outcome: DeliveryOutcome, _ target: NotifyTarget, _ message: NoticeMessage, isGivenUp: Bool
  ) {
    let reason: String
    switch outcome {
    case .delivered: return
    case .later(let text, _), .refused(let text, _): reason = text
    }
    if isGivenUp {
      emit(
        .trouble(
          "\(target.place): \"\(message.subject)\" could not be told and is given up: \(reason)"))
    } else if message.attempts == 0 || tellsEach {
      emit(.trouble("\(target.place): \(reason); it is tried again later"))
    }
  }
}

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
      active: active, net: net, isWanted: isWanted, isStopping: { !isWanted() }, emit: emit,
      tellsEach: true)
  }

  /// Keeps it in the spool until it was told. Where there is none, it is tried once.
  package func tell(_ notice: Notice) async {
    let targets = delivery.active.configuration.notify.filter { $0.wants(notice) }
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
            let outcome = await delivery.deliver(message, to: target)
            delivery.say(outcome, target, message, isGivenUp: true)
          }
        }
      }
    }
  }

  /// The queue that has it now; nil where there can be none.
  private func kept(_ notice: Notice) -> NoticeQueue? {
    let active = delivery.active
    // Not below the mount point of a disk that is missing: only a spool that was used before has a ledger.
    guard (try? Folder.standing(active.spool)?.exists(Spool.ledgerName)) == true,
      let queue = try? NoticeQueue(
        path: active.spool.appending(NoticeQueue.fileName.components)),
      (try? queue.add([notice], for: active.configuration.notify, at: wallTime())) != nil
    else { return nil }
    return queue
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
