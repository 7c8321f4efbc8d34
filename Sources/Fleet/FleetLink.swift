internal import CLinux
package import Files
internal import Glibc
package import Pipelines
package import PluginKit
internal import Synchronization
package import Workers

/// Speaks with `procd-fleet`, which it starts, and starts anew where it ends.
package final class FleetLink: Sendable {
  package struct Setup: Sendable {
    package var program: String
    package var environment: [String]
    package var mark: SpoolMark?
    package var connection: FleetConnection

    /// - Parameter programs: the folder of procd's programs.
    package init(
      programs: String, connection: FleetConnection, mark: SpoolMark? = nil,
      landlockCeiling: Int? = nil, isolationRequired: Bool = false
    ) {
      program = "\(programs)/procd-fleet"
      environment = ["LC_ALL=C.UTF-8"]
      if let landlockCeiling { environment.append("PROCD_LANDLOCK=\(landlockCeiling)") }
      if isolationRequired { environment.append("PROCD_ISOLATION_REQUIRED=1") }
      (self.mark, self.connection) = (mark, connection)
    }
  }

  private struct State {
    var outgoing: [[UInt8]] = []
    var asked: [Int: (continuation: CheckedContinuation<Frame, Never>, since: Int)] = [:]
    var serial = 0
    var isClosed = false
    var isThere = false
  }

  private let setup: Setup
  private let state = Mutex(State())
  private let wake: (read: Int32, write: Int32)
  private let heard: @Sendable (FleetFrame.Heard, Frame) -> Void

  /// An answer that does not come in this time, in milliseconds, does not come: `procd-fleet` is ended.
  private static let patience = 40_000

  /// - Parameter heard: told what comes unasked, on the thread of the link, so it must not block.
  package init(
    _ setup: Setup, heard: @escaping @Sendable (FleetFrame.Heard, Frame) -> Void
  ) throws(FileError) {
    (self.setup, self.heard) = (setup, heard)
    var pipe: [Int32] = [-1, -1]
    _ = unsafe clinux_pipe(&pipe)
    wake = (pipe[0], pipe[1])
    for end in pipe { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    // Its programs die with the thread that starts them.
    try startThread { [self] in serve() }
  }

  package func close() {
    state.withLock { $0.isClosed = true }
    ring()
  }

  /// Asks the broker for something.
  @discardableResult
  package func ask(
    _ what: FleetFrame.Ask, _ head: JSON, _ body: [UInt8] = []
  ) async throws(FleetFailure) -> Frame {
    let answer = await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        guard state.isThere, !state.isClosed else { return false }
        state.serial += 1
        state.asked[state.serial] = (continuation, milliseconds())
        let head = head.setting("t", .string(what.rawValue)).setting("n", .integer(state.serial))
        state.outgoing.append(Frame(head, body).bytes)
        return true
      }
      if isSent { ring() } else { continuation.resume(returning: Self.gone) }
    }
    guard answer.head["ok"]?.boolValue == true else {
      throw FleetFailure(
        answer.head["code"]?.stringValue ?? "fleet.program",
        answer.head["message"]?.stringValue ?? "procd-fleet's answer cannot be understood")
    }
    return answer
  }

  /// Tells the broker something; nobody knows whether it came.
  package func tell(_ what: FleetFrame.Tell, _ head: JSON, _ body: [UInt8] = []) {
    state.withLock { state in
      guard state.isThere else { return }
      state.outgoing.append(
        Frame(head.setting("t", .string(what.rawValue)), body).bytes)
    }
    ring()
  }

  private static let gone = Frame([
    "code": .string(FleetFailure.noProgram.code),
    "message": .string(FleetFailure.noProgram.message),
  ])

  private func ring() { writeAll([0], to: wake.write) }

  // MARK: - The thread

  private func serve() {
    var pause: Int32 = 500
    while !state.withLock({ $0.isClosed }) {
      let start = milliseconds()
      let why = serveOne()
      let left = state.withLock { state in
        defer { (state.asked, state.outgoing, state.isThere) = ([:], [], false) }
        return state.asked.values
      }
      for asked in left { asked.continuation.resume(returning: Self.gone) }
      guard !state.withLock({ $0.isClosed }) else { break }
      heard(
        .state,
        Frame([
          "connected": false, "code": .string(FleetFailure.noProgram.code), "message": .string(why),
        ]))
      // One that ends at once is not started over and over.
      pause = milliseconds() - start > 60_000 ? 500 : min(30_000, pause * 2)
      var polled = pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&polled, 1, pause)
    }
    Glibc.close(wake.read)
    Glibc.close(wake.write)
  }

  /// The life of one process.
  ///
  /// - Returns: why it ended.
  private func serveOne() -> String {
    let process: ChildProcess
    do throws(SpawnError) {
      process = try ChildProcess(
        arguments: [setup.program], environment: setup.environment, deathSignal: SIGKILL,
        mark: setup.mark)
    } catch { return error.message }
    state.withLock { state in
      state.outgoing = [Frame(setup.connection.json).bytes]
      state.isThere = true
    }
    // Frames are larger than what a pipe usually holds (F_SETPIPE_SZ).
    for end in [process.input, process.output] { _ = fcntl(end, 1031, Int32(1 << 20)) }
    var buffer = FrameBuffer(), sending: ArraySlice<UInt8> = []
    var why = "procd-fleet ended"
    loop: while true {
      let (isClosed, isLate) = state.withLock { state in
        if sending.isEmpty, !state.outgoing.isEmpty { sending = state.outgoing.removeFirst()[...] }
        let oldest = state.asked.values.map(\.since).min() ?? .max
        return (state.isClosed, oldest < milliseconds() - Self.patience)
      }
      if isClosed { break }
      if isLate {
        why = "procd-fleet did not answer"
        break
      }
      var polled = [
        pollfd(fd: sending.isEmpty ? -1 : process.input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&polled, nfds_t(polled.count), 5000)
      if polled[3].revents != 0 { _ = readSome(wake.read) }
      if polled[2].revents != 0 { _ = process.readErrors() }
      if polled[0].revents != 0 {
        let count = unsafe sending.withUnsafeBytes {
          unsafe write(process.input, $0.baseAddress, $0.count)
        }
        if count > 0 {
          sending = sending.dropFirst(count)
        } else if errno != EAGAIN, errno != EINTR {
          break
        }
      }
      if polled[1].revents != 0 {
        guard let bytes = readSome(process.output) else {
          if errno == EAGAIN { continue }
          break
        }
        if bytes.isEmpty { break }
        do throws(FrameBuffer.Broken) {
          for frame in try buffer.append(bytes) { take(frame) }
        } catch {
          why = "procd-fleet: \(error.message)"
          break loop
        }
      }
    }
    if let line = process.lastErrorLine { why += ": \(line)" }
    process.kill()
    _ = process.wait()
    return why
  }

  private func take(_ frame: Frame) {
    if let number = frame.head["n"]?.integerValue {
      let asked = state.withLock { $0.asked.removeValue(forKey: number) }
      asked?.continuation.resume(returning: frame)
    } else if let what = frame.head["t"]?.stringValue.flatMap(FleetFrame.Heard.init) {
      heard(what, frame)
    }
  }
}
