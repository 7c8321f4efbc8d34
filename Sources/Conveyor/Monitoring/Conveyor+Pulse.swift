internal import Files
internal import Fleet
internal import Glibc
internal import Intake
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage

extension Conveyor {
  /// How it goes, from memory alone, so that it is told at once whatever the rest waits for.
  var pulse: Pulse {
    let phase: Pulse.Phase = isStopping ? .ending : tally.now.isReady ? .running : .starting
    return Pulse(
      process: Int(getpid()), phase: phase, sinceTurn: tally.sinceTurn, paused: pauseReason,
      blocked: blocked,
      troubles: troubles, fleet: fleet?.view.lines ?? [],
      unread: pendingIndex.withLock(\.unread), rules: active.mark,
      folders: active.foldersMark,
      configuration: active.file?.repaired.text, polls: spool.claims.inbox.polls,
      stuck: stuckToTell, overdue: stuck.overdue(at: .now, in: active.inbox))
  }

  /// How it is, as it says itself whatever became of its folders.
  package var health: Health { Health.judge(pulse) }

  /// What stays in the inbox, as much of it as the answer may be long. Names may be of anything, and long.
  private var stuckToTell: [String: String] {
    var told: [String: String] = [:], room = 16 << 10
    // Who may not see whether a file is open elsewhere is told, too.
    let all = stuck.reasons.merging(spool.claims.inbox.unfinished) { stays, _ in stays }
    for (path, reason) in all.sorted(by: { $0.key.string < $1.key.string }) {
      let text = reason.text
      room -= JSON.array([.string(path.printable), .string(text)]).line.count
      guard room >= 0 else { break }
      told[path.printable] = text
    }
    return told
  }

  /// Lets whoever made a request wake the main loop.
  func answerToBell() -> AnsweringSocket? {
    try? AnsweringSocket(in: spool.folder, as: Spool.bellName) { [wakeup] in
      wakeup.signal()
      // Something has to be said: the asker waits for it.
      return [0x2E]
    }
  }

  /// Lets `procd health` ask, by a socket in the spool. Where the file system has no sockets the work
  /// goes on without.
  func answerForHealth() -> AnsweringSocket? {
    do throws(FileError) {
      return try AnsweringSocket(in: spool.folder, as: Spool.pulseName) { [weak self] in
        self?.pulse.json.text ?? []
      }
    } catch {
      emit(.notice("procd health cannot reach this procd: \(error)"))
      return nil
    }
  }
}
