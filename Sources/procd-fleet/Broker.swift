import CNats
import Files
import Glibc
import Pipelines
import PluginKit
import Synchronization

/// The connection to the broker: carries out what procd asks for, on threads of its own, and tells what comes.
///
/// libnats is called from several threads, which it allows. Its callbacks come on threads of its own and only write to
/// the pipe.
@safe final class Broker: @unchecked Sendable {
  private let connection: FleetConnection
  private let requests = Mutex<[Frame]>([])
  private let waiting = ThreadSemaphore()
  /// Subjects that are heard: libnats asks for them again by itself when the broker comes back.
  private let heard = Mutex<Set<String>>([])
  let deliveries: Deliveries
  /// Written once, by the thread that connects, before any other thread is there.
  private var link: OpaquePointer?
  private var stream: OpaquePointer?

  /// More requests are not carried out at once; on a slow line it is they that wait for the broker.
  private static let threads = 8
  /// How long the broker may take to let one in, and to answer, in milliseconds: four pieces of a file at once take a
  /// slow line a while.
  private static let patienceToConnect: Int64 = 5000
  private static let patience: Int64 = 20_000

  init(_ connection: FleetConnection) {
    self.connection = connection
    deliveries = Deliveries()
  }

  func start() throws(FileError) { try startThread { [self] in connect() } }

  /// Carries out what procd says, or has it carried out.
  func take(_ frame: Frame) {
    let name = frame.head["t"]?.stringValue ?? ""
    if FleetFrame.Tell(rawValue: name) == .want {
      return deliveries.hold(atMost: frame.head["count"]?.integerValue ?? 0)
    }
    requests.withLock { $0.append(frame) }
    waiting.post()
  }

  // MARK: - The connection

  /// Tries until there is a broker; libnats keeps the connection from then on.
  private func connect() {
    nats_Open(-1)
    var told: BrokerFailure?
    while true {
      do throws(BrokerFailure) {
        try open()
        break
      } catch {
        if told?.message != error.message { Output.state(error) }
        told = error
        sleep(1)
      }
    }
    do throws(FileError) {
      for _ in 0..<Self.threads { try startThread { [self] in serve() } }
    } catch { Output.fail("fleet.program", "\(error)") }
    Output.state(nil)
    watch()
  }

  /// How long the connection may be away, in seconds. Then the process ends: a new one says why there is none, which
  /// libnats keeps to itself while it tries, and is not given up for ever, as by libnats after two logins that failed.
  private static let longestBreak = 5

  private func watch() -> Never {
    var broken = 0
    while broken <= Self.longestBreak {
      sleep(1)
      broken = unsafe natsConnection_Status(link) == NATS_CONN_STATUS_CONNECTED ? 0 : broken + 1
    }
    _exit(0)
  }

  private func open() throws(BrokerFailure) {
    var options: OpaquePointer?
    defer { unsafe natsOptions_Destroy(options) }
    try check(unsafe natsOptions_Create(&options))
    try unsafe withServers { servers in
      unsafe natsOptions_SetServers(options, servers, Int32(connection.servers.count))
    }
    try check(unsafe natsOptions_SetName(options, connection.name))
    try check(unsafe natsOptions_SetTimeout(options, Self.patienceToConnect))
    try check(unsafe natsOptions_SetMaxReconnect(options, -1))
    try check(unsafe natsOptions_SetReconnectWait(options, 500))
    // A peer that is cut off is known as such after some seconds.
    try check(unsafe natsOptions_SetPingInterval(options, 3000))
    try check(unsafe natsOptions_SetMaxPingsOut(options, 2))
    // Each message is waited for: gathering some saves nothing.
    try check(unsafe natsOptions_SetSendAsap(options, true))
    try check(unsafe natsOptions_SetFailRequestsOnDisconnect(options, true))
    try check(unsafe natsOptions_SetWriteDeadline(options, 10_000))
    if let file = connection.credentials { try unsafe logIn(options, file) }
    if connection.isEncrypted {
      try check(unsafe natsOptions_SetSecure(options, true))
      if let file = connection.authority {
        try check(unsafe natsOptions_LoadCATrustedCertificates(options, file))
      }
    }
    try check(
      unsafe natsOptions_SetDisconnectedCB(
        options, { _, _ in Output.state(BrokerFailure(NATS_CONNECTION_DISCONNECTED)) }, nil))
    try check(
      unsafe natsOptions_SetReconnectedCB(options, { _, _ in Output.state(nil) }, nil))
    // What it would write to standard error is told by what fails.
    try check(unsafe natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil))
    var link: OpaquePointer?
    try check(unsafe natsConnection_Connect(&link, options))
    do throws(BrokerFailure) {
      var stream: OpaquePointer?
      try check(unsafe cnats_jetstream(&stream, link, Self.patience))
      unsafe (self.link, self.stream) = unsafe (link, stream)
    } catch {
      unsafe natsConnection_Destroy(link)
      throw error
    }
  }

  /// By a file of the broker's (a user's token and seed), or by a line USER:PASSWORD.
  private func logIn(_ options: OpaquePointer?, _ path: String) throws(BrokerFailure) {
    // Opened by its path: the folder that it lies in may not be.
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, let text = readSome(file) else {
      let isMissing = unsafe access(path, F_OK) != 0 && errno == ENOENT
      throw BrokerFailure(
        code: "fleet.login",
        message: isMissing
          ? "there is no login \(path): copy it from the broker, which has it as broker.login"
          : "the login \(path) \(Accounts.cannotRead(path))")
    }
    let first = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
    let parts = first.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, !first.hasPrefix("-----") {
      try check(unsafe natsOptions_SetUserInfo(options, parts[0], parts[1]))
    } else {
      guard first.hasPrefix("-----") else {
        throw BrokerFailure(
          code: "fleet.login", message: "the login \(path) has no line USER:PASSWORD")
      }
      try check(unsafe natsOptions_SetUserCredentialsFromFiles(options, path, nil))
    }
  }

  private func withServers(
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> natsStatus
  ) throws(BrokerFailure) {
    let copies = unsafe connection.servers.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    var pointers = unsafe copies.map { unsafe UnsafePointer<CChar>($0) }
    try check(unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) })
  }

  private func check(
    _ status: natsStatus, _ error: jsErrCode = jsErrCode(0)
  ) throws(BrokerFailure) {
    if status != NATS_OK { throw BrokerFailure(status, error) }
  }

  // MARK: - Requests

  private func serve() {
    while true {
      waiting.wait()
      guard let frame = requests.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
      let name = frame.head["t"]?.stringValue ?? ""
      if let tell = FleetFrame.Tell(rawValue: name) { carryOut(tell, frame) }
      guard let ask = FleetFrame.Ask(rawValue: name) else { continue }
      let number = frame.head["n"]
      do throws(BrokerFailure) {
        let (head, body) = try answer(ask, frame)
        Output.say(head.setting("n", number).setting("ok", true), body)
      } catch {
        Output.say(["n": number, "code": .string(error.code), "message": .string(error.message)])
      }
    }
  }

  private func carryOut(_ tell: FleetFrame.Tell, _ frame: Frame) {
    let subject = frame.head["subject"]?.stringValue ?? ""
    switch tell {
    case .want: break
    case .working:
      unsafe deliveries.with(frame.head["handle"]) { unsafe natsMsg_InProgress($0, nil) }
    case .done: unsafe deliveries.end(frame.head["handle"]) { unsafe natsMsg_Ack($0, nil) }
    case .drop: unsafe deliveries.end(frame.head["handle"]) { unsafe natsMsg_Term($0, nil) }
    case .say:
      unsafe frame.body.withUnsafeBytes {
        _ = unsafe natsConnection_Publish(link, subject, $0.baseAddress, Int32($0.count))
      }
    case .hear:
      guard heard.withLock({ $0.insert(subject).inserted }) else { return }
      var subscription: OpaquePointer?
      // It lasts as long as the process.
      _ = unsafe natsConnection_Subscribe(
        &subscription, link, subject,
        { _, _, message, _ in
          Output.say(
            [
              "t": .string(FleetFrame.Heard.said.rawValue),
              "subject": .string(unsafe Delivery.subject(message)),
            ], unsafe Delivery.body(message))
          unsafe natsMsg_Destroy(message)
        }, nil)
    }
  }

  private func answer(
    _ ask: FleetFrame.Ask, _ frame: Frame
  ) throws(BrokerFailure) -> (JSON, [UInt8]) {
    let head = frame.head
    func text(_ name: String) -> String { head[name]?.stringValue ?? "" }
    var error = jsErrCode(0)
    switch ask {
    case .streams:
      _ = try (makeStream("bytes", head), makeStream("answers", head))
      return (["made": .integer(try makeStream("orders", head))], [])
    case .consumer: try makeConsumer(head)
    case .take: return (try takeFrom(head), [])
    case .put:
      var sequence: UInt64 = 0
      let identifier = head["id"]?.stringValue
      let status = unsafe frame.body.withUnsafeBytes { body in
        unsafe cnats_put(
          stream, text("subject"), body.baseAddress, Int32(body.count), identifier, &sequence,
          &error)
      }
      try check(status, error)
      return (["sequence": .integer(Int(clamping: sequence))], [])
    case .get:
      var message: OpaquePointer?
      try check(unsafe cnats_get(&message, stream, text("stream"), text("subject")))
      defer { unsafe natsMsg_Destroy(message) }
      return unsafe ([:], Delivery.body(message))
    case .purge:
      // The broker counts those before a number.
      let last = UInt64(clamping: (head["through"]?.integerValue ?? -1) + 1)
      try check(unsafe cnats_purge(stream, text("stream"), text("subject"), last, &error), error)
    case .remove:
      let sequence = UInt64(clamping: head["sequence"]?.integerValue ?? 0)
      try check(unsafe js_DeleteMsg(stream, text("stream"), sequence, nil, &error), error)
    case .look: return (try look(), [])
    }
    return ([:], [])
  }

  /// What nobody took away after a day is nobody's: its keeper, its helper is gone. In nanoseconds.
  private static let day: Int64 = 86_400 * 1_000_000_000

  /// Makes a stream where it is not there.
  ///
  /// Files are kept on disk. Orders and answers are in memory: with the broker they are lost, and asked for again, while
  /// a disk's work for each small order costs more than all the rest of its way.
  ///
  /// - Returns: when it was made, in nanoseconds since 1970 by the broker's clock.
  private func makeStream(_ name: String, _ head: JSON) throws(BrokerFailure) -> Int {
    let site = head["site"]?.stringValue ?? "", isOfBytes = name == "bytes"
    let bytes = Int64(head["bytes"]?.integerValue ?? 1 << 30)
    var error = jsErrCode(0), made: Int64 = 0
    let status = unsafe cnats_make_stream(
      stream, "procd-\(site)-\(name)", "procd.\(site).\(name).>", isOfBytes ? bytes : bytes / 8,
      Self.day, Int64(head["replicas"]?.integerValue ?? 1), isOfBytes, &made, &error)
    try check(status, error)
    return Int(made)
  }

  private func makeConsumer(_ head: JSON) throws(BrokerFailure) {
    func text(_ name: String) -> String { head[name]?.stringValue ?? "" }
    var error = jsErrCode(0)
    let status = unsafe cnats_make_consumer(
      stream, text("stream"), text("name"), text("filter"),
      Int64(head["patience"]?.integerValue ?? 30_000) * 1_000_000,
      Int64(head["deliveries"]?.integerValue ?? 2), Self.day, &error)
    try check(status, error)
  }

  private func takeFrom(_ head: JSON) throws(BrokerFailure) -> JSON {
    func text(_ name: String) -> String { head[name]?.stringValue ?? "" }
    var error = jsErrCode(0), subscription: OpaquePointer?, wait: Int64 = 0
    let status = unsafe cnats_take(
      &subscription, &wait, stream, text("stream"), text("name"), text("filter"), &error)
    try check(status, error)
    unsafe deliveries.add(text("name"), subscription)
    return ["patience": .integer(Int(wait / 1_000_000))]
  }

  /// What the broker allows.
  private func look() throws(BrokerFailure) -> JSON {
    var error = jsErrCode(0), limit: Int64 = 0, roundTrip: Int64 = 0
    try check(unsafe cnats_account(stream, &limit, &error), error)
    try check(unsafe natsConnection_GetRTT(link, &roundTrip))
    return unsafe [
      "payload": .integer(Int(natsConnection_GetMaxPayload(link))),
      "roundTrip": .integer(Int(roundTrip / 1000)), "store": .integer(Int(limit)),
    ]
  }
}
