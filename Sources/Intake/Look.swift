internal import Files
internal import SystemPackage

/// One look at something in the inbox, and the ways in which it may end without a claim.
struct Look {
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

  /// Blocked files are looked at again with every full scan's rhythm, not at once.
  func blocked(_ reason: WaitReason) -> ClaimResult { wait(reason, until: now + 30_000) }

  /// It changed under our eyes.
  func changed() -> ClaimResult { wait(.settling, until: now + inbox.settling.settle) }

  func gone() -> ClaimResult {
    inbox.forget(path)
    return .gone
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
