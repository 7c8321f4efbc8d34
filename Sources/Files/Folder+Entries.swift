internal import CLinux
internal import Glibc
internal import Synchronization
package import SystemPackage

extension Folder {
  /// The names in this folder, `.` and `..` apart, in no order.
  package func names() throws(FileError) -> [FilePath] {
    var names: [FilePath] = []
    try readNames {
      names.append($0)
      return true
    }
    return names
  }

  /// Makes a folder in this one, durably; one that stands already is left alone.
  package func makeFolder(_ name: FilePath, mode: UInt32 = 0o777) throws(FileError) {
    let result = unsafe name.withPlatformString { unsafe mkdirat(descriptor, $0, mode) }
    guard result == 0 else {
      guard errno == EEXIST else { throw failure("make", name) }
      return
    }
    do throws(FileError) { try sync() } catch {
      // Found there next time, it would count as durable.
      _ = try? removeEmptyFolder(name)
      throw error
    }
  }

  /// Makes all folders of a relative path, durably, and opens the last.
  ///
  /// - Parameters:
  ///   - mode: what the umask leaves of it, and what the folder above it gives to a group that shares it.
  ///   - exactly: the permissions of folders that are made, whatever the umask.
  ///   - group: their group, where this process may give it.
  package func makeFolders(
    _ relative: FilePath, mode: UInt32 = 0o777, exactly: UInt32? = nil, group: UInt32? = nil
  ) throws(FileError) -> Folder {
    if relative.isEmpty { return self }
    // All that need no new folder pass at once.
    if let there = try standing(relative) { return there }
    // What another thread has made and not yet shared would not share what is made in it.
    return try Self.making.withLock { (_) throws(FileError) -> Folder in
      try make(relative, mode, exactly, group)
    }
  }

  private static let making = Mutex(())

  private func make(
    _ relative: FilePath, _ mode: UInt32, _ exactly: UInt32?, _ group: UInt32?
  ) throws(FileError) -> Folder {
    var folder = self
    for component in relative.components {
      let name = FilePath(root: nil, [component])
      do { folder = try folder.folder(name) } catch  where error.errno == .noSuchFileOrDirectory {
        // Never more open than asked for, not for a moment.
        let above = try folder.status()
        try folder.makeFolder(name, mode: exactly ?? mode)
        folder = try folder.folder(name)
        // Whoever may write to the parent may have put another folder in its place: that keeps its rights.
        let made = try folder.status().mode & 0o7777
        // Where a group shares a folder by its set-group-ID bit, it shares what is made in it, unless the umask closes
        // that to groups.
        let isShared =
          exactly == nil && (group ?? above.group) == above.group && mode & 0o020 != 0
          && above.mode & 0o2020 == 0o2020
          && made & 0o050 == 0o050
        if exactly != nil || group != nil || isShared, try folder.names().isEmpty {
          try folder.give(isShared ? made | 0o020 : exactly, group)
        }
      }
    }
    return folder
  }

  /// Gives this folder the group, the permissions and the access control lists of another one, as far as this process
  /// may.
  func takeRights(of other: Folder) throws(FileError) {
    let (own, status) = (try status(), try other.status())
    let isShared = status.group == own.group || fchown(descriptor, .max, status.group) == 0
    // Rights of a group are another group's business.
    try give(isShared ? status.mode & 0o7777 : status.mode & 0o7707, nil)
    guard isShared else { return }
    for name in [AccessList.accessName, AccessList.defaultName] {
      guard let list = attribute(name, of: other.descriptor) else { continue }
      _ = setAttribute(name, list, of: descriptor)
    }
  }

  /// Sets permissions and group of this folder, where they are given and this process may.
  private func give(_ mode: UInt32?, _ group: UInt32?) throws(FileError) {
    if let group { _ = fchown(descriptor, .max, group) }
    if let mode, fchmod(descriptor, mode) != 0, errno != EPERM {
      throw failure("set the mode of", "")
    }
  }

  /// Makes the entries of this folder durable.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw failure("sync", "") }
  }

  /// Makes everything durable that was written to the file system of this folder, by whomever.
  package func syncFileSystem() throws(FileError) {
    guard clinux_syncfs(descriptor) == 0 else { throw failure("sync the file system of", "") }
  }

  /// Removes a file or link; false where there was none.
  @discardableResult
  package func remove(_ name: FilePath) throws(FileError) -> Bool {
    let result = unsafe name.withPlatformString { unsafe unlinkat(descriptor, $0, 0) }
    if result == 0 { return true }
    if errno == ENOENT { return false }
    throw failure("remove", name)
  }

  /// Removes an empty folder; false where it is gone already or not empty.
  @discardableResult
  package func removeEmptyFolder(_ name: FilePath) throws(FileError) -> Bool {
    let result = unsafe name.withPlatformString { unsafe unlinkat(descriptor, $0, AT_REMOVEDIR) }
    if result == 0 { return true }
    if errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST { return false }
    throw failure("remove", name)
  }
}
