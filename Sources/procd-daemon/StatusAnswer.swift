import Conveyor
import Files
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// What `status` says, told at a local socket to those who may not look into the spool.
enum StatusAnswer {
  /// Answers until it is closed; nil where the configuration asks for none, or where it cannot be, which is told.
  ///
  /// - Parameters:
  ///   - isWaiting: whether this process waits for a disk at its start.
  ///   - running: the procd whose status it is; nil while it waits.
  ///   - now: the configuration that is in force; nil once none is.
  static func open(
    configuration: FilePath, isWaiting: Bool = false,
    running: @escaping @Sendable () -> Conveyor? = { nil },
    _ now: @escaping @Sendable () -> ActiveConfiguration?
  ) -> AnsweringSocket? {
    guard let active = now(), let path = active.statusSocket, let name = path.lastComponent else {
      return nil
    }
    let named = active.configuration.statusGroup
    let group = named.flatMap(Accounts.group)
    guard named == nil || group != nil else {
      Console.complain(
        "procd: nobody can ask for the status: there is no group \((named ?? "").plain)")
      return nil
    }
    do {
      let folder = try Folder.open(path.removingLastComponent())
      return try AnsweringSocket(
        in: folder, as: FilePath(name: name), mode: group == nil ? 0o666 : 0o660, group: group
      ) {
        guard let active = now() else { return [] }
        do {
          let view = try StatusView(
            active: active, configuration: configuration, isWaiting: isWaiting, running: running())
          let answer: JSON = [
            "text": .string(try view.text()), "status": try view.json(),
            "health": view.health.pulse?.json,
          ]
          return answer.line
        } catch { return JSON.object([.init("failure", .string("\(error)"))]).line }
      }
    } catch {
      Console.complain("procd: the status socket cannot be opened: \(error)")
      return nil
    }
  }

  /// How the procd that runs is, as it says itself; nil where none answers there.
  static func health(_ active: ActiveConfiguration) -> Health? {
    ask(active).flatMap(health)?.asked(for: active)
  }

  /// What it said of that.
  static func health(_ answer: JSON) -> Health? {
    answer["health"].flatMap(Pulse.init).map(Health.judge)
  }

  /// Asks the procd that runs; nil where none answers there.
  static func ask(_ active: ActiveConfiguration) -> JSON? { ask(active.statusSocket) }

  static func ask(_ socket: FilePath?) -> JSON? {
    guard let path = socket, let name = path.lastComponent,
      let folder = try? Folder.open(path.removingLastComponent()),
      let answer = try? folder.ask(FilePath(name: name), patience: 5000, limit: 64 << 20)
    else { return nil }
    return try? JSONReader.read(answer).value
  }
}
