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
    inbox.put(path, known)
    return .waits(reason)
  }

  func settles(since change: Int64) -> ClaimResult {
    wait(.settling, until: change + inbox.settling.quiet(of: known.memory.status))
  }

  /// Blocked files are looked at again with every full scan's rhythm, not at once.
  func blocked(_ reason: WaitReason) -> ClaimResult { wait(reason, until: now + Self.blockedFor) }

  static let blockedFor: Int64 = 30_000

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
