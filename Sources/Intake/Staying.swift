internal import Files
internal import Glibc
internal import Pipelines
internal import Synchronization
package import SystemPackage

/// What of the inbox waits for one reason, told in one sentence: a file, or all of a folder that lacks the same right.
package struct Staying: Sendable, Equatable {
  /// Below the inbox.
  package var path: FilePath
  package var reason: WaitReason
  package var count = 1
  /// One of the files if there are several of a folder.
  private var example: FilePath

  package init(path: FilePath, reason: WaitReason) {
    self.path = path
    self.reason = reason
    example = path
  }

  /// Gathers files that lack a right by the folder that they came in with, and leaves all else as it is.
  package static func groups(_ waiting: [(path: FilePath, reason: WaitReason)]) -> [Staying] {
    var groups: [Staying] = [], places: [String: Int] = [:]
    for (path, reason) in waiting {
      guard reason.lacksRight, let top = path.top, top != path else {
        groups.append(Staying(path: path, reason: reason))
        continue
      }
      let key = reason.text + "\0" + top.repaired.text
      guard let place = places[key] else {
        places[key] = groups.count
        groups.append(Staying(path: path, reason: reason))
        continue
      }
      groups[place].count += 1
      groups[place].path = top  // `example` stays the first of them.
    }
    return groups
  }

  /// What is the matter, with the command that mends it.
  ///
  /// - Parameter inbox: where it lies.
  package func text(in inbox: FilePath) -> String {
    guard reason.lacksRight, let top = path.top else { return reason.text }
    let special = reason == .notRenamable ? specialCure(inbox) : nil
    guard special != nil || reason == .unreadable || count > 1 || top != path else {
      return reason.text
    }
    let what =
      reason == .unreadable
      ? "cannot be read by procd"
      : "cannot be moved out of \(count > 1 ? "their" : "its") folder by procd"
    return "\(what); cure, \(special ?? cure(inbox, top))"
  }

  /// Returns the cure for a file that cannot be moved for another reason than the permissions of the folders between
  /// the inbox and it, or nil if there is none.
  private func specialCure(_ inbox: FilePath) -> String? {
    guard let last = example.lastComponent else { return nil }
    let place = inbox.appending(example.removingLastComponent().components)
    let name = FilePath(name: last)
    guard let folder = try? Folder.open(place), let own = try? folder.status(),
      let entry = try? folder.status(name)
    else { return nil }
    if folder.isUnchangeable(".") { return "by root: chattr -ia \(place.quoted)" }
    if folder.isUnchangeable(name) {
      return count > 1
        ? "by root: chattr -R -ia \(inbox.appending(path.components).quoted)"
        : "by root: chattr -ia \(place.appending(last).quoted)"
    }
    let user = geteuid()
    let mayWrite = user == 0 || folder.allows(W_OK | X_OK, on: ".")
    if own.isSticky, user != 0, ![own.owner, entry.owner].contains(user) {
      return "by root: chown \(Accounts.currentUser) \(place.quoted)"
        + (mayWrite ? "" : " && chmod u+wx \(place.quoted)")
    }
    // In a folder below the inbox, any folder on the way may lack rights; the general cure mends them all.
    guard !mayWrite, example.components.count == 1 else { return nil }
    if own.owner == user { return "by the owner or root: chmod u+wx \(place.quoted)" }
    return "by root: chown \(Accounts.currentUser) \(place.quoted) && chmod u+wx \(place.quoted)"
  }

  /// Who can give the right, and how. The inbox is taken to be the user's and group's that procd runs as.
  private func cure(_ inbox: FilePath, _ top: FilePath) -> String {
    // Of what cannot be looked at the general cure is told.
    let place = inbox.appending(top.components)
    let quoted = place.quoted
    let folder = try? Folder.open(inbox)
    let mine = try? folder?.status()
    let status = try? folder?.status(top)
    let (all, rights) = status?.kind == .regular ? ("", "rw") : ("-R ", "rwX")
    // Of the owner only the owner's own rights count.
    if let owner = status?.owner, owner == mine?.owner {
      return "by the owner or root: chmod \(all)u+\(rights) \(quoted)"
    }
    guard let group = (mine?.group).map({ Accounts.groupName($0) ?? "\($0)" }) else {
      return "by the owner or root: chmod \(all)g+\(rights) \(quoted)"
    }
    return
      "by root, or by the owner if in the group \(group): chgrp \(all)\(group) \(quoted) && chmod \(all)g+\(rights) \(quoted)"
  }

  package func sentence(in inbox: FilePath) -> String {
    count > 1
      ? "\(path.printable): \(count) files stay in the inbox: they \(text(in: inbox))"
      : "\(path.printable) stays in the inbox: it \(text(in: inbox))"
  }
}

extension FilePath {
  /// As one word of a shell's command.
  fileprivate var quoted: String { "'" + printable.replacing("'", with: "'\\''") + "'" }

  /// The first name of a path below the inbox.
  fileprivate var top: FilePath? { components.first.map { FilePath(root: nil, [$0]) } }
}

extension WaitReason {
  /// Whether procd lacks a right on it that its owner can give.
  package var lacksRight: Bool { self == .unreadable || self == .notRenamable }

  /// What another process found out, by its words.
  package init(told text: String) {
    self = Self.constant.first { $0.text == text } ?? .told(text)
  }
}

extension Inbox {
  /// Looks anew at what stays. What is gone is forgotten: no event tells that a file was removed. Files that lacked a
  /// right on them or their folders, where that has changed meanwhile, are due.
  package func lookAgainAtStuck(at now: Int64) {
    let stuck = stuck
    guard !stuck.isEmpty, let root = try? root() else { return }
    // Those of a folder follow each other, so that one is open at a time. The next look at everything finds the rest.
    var open: (place: FilePath, folder: Folder)?
    for (path, reason) in stuck.sorted(by: { $0.key.string < $1.key.string }).prefix(
      Self.mostLookedAt)
    {
      guard let last = path.lastComponent, !isSilentMount(path) else { continue }
      let name = FilePath(name: last), place = path.removingLastComponent()
      let folder: Folder
      do throws(FileError) {
        if let open, open.place == place {
          folder = open.folder
        } else {
          folder = try root.folder(place, .guarded)
        }
        open = (place, folder)
        guard try folder.status(name) != nil else {
          throw FileError("look at", path, .noSuchFileOrDirectory)
        }
      } catch {
        if error.errno == .noSuchFileOrDirectory {
          state.withLock { ($0.files[path], $0.others[path]) = (nil, nil) }
        }
        continue
      }
      guard reason.lacksRight, let known = known(path), known.next > now, known.next != .max,
        missingRight(name, in: folder) == nil,
        hasChanged(name, in: folder, since: known.next - IntakeCheck.blockedFor)
      else { continue }
      postpone(path, .due, until: now)
    }
  }

  private static let mostLookedAt = 1000

  /// Whether rights may have changed since then: else the kernel has reasons of its own, which do not show.
  private func hasChanged(_ name: FilePath, in folder: Folder, since time: Int64) -> Bool {
    let entry = try? folder.status(name), place = try? folder.status()
    return [entry, place].contains { ($0?.changed.milliseconds ?? 0) >= time }
  }

  /// Which right procd lacks on a file, as far as the kernel tells before it is tried.
  func missingRight(_ name: FilePath, in folder: Folder) -> WaitReason? {
    if !folder.allows(R_OK, on: name) { return .unreadable }
    guard folder.allows(W_OK | X_OK, on: "."), let place = try? folder.status(),
      let entry = try? folder.status(name), !folder.isUnchangeable(name),
      !folder.isUnchangeable(".")
    else { return .notRenamable }
    // Whoever owns neither moves nothing out of a folder with the sticky bit.
    let user = geteuid(), mayMove = user == 0 || [entry.owner, place.owner].contains(user)
    return !place.isSticky || mayMove ? nil : .notRenamable
  }
}
