import Conveyor
import Files
import Glibc
import PageAPI
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// Speaks with `procd-web`, which it starts: answers what the page asks, and tells it what happens.
final class PageDesk: Sendable {
  private let setup: PageSetup
  private let programs: FilePath
  private let answers: PageAnswers
  private let isRequired: Bool
  private let input = Mutex<Int32>(-1)
  private let watching = Mutex<Task<Void, Never>?>(nil)
  private let ready: @Sendable () -> Void
  /// Runs the answers, which wait for disks. Nil, and with it the threads of all tasks, if no thread could be started.
  private let executor = try? BlockingExecutor(most: 64)

  /// - Parameter ready: called when the page can be opened.
  init(
    _ setup: PageSetup, programs: FilePath, isolationRequired: Bool, _ answers: PageAnswers,
    ready: @escaping @Sendable () -> Void
  ) {
    (self.setup, self.programs, self.answers) = (setup, programs, answers)
    (isRequired, self.ready) = (isolationRequired, ready)
  }

  /// Serves until `procd-web` ends.
  ///
  /// - Returns: why it ended.
  func serve() async throws(FileError) -> String {
    defer { follow(false) }
    // A thread of its own: the program dies with the thread that starts it.
    let ended = AsyncStream<String>.makeStream()
    try startThread { [self] in
      ended.continuation.yield(serveHere())
      ended.continuation.finish()
    }
    for await why in ended.stream { return why }
    return "procd-web ended"
  }

  private func serveHere() -> String {
    var environment = ["LC_ALL=C.UTF-8"]
    if let ceiling = landlockCeiling() { environment.append("PROCD_LANDLOCK=\(ceiling)") }
    if isRequired { environment.append("PROCD_ISOLATION_REQUIRED=1") }
    let process: ChildProcess
    do throws(SpawnError) {
      process = try ChildProcess(
        arguments: [programs.appending("procd-web").string], environment: environment,
        deathSignal: SIGKILL, mark: nil)
    } catch { return "\(error.program) could not be started: \(Errno(rawValue: error.errno))" }
    input.withLock { $0 = process.input }
    say(setup.json)
    var buffer = FrameBuffer(), isOpen = true
    while isOpen {
      var polled = [
        pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&polled, 2, 5000)
      if polled[1].revents != 0 { _ = process.readErrors() }
      guard polled[0].revents != 0 else { continue }
      guard let bytes = readSome(process.output) else {
        isOpen = errno == EAGAIN
        continue
      }
      guard !bytes.isEmpty, let frames = try? buffer.append(bytes) else { break }
      for frame in frames { take(frame) }
    }
    input.withLock { $0 = -1 }
    process.kill()
    _ = process.wait()
    _ = process.readErrors()
    return process.lastErrorLine ?? "procd-web ended"
  }

  private func say(_ head: JSON, _ body: [UInt8] = []) {
    let bytes = Frame(head, body).bytes
    _ = input.withLock { input in input >= 0 && writeAll(bytes, to: input) }
  }

  private func take(_ frame: Frame) {
    guard let what = frame.head["t"]?.stringValue else { return }
    switch what {
    case "ready": ready()
    case "watch":
      let isOn = frame.head["on"]?.boolValue ?? false
      follow(isOn)
      if isOn {
        Task(executorPreference: executor) { [self] in await tell(answers.now(isFresh: true)) }
      }
    default:
      guard let serial = frame.head["n"], let ask = Endpoint.Ask(rawValue: what) else { return }
      Task(executorPreference: executor) { [self] in
        let reply = await answers.answer(ask, frame.head, frame.body)
        give(reply, to: serial)
      }
    }
  }

  /// An answer may be longer than a frame.
  private func give(_ reply: PageReply, to serial: JSON) {
    var head = reply.head.setting("n", serial).setting("status", .integer(reply.status))
    var rest = reply.body[...]
    while rest.count > Frame.longestBody {
      say(["n": serial, "more": true], Array(rest.prefix(Frame.longestBody)))
      rest = rest.dropFirst(Frame.longestBody)
    }
    if reply.status >= 400 {
      head = head.setting("code", .string(reply.code)).setting("message", .string(reply.message))
    }
    say(head, Array(rest))
  }

  /// How often it is looked whether something happened, in milliseconds, and how often all is looked at anew.
  private static let glance = 100, look = 2000

  /// Begins to tell what happens, or ends that: nothing is looked at while nobody watches.
  private func follow(_ isOn: Bool) {
    watching.withLock { watching in
      if !isOn {
        watching?.cancel()
        watching = nil
      } else if watching == nil {
        watching = Task(executorPreference: executor) { [self] in await watch() }
      }
    }
  }

  private func watch() async {
    var serial: Int?, lookedAt = 0, last: [UInt8] = []
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(Self.glance))
      let live = answers.live(), now = milliseconds()
      let isDue = now - lookedAt >= Self.look
      guard live?["serial"]?.integerValue != serial || isDue else { continue }
      serial = live?["serial"]?.integerValue
      if isDue { lookedAt = now }
      let state = await answers.now(live, isFresh: isDue)
      // The time of the look is no news.
      let told = state.setting("time", nil).line
      if told != last { tell(state) }
      last = told
    }
  }

  private func tell(_ state: JSON) {
    let text = state.line
    if text.count <= Frame.longestBody { say(["t": "event"], text) }
  }
}

/// What the desk answers.
struct PageReply: Sendable {
  var status = 200
  var head: JSON = [:]
  var body: [UInt8] = []
  var code = ""
  var message = ""

  static func json(_ json: JSON, status: Int = 200) -> PageReply {
    PageReply(status: status, body: json.line)
  }

  static func failure(_ status: Int, _ code: String, _ message: String) -> PageReply {
    PageReply(status: status, code: code, message: message)
  }
}
