internal import Glibc
package import SystemPackage

extension Folder {
  /// Removes an entry of this folder with all that is below it, however deep: without recursion
  /// and by descriptor. Sub-folders are first renamed up into this folder, so that no path grows
  /// long; this folder must be ours alone (the trash).
  package func removeTree(_ name: FilePath) throws(FileError) {
    var pending = [name]
    var serial = 0
    while let next = pending.popLast() {
      guard let status = try status(next) else { continue }
      guard status.kind == .folder else {
        try remove(next)
        continue
      }
      if try removeEmptyFolder(next) { continue }
      try makeAccessible(next, status)
      let folder = try folder(next)
      for entry in try folder.names() {
        guard let status = try folder.status(entry) else { continue }
        if status.kind == .folder {
          if try folder.removeEmptyFolder(entry) { continue }
          serial += 1
          let fresh = FilePath("up-\(getpid())-\(serial)-\(status.inode)")
          try folder.makeAccessible(entry, status)
          if try folder.rename(entry, to: self, as: fresh) == .done { pending.append(fresh) }
        } else {
          try folder.remove(entry)
        }
      }
      try removeEmptyFolder(next)
    }
  }

  /// A step may have taken its own rights on its folders away. The folder may be in somebody's hands still:
  /// it is not looked for by its name twice.
  private func makeAccessible(_ name: FilePath, _ status: FileStatus) throws(FileError) {
    guard status.mode & 0o700 != 0o700 else { return }
    // Where that is refused, what needs the rights says so.
    _ = try? openUp(name)
  }

  /// Removes all that is in this folder, which must be ours alone.
  package func removeContents() throws(FileError) {
    for name in try names() { try removeTree(name) }
  }
}
