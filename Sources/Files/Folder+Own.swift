internal import CLinux
internal import Glibc
package import SystemPackage

/// Folders of ours in places that others may write to. Nothing in such a place is believed by its name:
/// whoever may write there may have made it first.
extension Folder {
  /// What a name begins with that procd gave in a place of others.
  package static let ownPrefix = ".procd"
  private static let trialPrefix = "\(ownPrefix)-trial"

  /// Whether a name in a place is one that procd may have given: nothing is taken from there, and what
  /// stands there belongs to no job.
  package static func isOwnName(_ name: FilePath) -> Bool {
    name.string == ownPrefix || name.string.hasPrefix("\(ownPrefix)-")
  }

  /// Finds or makes the folder in this one that is ours alone, `.procd`, or another name where somebody
  /// else has taken that one.
  package func makeOwn() throws(FileError) -> Folder {
    for attempt in 0..<8 {
      if let own = try own() { return own }
      let name = FilePath(attempt == 0 ? Self.ownPrefix : "\(Self.ownPrefix)-\(Self.randomName())")
      let result = unsafe name.withPlatformString { unsafe mkdirat(descriptor, $0, 0o700) }
      if result != 0 {
        guard errno == EEXIST else { throw failure("make", name) }
        continue
      }
      try sync()
      let made = try folder(name)
      guard try made.isOurs(in: self) else { throw try made.untrusted() }
      return made
    }
    throw FileError("make", path.appending(Self.ownPrefix), .fileExists)
  }

  /// The folder in this one that is ours alone; nil where there is none.
  package func own() throws(FileError) -> Folder? {
    // The usual name first: a place with many entries is not listed for it.
    if let usual = try ours(FilePath(Self.ownPrefix)) { return usual }
    guard try exists(FilePath(Self.ownPrefix)) else { return nil }
    for name in try names().sorted(by: { $0.string < $1.string })
    where Self.isOwnName(name) && !name.string.hasPrefix(Self.trialPrefix) {
      if let own = try ours(name) { return own }
    }
    return nil
  }

  /// Whether what stands under a name here is a folder that is ours alone.
  package func isOurs(_ name: FilePath) -> Bool { (try? ours(name)) != nil }

  /// What stands here under a name of ours and is not ours, with whose it is, as people read it.
  package func foreignUnderOwnNames() throws(FileError) -> [String] {
    var found: [String] = []
    let name = FilePath(Self.ownPrefix)
    guard let status = try status(name), try ours(name) == nil else { return [] }
    let owner = Accounts.userName(status.owner) ?? "\(status.owner)"
    let mode = String(status.mode, radix: 8)
    let what = status.kind == .folder ? "a folder" : "no folder"
    found.append(
      "\(path.appending(name.components).printable) is \(what) of user \(owner) with mode \(mode),"
        + " not procd's: it is left alone and not used")
    return found
  }

  private func ours(_ name: FilePath) throws(FileError) -> Folder? {
    guard try status(name)?.kind == .folder else { return nil }
    let found: Folder
    do throws(FileError) { found = try folder(name, .guarded) } catch {
      // Not ours, or no longer what was looked at.
      let foreign: [Errno] = [
        .permissionDenied, .noSuchFileOrDirectory, .tooManySymbolicLinkLevels, .notDirectory,
        .improperLink,
      ]
      if foreign.contains(error.errno) { return nil }
      throw error
    }
    return try found.isOurs(in: self) ? found : nil
  }

  /// Whether only this user can have changed what is in this folder: he owns it, and nobody else may write.
  private func isOurs(in parent: Folder) throws(FileError) -> Bool {
    let status = try status()
    guard status.mode & 0o022 == 0 else { return false }
    if status.owner == geteuid() { return true }
    return try status.owner == parent.ownerOfNew()
  }

  /// Whom the file system says that new entries belong to: on shares of a network, and on file systems
  /// without owners, that is somebody else than this process' user.
  private func ownerOfNew() throws(FileError) -> UInt32 {
    let name = try makeTrial()
    defer { _ = try? removeEmptyFolder(name) }
    return try status(name)?.owner ?? geteuid()
  }

  private func untrusted() throws(FileError) -> FileError {
    let status = try status()
    return FileError(
      "use", path, .permissionDenied,
      reason:
        "it belongs to user \(status.owner) with mode \(String(status.mode, radix: 8)), so others"
        + " may write into it; give it to the user of procd alone")
  }

  /// Whether others may give what stands in this folder, this folder itself or one above it another name, and so
  /// put something else in its place. Root may everything and does not count.
  ///
  /// - Returns: the folder whose entries others may rename; nil where they may nowhere.
  package func renamableByOthers() throws(FileError) -> FilePath? {
    var folder = self
    var isMountPoint = false
    while true {
      let status = try folder.status()
      if !isMountPoint, status.mayBeRenamedInByOthers() { return folder.path }
      let above = try folder.parent()
      if try above.status().isSameFile(as: status) { return nil }
      // The kernel renames no folder that something is mounted on.
      isMountPoint = try above.status().device != status.device
      folder = above
    }
  }

  /// The folder that this one stands in, whatever name it has by now; of the topmost that one itself.
  private func parent() throws(FileError) -> Folder {
    let above = unsafe clinux_openat(descriptor, "..", Self.flags, 0)
    guard above >= 0 else { throw failure("open", "..") }
    return Folder(descriptor: above, path: path.removingLastComponent())
  }

  // MARK: - Trials

  /// Makes an empty folder for a trial, under a name that nobody can have taken before.
  package func makeTrial() throws(FileError) -> FilePath {
    while true {
      let name = FilePath("\(Self.trialPrefix)-\(Self.randomName())")
      let result = unsafe name.withPlatformString { unsafe mkdirat(descriptor, $0, 0o700) }
      if result == 0 { return name }
      guard errno == EEXIST else { throw failure("make", name) }
    }
  }

  /// Removes the folders of trials that were cut off. Of what others put there under such a name nothing
  /// is touched but an empty folder; what cannot be removed is in nobody's way.
  package func removeLeftTrials() throws(FileError) {
    for name in try names() where name.string.hasPrefix(Self.trialPrefix) {
      guard let trial = try? ours(name) else { continue }
      for file in [FilePath("first"), FilePath("second")] { _ = try? trial.remove(file) }
      _ = try? removeEmptyFolder(name)
    }
  }

  /// Twelve letters and digits that nobody can know before.
  private static func randomName() -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    var numbers = SystemRandomNumberGenerator()
    return String((0..<12).compactMap { _ in letters.randomElement(using: &numbers) })
  }

  // MARK: - Rights

  /// Gives the owner all rights on a folder in this one, whatever they are: a step may have taken its own
  /// away. Never of what a link leads to.
  package func openUp(_ name: FilePath) throws(FileError) {
    let opened = try open(
      name, flags: Int32(CLINUX_O_PATH) | O_DIRECTORY | O_NOFOLLOW, resolution: .guarded)
    guard clinux_set_mode(opened.descriptor, 0o700) == 0 else { throw failure("open up", name) }
  }

  /// Closes this folder to all but its owner.
  ///
  /// - Returns: whether it was open to others.
  package func closeToOthers() throws(FileError) -> Bool {
    let status = try status()
    guard status.mode & 0o077 != 0 else { return false }
    guard fchmod(descriptor, status.mode & 0o7700) == 0 else { throw failure("close", "") }
    return try self.status().mode & 0o077 == 0
  }
}

extension FileStatus {
  /// Whether somebody who is neither this user nor root may rename what is in the folder.
  fileprivate func mayBeRenamedInByOthers() -> Bool {
    guard owner == geteuid() || owner == 0 else { return true }
    let isSticky = mode & 0o1000 != 0
    return mode & 0o022 != 0 && !isSticky
  }
}
