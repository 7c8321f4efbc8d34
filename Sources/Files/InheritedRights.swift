internal import CLinux
internal import Glibc
package import SystemPackage

/// The rights that the kernel gives to a file because of the folder that it is made in: the group of a folder with the
/// set-group-ID bit, and the folder's default access control list (acl(5)). A file that is renamed into the folder gets
/// none of them by itself.
package struct InheritedRights: Sendable {
  /// The group of the folder, or nil if its files keep the group of the process that makes them.
  private let group: UInt32?
  private let list: AccessList?

  /// Reads what files made in a folder inherit.
  package init(from folder: Folder) throws(FileError) {
    let status = try folder.status()
    group = status.mode & UInt32(S_ISGID) != 0 ? status.group : nil
    list = attribute(AccessList.defaultName, of: folder.descriptor).flatMap(AccessList.init)
  }

  package var isEmpty: Bool { group == nil && list == nil }

  /// Gives a file, or a folder with its files, what it would have if it had been made in the folder. What this process
  /// may not give, or the file system does not have, is left as it is.
  ///
  /// - Parameters:
  ///   - keepsGroup: whether the group was chosen otherwise.
  ///   - keepsMode: whether the permissions were chosen otherwise.
  package func give(
    to name: FilePath, in folder: Folder, keepsGroup: Bool, keepsMode: Bool
  ) throws(FileError) {
    if isEmpty { return }
    switch try folder.status(name)?.kind {
    case .regular: try give(to: folder.reading(name), 0o666, keepsGroup, keepsMode)
    case .folder:
      let inner = try folder.folder(name)
      for file in try inner.names() where try inner.status(file)?.kind == .regular {
        try give(to: inner.reading(file), 0o666, keepsGroup, keepsMode)
      }
      let file = try folder.reading(name)
      try give(to: file, 0o777, keepsGroup, keepsMode)
      if let list, !keepsMode { file.setAttribute(AccessList.defaultName, list.bytes) }
      let made = try file.status()
      if let group, made.group == group { try file.setMode(made.mode & 0o7777 | UInt32(S_ISGID)) }
    case .link, .other, nil: break
    }
  }

  /// - Parameter mode: the permissions that a program asks for if it wants to leave the choice to the folder.
  private func give(
    to file: OpenFile, _ mode: UInt32, _ keepsGroup: Bool, _ keepsMode: Bool
  ) throws(FileError) {
    if let group, !keepsGroup { _ = file.setGroup(group) }
    if let list, !keepsMode {
      file.setAttribute(AccessList.accessName, list.limited(to: mode).bytes)
    }
  }
}

/// A POSIX access control list as Linux stores it in an extended attribute: a version of 32 bits, then entries of a tag
/// and permissions (16 bits each) and a number (32 bits), all with the low byte first (linux/posix_acl_xattr.h).
struct AccessList: Sendable {
  static let accessName = "system.posix_acl_access", defaultName = "system.posix_acl_default"

  private(set) var bytes: [UInt8]

  private static let headSize = 4, entrySize = 8

  /// Returns nil if the bytes are no list of the one version that exists.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [2, 0, 0, 0]), bytes.count % Self.entrySize == Self.headSize else {
      return nil
    }
    self.bytes = bytes
  }

  private enum Tag: UInt8 { case owner = 0x01, group = 0x04, mask = 0x10, other = 0x20 }

  /// Returns the list without what a mode does not grant, as the kernel does for a new file: the mode's bits for the
  /// group limit the mask, or the owning group if there is no mask.
  func limited(to mode: UInt32) -> AccessList {
    var limited = self
    let entries = stride(from: Self.headSize, to: bytes.count, by: Self.entrySize)
    let hasMask = entries.contains { bytes[$0] == Tag.mask.rawValue }
    for entry in entries {
      let granted: UInt32
      switch Tag(rawValue: bytes[entry]) {
      case .owner: granted = mode >> 6
      case .group where !hasMask, .mask: granted = mode >> 3
      case .other: granted = mode
      case .group, nil: continue
      }
      limited.bytes[entry + 2] &= UInt8(granted & 0o7)
    }
    return limited
  }
}
