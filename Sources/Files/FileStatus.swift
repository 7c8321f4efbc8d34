internal import Glibc

/// What the kernel knows of a file.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case regular, folder, link, other }
  package var kind: Kind
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// Bytes of the disk that it takes; less than its size where it has holes, more where room is kept for it.
  package var allocated: Int
  package var links: Int
  package var owner: UInt32
  package var group: UInt32
  package var mode: UInt32
  package var modified: FileTime
  package var changed: FileTime

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    allocated = Int(status.st_blocks) &* 512
    links = Int(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o7777
    modified = FileTime(
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    changed = FileTime(
      seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec))
  }

  /// Whether only the owner of an entry, or of the folder, may rename it (chmod(1), the sticky bit).
  package var isSticky: Bool { mode & UInt32(S_ISVTX) != 0 }

  /// Whether both describe the same file in the same state of content.
  package func isSameContent(as other: FileStatus) -> Bool {
    isSameFile(as: other) && size == other.size && modified == other.modified
  }

  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// A time as file systems keep it, counted from 1970 UTC.
package struct FileTime: Sendable, Equatable, Comparable {
  package var seconds: Int64
  package var nanoseconds: Int64
  /// The same as one number, as far as that reaches.
  package var nanosecondsSince1970: Int64 { seconds &* 1_000_000_000 &+ nanoseconds }

  package init(seconds: Int64, nanoseconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
  package static func < (left: FileTime, right: FileTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
  /// Milliseconds since 1970.
  package var milliseconds: Int64 { seconds &* 1000 &+ nanoseconds / 1_000_000 }
}
