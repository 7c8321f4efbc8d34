import Conveyor
import Files
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// What a running procd does just now, for `procd web`, which asks for it at a local socket in the spool.
final class LiveBoard: Sendable {
  static let socketName = FilePath("live")

  private struct Shared {
    var state = LiveState()
    /// Counts what happened, so that who asks sees whether something did.
    var serial = 0
  }
  private let shared = Mutex(Shared())

  func take(_ event: ConveyorEvent) {
    shared.withLock { shared in
      shared.state.take(event, at: milliseconds())
      shared.serial += 1
    }
  }

  /// Answers until it is closed; nil where the file system has no sockets.
  func open(in spool: Folder) -> AnsweringSocket? {
    try? AnsweringSocket(in: spool, as: Self.socketName) { [weak self] in self?.json.line ?? [] }
  }

  /// What the running procd says of the moment; nil where none runs.
  static func ask(spool path: FilePath) -> JSON? {
    guard let spool = try? Folder.open(path),
      let answer = try? spool.ask(socketName, patience: 1000)
    else { return nil }
    return try? JSONReader.read(answer).value
  }

  var json: JSON {
    let (state, serial) = shared.withLock { ($0.state, $0.serial) }
    let now = milliseconds(), wall = wallTime()
    return [
      "serial": .integer(serial), "waiting": .integer(state.waiting),
      "perMinute": state.perMinute(at: now).map { .integer($0) },
      "busy": .array(
        state.busy.map { busy in
          [
            "job": .string(busy.job), "path": .string(busy.path), "step": .string(busy.step),
            "since": .string(timestamp(wall - Int64(now - busy.began))),
            "done": busy.progress.map { .integer($0.done) },
            "total": busy.progress.map { .integer($0.total) },
            "unit": busy.progress.map { .string($0.unit) },
          ]
        }),
    ]
  }
}
