internal import Files
internal import SystemPackage

/// One look at something in the inbox, and the ways in which it may end without a claim.
struct IntakeCheck {
  let inbox: Inbox
  let path: FilePath
  var known: Inbox.Known
  /// Milliseconds since 1970.
  let now: Int64

  func wait(_ reason: WaitReason, until next: Int64) -> ClaimResult {
    var known = known
    known.reason = reason
    known.next = next
    inbox.put(path, known, at: now)
    return .waits(reason)
  }

  func settles(since change: Int64) -> ClaimResult {
    wait(.settling, until: change + inbox.settling.quiet(of: known.memory.status))
  }

  /// Blocked files are looked at again with every full scan's rhythm, not at once.
  func blocked(_ reason: WaitReason) -> ClaimResult { wait(reason, until: now + Self.blockedFor) }

  static let blockedFor: Int64 = 30_000

  /// Waits for what somebody else does to a file.
  ///
  /// - Parameters:
  ///   - isReported: whether the kernel reports that it was closed; if not, it is looked at again and again.
  ///   - end: looked at again then at the latest.
  func waitForWriter(
    _ reason: WaitReason, isReported: Bool, until end: Int64 = .max
  ) -> ClaimResult {
    let pause =
      isReported
      ? Self.blockedFor
      : Self.pause(since: known.memory.lastChange, at: now, inbox.settling)
    return wait(reason, until: min(end, now + pause))
  }

  /// How long to wait between looks at a file that has not changed for some time: as long again, within limits. So the
  /// number of looks does not grow with the time.
  static func pause(since change: Int64, at now: Int64, _ settling: Settling) -> Int64 {
    max(settling.settle, min(now - change, blockedFor))
  }

  /// It changed under our eyes.
  func changed() -> ClaimResult { wait(.settling, until: now + inbox.settling.settle) }

  func gone() -> ClaimResult {
    inbox.forget(path)
    return .gone
  }

  /// Has the disk keep files that are about to be claimed. One that it did not take is not synced again: the
  /// disk would answer that all is well then.
  ///
  /// - Returns: whether it keeps them all, and what it said where it does not.
  func sync(_ files: [OpenFile]) -> (isDone: Bool, failure: FileError?) {
    var isDone = true, failure: FileError?
    for file in files {
      do throws(FileError) {
        let status = try file.status()
        if inbox.isUnsynced(status) {
          isDone = false
          continue
        }
        do throws(FileError) { try file.sync() } catch {
          inbox.noteUnsynced(status)
          throw error
        }
      } catch {
        isDone = false
        failure = failure ?? error
      }
    }
    return (isDone, failure)
  }

  func notOpened(_ error: FileError) -> ClaimResult {
    switch error.errno {
    case .noSuchFileOrDirectory, .tooManySymbolicLinkLevels, .notDirectory: gone()
    case .permissionDenied: blocked(.unreadable)
    case .improperLink: blocked(.otherMount)
    default: blocked(.failed("\(error)"))
    }
  }
}
