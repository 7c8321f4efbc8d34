internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// Whether a daemon is well, as somebody outside finds out: by asking it, because a process that is
/// there may be stopped or hang.
package struct Health: Sendable, Equatable {
  package var isWell: Bool
  /// What is the case, one sentence.
  package var sentence: String
  /// What the daemon said; nil where it said nothing.
  package var pulse: Pulse?
  /// Whether a procd holds the spool, even if it does not answer.
  package var isHeld: Bool
  /// The file of another configuration, by whose folders a procd runs on this spool; nil where none does.
  package var other: String?
  /// Whether that one has other folders than this one.
  package var hasOtherFolders = false
  /// Whether a procd listens in the spool that does not stand there for who asks.
  package var isOutOfReach = false

  /// How long an answer may take. It comes from a thread that does nothing else, at once.
  package static let patience = 5000
  /// How long the main loop may need for one turn. It goes round every five seconds at the latest; a
  /// look at an inbox of very many files takes longer.
  package static let longestTurn = 60_000

  init(_ isWell: Bool, _ sentence: String, _ pulse: Pulse? = nil, isHeld: Bool = false) {
    (self.isWell, self.sentence, self.pulse) = (isWell, sentence, pulse)
    self.isHeld = isHeld || pulse != nil
  }

  /// Asks the daemon of a configuration.
  package static func ask(_ active: ActiveConfiguration) -> Health {
    var health = ask(spool: active.spool).asked(for: active)
    // The running one may not have noticed yet.
    let silent = active.silentFolders()
    if let first = silent.first, health.isWell {
      (health.isWell, health.sentence) = (false, first.sentence)
    }
    if silent.isEmpty, health.pulse == nil, let missing = active.missingPlace {
      health.sentence =
        waiting(active, for: missing)
        ?? "\(health.sentence); once started, it would wait: \(missing)"
    }
    return health
  }

  /// The same, or what there is to say where it is another configuration's procd that answered.
  package func asked(for active: ActiveConfiguration) -> Health {
    var health = self
    if let pulse = health.pulse, let folders = pulse.folders,
      let other = pulse.configuration, let own = active.file,
      !ConfigurationLoader.isSameFile(other, own)
    {
      let hasOtherFolders = folders != active.foldersMark
      health = Health(
        false,
        "the procd that runs on the spool \(active.spool.printable) (process \(pulse.process)) goes by another"
          + " configuration, \(other)"
          + (hasOtherFolders
            ? ", with other folders: give this one a \"spool\" of its own"
            : ": for a procd of its own this one needs folders of its own"))
      (health.other, health.hasOtherFolders, health.isHeld) = (other, hasOtherFolders, true)
    }
    return health
  }

  /// What is said of a procd that waits for a disk at its start; nil where none does.
  private static func waiting(_ active: ActiveConfiguration, for missing: String) -> String? {
    WaitingRun.process(of: active).map { "procd (process \($0)) waits: \(missing)" }
  }

  /// What there is to say where the spool is closed to who asks, and nobody answers at the status socket.
  package static func unanswered(_ active: ActiveConfiguration) -> Health {
    if let socket = active.statusSocket, socket.allows(F_OK), !socket.allows(W_OK) {
      let group = active.configuration.statusGroup.map { "members of the group \($0)" } ?? "others"
      return Health(
        false, "this user may not ask how procd is; \(group) and whoever runs procd may")
    }
    return Health(
      false,
      active.missingPlace.flatMap { waiting(active, for: $0) }
        ?? "nobody answers at the status socket: procd does not run as a service, is stopped or hangs; whoever runs"
        + " procd learns more by procd health")
  }

  /// Asks the daemon that holds a spool; nil where none does.
  static func asked(spool: FilePath, patience: Int) -> Health? {
    let health = ask(spool: spool, patience: patience)
    return health.isHeld ? health : nil
  }

  static func ask(spool path: FilePath, patience: Int = patience) -> Health {
    let spool: Folder
    do throws(FileError) { spool = try Folder.open(path) } catch {
      guard error.errno == .noSuchFileOrDirectory else {
        return Health(
          false,
          error.errno == .permissionDenied
            ? "\(path.printable) is closed to this user: ask as the user who runs procd"
            : "the spool cannot be read: \(error)")
      }
      return outOfReach(path)
        ?? Health(false, "no procd is running for this configuration: there is no spool yet")
    }
    do throws(FileError) {
      let answer = try spool.ask(Spool.pulseName, patience: Int32(patience))
      guard let pulse = (try? JSONReader.read(answer).value).flatMap(Pulse.init) else {
        return Health(false, "procd's answer cannot be understood")
      }
      return judge(pulse)
    } catch {
      // Given back when the folder is closed.
      if spool.lock() {
        return outOfReach(path) ?? Health(false, "no procd is running for this configuration")
      }
      let who = Spool.holder(of: spool).map { " (process \($0))" } ?? ""
      return error.errno == .resourceTemporarilyUnavailable
        ? Health(
          false, "procd\(who) has not answered for \(patience / 1000) s: it is stopped or hangs",
          isHeld: true)
        : Health(false, "procd\(who) holds the spool, but cannot be asked: \(error)", isHeld: true)
    }
  }

  /// What there is to say of a procd that was started on a spool which is not there any more; nil where none was.
  private static func outOfReach(_ path: FilePath) -> Health? {
    guard Folder.listening(at: Spool.pulseName.string).contains(path) else { return nil }
    var health = Health(
      false,
      "a procd runs that listens in \(path.printable) and cannot be reached there: its disk is gone, the folder was"
        + " moved, or it is in a container; bring it back, or restart procd")
    health.isOutOfReach = true
    return health
  }

  /// What the daemon's words mean.
  package static func judge(_ pulse: Pulse) -> Health {
    switch pulse.phase {
    case .starting:
      return Health(false, "procd is starting: it is cleaning up after an earlier run", pulse)
    case .ending: return Health(false, "procd ends", pulse)
    case .running: break
    }
    guard let sinceTurn = pulse.sinceTurn else { return Health(false, "procd starts", pulse) }
    guard sinceTurn <= longestTurn else {
      let seconds = sinceTurn / 1000
      return Health(false, "procd hangs: its main loop has not run for \(seconds) s", pulse)
    }
    if let paused = pulse.paused {
      return Health(false, "procd takes in no files: \(paused)", pulse)
    }
    if let blocked = pulse.blocked ?? pulse.overdue { return Health(false, blocked, pulse) }
    let look = pulse.troubles.isEmpty ? "" : ", but: \(pulse.troubles.joined(separator: "; "))"
    return Health(true, "procd is healthy (process \(pulse.process))\(look)", pulse)
  }
}
