import CNats
import Confinement
import Files
import Glibc
import Pipelines
import PluginKit
import Synchronization

/// `procd-fleet`: stands between procd and a NATS server. It has the socket, and no key: what passes through it is
/// sealed. It reads frames from standard input, and ends with it.
@main
enum Program {
  static func main() {
    _ = signal(SIGPIPE, SIG_IGN)
    var input = FrameInput(0)
    guard let first = input.next(), let connection = FleetConnection(first.head) else {
      Output.fail("fleet.request", "procd-fleet was given no connection that it knows")
    }
    do throws(ConfinementError) { try confine(connection) } catch {
      Output.fail("fleet.confine", error.message)
    }
    let broker = Broker(connection)
    do throws(FileError) { try broker.start() } catch { Output.fail("fleet.program", "\(error)") }
    while let frame = input.next() { broker.take(frame) }
    _exit(0)
  }

  private static func confine(_ connection: FleetConnection) throws(ConfinementError) {
    _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
    unsafe unsetenv("SSLKEYLOGFILE")
    var confinement = Confinement(profile: .net)
    confinement.threads = true
    confinement.grantNameService(
      and: [connection.credentials, connection.authority].compactMap(\.self))
    confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
      unsafe Int(String(cString: $0))
    }
    confinement.required = unsafe getenv("PROCD_ISOLATION_REQUIRED") != nil
    _ = try confinement.enforce()
  }
}

/// What procd is told, by whichever thread.
enum Output {
  private static let pipe = Mutex<Int32>(1)

  static func say(_ head: JSON, _ body: [UInt8] = []) {
    let bytes = Frame(head, body).bytes
    // Where nobody reads any longer, nothing is left to do.
    if !pipe.withLock({ writeAll(bytes, to: $0) }) { _exit(0) }
  }

  static func state(_ failure: BrokerFailure?) {
    say([
      "t": .string(FleetFrame.Heard.state.rawValue), "connected": .bool(failure == nil),
      "code": failure.map { .string($0.code) }, "message": failure.map { .string($0.message) },
    ])
  }

  static func fail(_ code: String, _ message: String) -> Never {
    state(BrokerFailure(code: code, message: message))
    _exit(1)
  }
}
