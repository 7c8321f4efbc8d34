internal import CLinux
internal import Glibc
package import SystemPackage

/// An open folder. What is done in it goes by its descriptor, so that nobody can swap a parent for
/// a link in between.
package final class Folder: Sendable {
  package let descriptor: Int32
  /// Where it was when it was opened; for messages only, and for giving paths to other processes.
  package let path: FilePath

  init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens a folder by path. Links on the way are followed: this is for configured places.
  package static func open(_ path: FilePath) throws(FileError) -> Folder {
    let descriptor = unsafe path.withPlatformString { unsafe clinux_openat(AT_FDCWD, $0, flags, 0) }
    guard descriptor >= 0 else { throw FileError("open", path, Errno(rawValue: errno)) }
    return Folder(descriptor: descriptor, path: path)
  }

  /// Opens a configured place; nil where there is none.
  package static func standing(_ path: FilePath) throws(FileError) -> Folder? {
    do { return try open(path) } catch  where error.errno == .noSuchFileOrDirectory { return nil }
  }

  /// Makes a configured place with all its parents where it is missing, durably, and opens it.
  ///
  /// - Parameter former: the folder that stood there until it was removed, if it is still open: what is made in its
  ///   place is open to the same users.
  package static func make(
    _ path: FilePath, mode: UInt32 = 0o777, like former: Folder? = nil
  ) throws(FileError) -> Folder {
    do { return try open(path) } catch  where error.errno == .noSuchFileOrDirectory {}
    guard let name = path.lastComponent else {
      throw FileError("open", path, .noSuchFileOrDirectory)
    }
    let parentPath = path.removingLastComponent()
    let parent = try make(parentPath.isEmpty ? "." : parentPath)
    try parent.makeFolder(FilePath(root: nil, [name]), mode: mode)
    let folder = try open(path)
    if let former, try folder.names().isEmpty { try folder.takeRights(of: former) }
    return folder
  }

  /// How names below this folder are resolved.
  package enum Resolution: Sendable {
    /// Below this folder, no links, same mount: for folders that others may write to.
    case guarded
    /// Below this folder and no links, mounts may be crossed.
    case acrossMounts

    var flags: UInt64 {
      let common =
        UInt64(CLINUX_RESOLVE_BENEATH) | UInt64(CLINUX_RESOLVE_NO_SYMLINKS)
        | UInt64(CLINUX_RESOLVE_NO_MAGICLINKS)
      return switch self {
      case .guarded: common | UInt64(CLINUX_RESOLVE_NO_XDEV)
      case .acrossMounts: common
      }
    }
  }

  /// Opens a folder below this one.
  package func folder(
    _ relative: FilePath, _ resolution: Resolution = .acrossMounts
  ) throws(FileError) -> Folder {
    if relative.isEmpty { return try copy() }
    let opened = try self.open(relative, flags: Self.flags, resolution: resolution)
    let descriptor = opened.duplicate()
    guard descriptor >= 0 else { throw failure("open", relative) }
    return Folder(descriptor: descriptor, path: path.appending(relative.components))
  }

  /// Opens a folder below this one; nil where there is none.
  package func standing(_ relative: FilePath) throws(FileError) -> Folder? {
    do { return try folder(relative) } catch  where error.errno == .noSuchFileOrDirectory {
      return nil
    }
  }

  private func copy() throws(FileError) -> Folder {
    let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard other >= 0 else { throw FileError("open", path, Errno(rawValue: errno)) }
    return Folder(descriptor: other, path: path)
  }

  /// Opens what is below this folder by a relative path (openat2).
  package func open(
    _ relative: FilePath, flags: Int32, mode: UInt32 = 0, resolution: Resolution = .acrossMounts
  ) throws(FileError) -> OpenFile {
    var descriptor: Int32 = -1
    repeat {
      descriptor = unsafe relative.withPlatformString {
        unsafe clinux_openat2(
          self.descriptor, $0, flags | O_CLOEXEC, mode, resolution.flags)
      }
      // EAGAIN: something on the way was renamed meanwhile; the kernel asks to try again.
    } while descriptor < 0 && (errno == EINTR || errno == EAGAIN)
    guard descriptor >= 0 else { throw failure("open", relative) }
    return OpenFile(descriptor: descriptor, path: path.appending(relative.components))
  }

  /// Opens a file for reading; never blocks on a fifo and never follows a link.
  package func reading(
    _ relative: FilePath, _ resolution: Resolution = .acrossMounts
  ) throws(FileError) -> OpenFile {
    try open(
      relative, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW, resolution: resolution)
  }

  /// Opens a file of an administrator's, links followed; never blocks on a fifo.
  package func following(_ name: FilePath) throws(FileError) -> OpenFile {
    let opened = unsafe name.withPlatformString {
      unsafe clinux_openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    }
    guard opened >= 0 else { throw failure("open", name) }
    return OpenFile(descriptor: opened, path: path.appending(name.components))
  }

  /// Makes a new file; fails where the name is taken.
  package func creating(_ name: FilePath, mode: UInt32 = 0o600) throws(FileError) -> OpenFile {
    try open(name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  func failure(_ operation: String, _ name: FilePath) -> FileError {
    FileError(operation, path.appending(name.components), Errno(rawValue: errno))
  }

  /// The status of an entry itself, links not followed; nil where there is none.
  package func status(_ name: FilePath) throws(FileError) -> FileStatus? {
    var status = stat()
    let result = unsafe name.withPlatformString {
      unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    if result == 0 { return FileStatus(status) }
    if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
    throw failure("look at", name)
  }

  /// The status of what an entry leads to, links followed; nil where that cannot be told. For `/proc` alone.
  package func target(_ name: FilePath) -> FileStatus? {
    var status = stat()
    let result = unsafe name.withPlatformString { unsafe fstatat(descriptor, $0, &status, 0) }
    return result == 0 ? FileStatus(status) : nil
  }

  /// Whether the kernel would let this process do something with an entry, links not followed; `mode` as for access(2).
  package func allows(_ mode: Int32, on name: FilePath) -> Bool {
    unsafe name.withPlatformString {
      unsafe faccessat(descriptor, $0, mode, AT_EACCESS | AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// Returns whether an entry was made immutable or append-only (chattr(1)), so that not even root moves it.
  package func isUnchangeable(_ name: FilePath) -> Bool {
    unsafe name.withPlatformString { unsafe clinux_is_unchangeable(descriptor, $0) != 0 }
  }

  package func exists(_ name: FilePath) throws(FileError) -> Bool { try status(name) != nil }

  /// Whether it is still the folder that stands at its path.
  package func isAtItsPath() throws(FileError) -> Bool {
    do throws(FileError) {
      return try Folder.open(path).status().isSameFile(as: status())
    } catch  where error.errno == .noSuchFileOrDirectory { return false }
  }

  package func status() throws(FileError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("look at", "") }
    return FileStatus(status)
  }

  /// The magic number of the file system (statfs(2)), 0 where it cannot be told.
  package func fileSystemType() -> UInt64 {
    var type: UInt64 = 0
    return unsafe clinux_file_system_type(descriptor, &type) == 0 ? type : 0
  }

  /// Whether its files are in memory alone: tmpfs, ramfs (linux/magic.h).
  package var isInMemory: Bool { [0x0102_1994, 0x8584_58f6].contains(fileSystemType()) }

  /// Takes the exclusive lock that dies with its holder; false where another process has it.
  package func lock() -> Bool { clinux_lock_exclusive(descriptor) == 0 }
}
