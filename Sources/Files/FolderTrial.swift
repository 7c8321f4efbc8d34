internal import CLinux
internal import Glibc
internal import SystemPackage

/// What a folder's file system can do, found out by doing it in a hidden folder that is removed again.
package struct FolderTrial: Sendable {
  /// Whether a rename that replaces nothing works (RENAME_NOREPLACE); where not, a link and an unlink
  /// stand in.
  package var renamesWithoutReplacing = false
  /// Whether a read lease is granted on a file of our own.
  package var lease = OpenFile.Lease.unavailable
  /// Whether content and entries can be made durable.
  package var syncs = false
  /// Whether an entry can be renamed into another folder.
  package var reaches = false

  /// - Parameter target: the folder that entries are to be renamed to.
  /// - Throws: where nothing can be written.
  package init(in folder: Folder, reaching target: Folder?) throws(FileError) {
    let name = try folder.makeTrial()
    let inner = try folder.folder(name)
    defer {
      try? inner.removeContents()
      _ = try? folder.removeEmptyFolder(name)
    }
    let first = FilePath("first"), second = FilePath("second")
    do {
      let file = try inner.creating(first)
      try file.write([0x78].span)
      syncs = (try? file.sync()) != nil && (try? inner.sync()) != nil
    }
    do {
      let file = try inner.reading(first)
      lease = file.takeLease()
      if lease == .held { file.dropLease() }
    }
    _ = try inner.creating(second)
    renamesWithoutReplacing = Self.renameRefuses(first, over: second, in: inner)
    if let target {
      reaches = try inner.reaches(target)
    }
  }

  private static func renameRefuses(
    _ name: FilePath, over other: FilePath, in folder: Folder
  ) -> Bool {
    let result = unsafe name.withPlatformString { from in
      unsafe other.withPlatformString { to in
        unsafe clinux_renameat2(
          folder.descriptor, from, folder.descriptor, to, UInt32(CLINUX_RENAME_NOREPLACE))
      }
    }
    return result != 0 && errno == EEXIST
  }
}

extension Folder {
  /// Whether an entry of this folder can be renamed into another, which is tried: two bind mounts of one
  /// file system look the same and still refuse.
  package func reaches(_ target: Folder) throws(FileError) -> Bool {
    let name = try makeTrial()
    let result: RenameResult
    do throws(FileError) { result = try rename(name, to: target, as: name) } catch {
      _ = try? removeEmptyFolder(name)
      throw error
    }
    guard result == .done else {
      try removeEmptyFolder(name)
      if result == .otherMount { return false }
      // Says nothing of mounts, and claims made elsewhere would not be found again.
      throw FileError("rename to", target.path, .fileExists)
    }
    try target.removeEmptyFolder(name)
    return true
  }
}

/// The room that is left on a file system.
package struct FreeSpace: Sendable {
  package var bytes: Int
  /// Nil where the file system counts none.
  package var files: Int?

  package init?(of folder: Folder) {
    var space = statvfs()
    guard unsafe fstatvfs(folder.descriptor, &space) == 0 else { return nil }
    let (product, overflow) = Int(clamping: space.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: space.f_frsize))
    bytes = overflow ? .max : product
    files = space.f_files > 0 ? Int(clamping: space.f_favail) : nil
  }

  /// Whether there is more room than before; what comes and goes by itself does not count.
  package func hasGrown(since before: FreeSpace?) -> Bool {
    guard let before else { return true }
    if before.files ?? .max < 64, (files ?? .max) > (before.files ?? .max) { return true }
    return bytes - before.bytes >= 65536
  }
}
