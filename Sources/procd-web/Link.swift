import Files
import Glibc
import PageAPI
import Pipelines
import PluginKit
import Synchronization

/// What the desk answers.
struct Reply: Sendable {
  var status: Int
  var head: JSON
  var body: [UInt8] = []

  static func failure(_ status: Int, _ code: String, _ message: String) -> Reply {
    Reply(status: status, head: ["code": .string(code), "message": .string(message)])
  }
}

/// Asks the desk, and passes on what it tells unasked.
final class Link: Sendable {
  private struct State {
    var serial = 0
    var asked: [Int: (continuation: CheckedContinuation<Reply, Never>, body: [UInt8])] = [:]
    var readers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
    /// What was told last, for who comes new.
    var last: [UInt8]?
  }
  private let state = Mutex(State())
  private let pipe = Mutex<Int32>(1)

  /// Questions that may wait for an answer at once; more are refused, so that nobody fills the memory.
  private static let most = 64
  private static let longestAnswer = 64 << 20

  func ask(_ ask: Endpoint.Ask, _ head: JSON = [:], _ body: [UInt8] = []) async -> Reply {
    await withCheckedContinuation { continuation in
      let serial = state.withLock { state -> Int? in
        guard state.asked.count < Self.most else { return nil }
        state.serial += 1
        state.asked[state.serial] = (continuation, [])
        return state.serial
      }
      guard let serial else {
        return continuation.resume(
          returning: .failure(
            503, "web.busy", "Too much is asked at once. Try it again in a moment."))
      }
      say(
        head.setting("t", .string(ask.rawValue)).setting("n", .integer(serial)), body)
    }
  }

  /// Tells the desk that the server listens.
  static func ready(to link: Link) { link.say(["t": "ready"]) }

  /// What happens, from now on; each is told the newest only.
  func events() -> (AsyncStream<[UInt8]>, AsyncStream<[UInt8]>.Continuation) {
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let (serial, last, isFirst) = state.withLock { state in
      state.serial += 1
      state.readers[state.serial] = continuation
      return (state.serial, state.last, state.readers.count == 1)
    }
    // Where nobody looked before, what was told last is old.
    if let last, !isFirst { continuation.yield(last) }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      let isLast = state.withLock { state in
        state.readers[serial] = nil
        return state.readers.isEmpty
      }
      if isLast { watch(false) }
    }
    watch(true)
    return (stream, continuation)
  }

  /// Tells all readers once more what was told last, so that those whose session is over notice it.
  func tellAgain() {
    let (readers, last) = state.withLock { ($0.readers.values, $0.last ?? []) }
    for reader in readers { reader.yield(last) }
  }

  /// What was told last.
  var last: [UInt8] { state.withLock { $0.last ?? [] } }

  /// How many readers of events there are.
  var readers: Int { state.withLock { $0.readers.count } }

  private func watch(_ isOn: Bool) { say(["t": "watch", "on": .bool(isOn)]) }

  private func say(_ head: JSON, _ body: [UInt8] = []) {
    let bytes = Frame(head, body).bytes
    // Where nobody reads any longer, nothing is left to do.
    if !pipe.withLock({ writeAll(bytes, to: $0) }) { _exit(0) }
  }

  /// Takes what the desk says.
  func take(_ frame: Frame) {
    guard let serial = frame.head["n"]?.integerValue else {
      let readers = state.withLock { state in
        state.last = frame.body
        return state.readers.values
      }
      for reader in readers { reader.yield(frame.body) }
      return
    }
    let isMore = frame.head["more"]?.boolValue ?? false
    let answered = state.withLock { state -> (CheckedContinuation<Reply, Never>, [UInt8], Bool)? in
      // Taken out, so that what is appended to is nobody else's too.
      guard var asked = state.asked.removeValue(forKey: serial) else { return nil }
      asked.body += frame.body
      let isTooLong = asked.body.count > Self.longestAnswer
      if isTooLong { asked.body = [] }
      guard isMore, !isTooLong else {
        return (asked.continuation, asked.body, isTooLong)
      }
      state.asked[serial] = asked
      return nil
    }
    if answered?.2 == true {
      answered?.0.resume(
        returning: .failure(503, "web.failed", "The answer is too long. Ask for a part of it."))
      return
    }
    answered?.0.resume(
      returning: Reply(
        status: frame.head["status"]?.integerValue ?? 500, head: frame.head,
        body: answered?.1 ?? []))
  }
}
