internal import Notices
internal import Pipelines

/// Brings what waits for one target to it, message by message.
struct NoticeDelivery: Sendable {
  let courier: Courier
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
          let outcome = await courier.deliver(message, to: target)
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
