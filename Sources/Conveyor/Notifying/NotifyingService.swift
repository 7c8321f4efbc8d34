internal import Notices
internal import Pipelines

/// Tells what is to be told, target by target: one that fails holds up no other.
struct NotifyingService: Sendable {
  let conveyor: Conveyor

  /// Milliseconds after which a changed configuration is noticed at the latest.
  private static let longestSleep: Int64 = 5000
  /// News is known by its id for so long.
  private static let memory: Int64 = 90 * 86_400_000
  /// Milliseconds that a command has to end when procd stops.
  private static let grace: Int64 = 8000

  /// Tells until the task is cancelled.
  func serve() async {
    forget()
    await withTaskCancellationHandler {
      while !Task.isCancelled, !conveyor.isStopping {
        let until = await pass(flushes: false)
        // What happens now rings.
        let rest = min(until - wallTime(), Self.longestSleep)
        await conveyor.newsWakeup.wait(milliseconds: Int(max(100, rest)))
      }
    } onCancel: {
      conveyor.newsWakeup.signal()
    }
  }

  /// Tells all that waits, without collecting further: procd ends, and who knows when it starts again.
  func flush() async { _ = await pass(flushes: true) }

  /// - Returns: when there is something to do again.
  private func pass(flushes: Bool) async -> Int64 {
    let active = conveyor.active
    guard !active.configuration.notify.isEmpty else { return .max }
    conveyor.keepUnkept()
    let queue: NoticeQueue
    do throws(NoticeError) { queue = try conveyor.noticeQueue() } catch {
      conveyor.emit(.trouble("\(error)"))
      return wallTime() + 60_000
    }
    let delivery = NoticeDelivery(
      courier: Courier(
        active: active, net: conveyor.net, isWanted: isWanted,
        emit: { [conveyor] in conveyor.emit($0) }),
      isStopping: { [conveyor] in conveyor.isStopping }, emit: { [conveyor] in conveyor.emit($0) },
      tellsEach: conveyor.isOnce)
    return await withTaskGroup(of: Int64.self) { group in
      for target in active.configuration.notify {
        group.addTask { await delivery.serve(target, queue, flushes: flushes) }
      }
      return await group.reduce(.max) { min($0, $1) }
    }
  }

  /// True until procd stops, and a little longer.
  private var isWanted: @Sendable () -> Bool {
    let conveyor = conveyor, stopped = StopTime()
    return {
      guard conveyor.isStopping else { return true }
      return wallTime() - stopped.first(wallTime()) < Self.grace
    }
  }

  private func forget() {
    guard !conveyor.active.configuration.notify.isEmpty else { return }
    do throws(NoticeError) {
      try conveyor.noticeQueue().forget(before: wallTime() - Self.memory)
    } catch {
      conveyor.emit(.trouble("\(error)"))
    }
  }
}
