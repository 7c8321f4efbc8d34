import CNats
import Files
import Pipelines
import PluginKit
import Synchronization

/// A message of libnats that is ours to acknowledge. It is given from one thread to another, never used by two.
@safe struct Delivery: @unchecked Sendable {
  let message: OpaquePointer

  static func subject(_ message: OpaquePointer?) -> String {
    unsafe natsMsg_GetSubject(message).map { unsafe String(cString: $0) } ?? ""
  }

  static func body(_ message: OpaquePointer?) -> [UInt8] {
    let count = unsafe Int(natsMsg_GetDataLength(message))
    guard count > 0, let start = unsafe natsMsg_GetData(message) else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// How often it was delivered, this time counted, and its number in its stream.
  static func about(_ message: OpaquePointer?) -> (deliveries: Int, sequence: Int) {
    var deliveries: UInt64 = 0, sequence: UInt64 = 0
    unsafe cnats_about(message, &deliveries, &sequence)
    return (Int(clamping: deliveries), Int(clamping: sequence))
  }
}

/// What is taken from the broker's consumers: as many messages at once as procd may hold.
@safe final class Deliveries: @unchecked Sendable {
  @safe private struct Consumer: @unchecked Sendable {
    var name: String
    var subscription: OpaquePointer?
  }
  private struct State {
    var consumers: [Consumer] = []
    var most = 0
    var held: [Int: Delivery] = [:]
    var serial = 0
  }
  private let state = Mutex(State())
  private let signal = ThreadSignal()

  func hold(atMost count: Int) {
    state.withLock { $0.most = count }
    signal.wake()
  }

  /// Takes from one more consumer, or from one that was made anew.
  func add(_ name: String, _ subscription: OpaquePointer?) {
    let consumer = unsafe Consumer(name: name, subscription: subscription)
    state.withLock { state in
      // The one before is left to the process: its thread may be using it.
      state.consumers.removeAll { $0.name == name }
      state.consumers.append(consumer)
    }
    do throws(FileError) { try startThread { [self] in serve(consumer) } } catch {
      lost(consumer, BrokerFailure(code: "fleet.program", message: "\(error)"))
    }
  }

  func with(_ handle: JSON?, _ body: (OpaquePointer) -> natsStatus) {
    let delivery = state.withLock { $0.held[handle?.integerValue ?? -1] }
    if let delivery { _ = unsafe body(delivery.message) }
  }

  func end(_ handle: JSON?, _ body: (OpaquePointer) -> natsStatus) {
    let delivery = state.withLock { $0.held.removeValue(forKey: handle?.integerValue ?? -1) }
    guard let delivery else { return }
    _ = unsafe body(delivery.message)
    unsafe natsMsg_Destroy(delivery.message)
    signal.wake()
  }

  /// The life of a thread that takes from one consumer, whose messages the broker sends as soon as there are any.
  /// With several, all of them ask for the last free place, so that some messages more may be held than procd wants.
  private func serve(_ consumer: Consumer) {
    while true {
      let seen = signal.generation
      let (isCurrent, isWanted) = state.withLock { state in
        (
          state.consumers.contains { unsafe $0.subscription == consumer.subscription },
          state.held.count < state.most
        )
      }
      guard isCurrent else { return }
      if isWanted { take(from: consumer) } else { _ = signal.wait(since: seen, seconds: nil) }
    }
  }

  private func take(from consumer: Consumer) {
    var message: OpaquePointer?, error = jsErrCode(0)
    let status = unsafe cnats_fetch(&message, consumer.subscription, 1000, &error)
    guard status == NATS_OK, let message = unsafe message else {
      if status != NATS_OK, status != NATS_TIMEOUT { lost(consumer, BrokerFailure(status, error)) }
      return
    }
    let delivery = unsafe Delivery(message: message)
    let handle = state.withLock { state in
      state.serial += 1
      state.held[state.serial] = delivery
      return state.serial
    }
    let about = unsafe Delivery.about(message)
    unsafe Output.say(
      [
        "t": .string(FleetFrame.Heard.taken.rawValue), "handle": .integer(handle),
        "consumer": .string(consumer.name), "subject": .string(Delivery.subject(message)),
        "deliveries": .integer(about.deliveries), "sequence": .integer(about.sequence),
      ], Delivery.body(message))
  }

  /// It is asked no more until procd makes it anew.
  private func lost(_ consumer: Consumer, _ failure: BrokerFailure) {
    state.withLock { state in
      state.consumers.removeAll { unsafe $0.subscription == consumer.subscription }
    }
    Output.say([
      "t": .string(FleetFrame.Heard.lost.rawValue), "consumer": .string(consumer.name),
      "code": .string(failure.code), "message": .string(failure.message),
    ])
  }
}
