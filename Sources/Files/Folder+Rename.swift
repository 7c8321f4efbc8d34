internal import CLinux
internal import Glibc
package import SystemPackage

extension Folder {
  /// How a rename ended.
  package enum RenameResult: Sendable {
    case done
    /// Something stands at the new name; nothing was changed.
    case taken
    /// Old and new place are on different mounts; nothing was changed.
    case otherMount
    /// The old name is gone.
    case missing
  }

  /// Renames an entry without ever replacing another, unless it is told to, and a folder never. Not durable until both
  /// folders are synced.
  package func rename(
    _ name: FilePath, to target: Folder, as newName: FilePath, replacing: Bool = false
  ) throws(FileError) -> RenameResult {
    let result = unsafe name.withPlatformString { from in
      unsafe newName.withPlatformString { to in
        unsafe clinux_renameat2(
          descriptor, from, target.descriptor, to,
          replacing ? 0 : UInt32(CLINUX_RENAME_NOREPLACE))
      }
    }
    if result == 0 { return .done }
    switch errno {
    case EEXIST, ENOTEMPTY, EISDIR, ENOTDIR: return .taken
    case EXDEV: return .otherMount
    case ENOENT: return try missing(name, on: target)
    // FUSE and network file systems without the flag: a link cannot replace anything either.
    case EINVAL where !replacing, ENOSYS where !replacing:
      return try linkAndUnlink(name, to: target, as: newName)
    default: throw failure("rename", name)
    }
  }

  /// What is missing: the old name, or the folder that it was to go to, which somebody removed.
  private func missing(
    _ name: FilePath, on target: Folder
  ) throws(FileError) -> RenameResult {
    guard try status(name) == nil else {
      throw FileError("rename to", target.path, .noSuchFileOrDirectory)
    }
    return .missing
  }

  private func linkAndUnlink(
    _ name: FilePath, to target: Folder, as newName: FilePath
  ) throws(FileError) -> RenameResult {
    let result = unsafe name.withPlatformString { from in
      unsafe newName.withPlatformString { to in
        unsafe linkat(descriptor, from, target.descriptor, to, 0)
      }
    }
    guard result == 0 else {
      switch errno {
      case EEXIST: return .taken
      case EXDEV: return .otherMount
      case ENOENT: return try missing(name, on: target)
      default: throw failure("link", name)
      }
    }
    try target.sync()
    try remove(name)
    return .done
  }

  /// Writes a small file whole: under a temporary name, synced, then renamed over what stands
  /// there, then the folder synced. For our own files in the spool only.
  package func writeDurably(_ bytes: [UInt8], as name: FilePath) throws(FileError) {
    let temporary = FilePath("\(name.string).new")
    try remove(temporary)
    do {
      let file = try creating(temporary)
      try file.write(bytes.span)
      try file.sync()
    }
    try replace(name, by: temporary)
  }

  /// Writes a small file that others read and that need not outlive a power cut: they see the old
  /// content or the new, never a part.
  package func writeShared(_ bytes: [UInt8], as name: FilePath) throws(FileError) {
    let temporary = FilePath("\(name.string).new")
    try remove(temporary)
    let file = try creating(temporary)
    do throws(FileError) {
      // Whatever this process leaves out of new files: it is made to be read by others.
      try file.setMode(0o644)
      try file.write(bytes.span)
      try rename(temporary, over: name, in: self)
    } catch {
      _ = try? remove(temporary)
      throw error
    }
  }

  /// Renames an entry over what stands at the new name, then syncs the folder. Only where somebody
  /// asked for that very name to be written.
  package func replace(_ name: FilePath, by temporary: FilePath) throws(FileError) {
    try replace(temporary, in: self, as: name)
  }

  /// Renames an entry of this folder over what stands at a name in another, then syncs that one.
  package func replace(
    _ temporary: FilePath, in target: Folder, as name: FilePath
  ) throws(FileError) {
    try rename(temporary, over: name, in: target)
    try target.sync()
  }

  /// Renames an entry over a file that may stand at the new name: at every instant the old or the new
  /// one stands there. Not durable until both folders are synced.
  package func rename(
    _ temporary: FilePath, over name: FilePath, in target: Folder
  ) throws(FileError) {
    let result = unsafe temporary.withPlatformString { from in
      unsafe name.withPlatformString { to in
        unsafe renameat(descriptor, from, target.descriptor, to)
      }
    }
    guard result == 0 else { throw failure("rename", temporary) }
  }
}
