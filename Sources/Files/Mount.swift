internal import CLinux
package import SystemPackage

/// The mount by which a folder is reached. The device alone does not tell: two mounts of one file system
/// share it, and a rename between them fails all the same.
package struct Mount: Sendable, Equatable {
  package var device: UInt64
  /// 0 where the kernel tells none.
  package var number: UInt64

  /// The mounts on the way from a path up to the root, the path's own first. What is not there counts as
  /// if it stood on the mount of the first folder above it.
  package static func chain(of path: FilePath) throws(FileError) -> [Mount] {
    var chain: [Mount] = []
    var path = path
    while true {
      if let mount = try Folder.standing(path)?.mount(), mount != chain.last { chain.append(mount) }
      guard path.removeLastComponent() else { return chain }
    }
  }
}

extension Folder {
  package func mount() throws(FileError) -> Mount {
    var number: UInt64 = 0
    guard unsafe clinux_mount_id(descriptor, &number) == 0 else { throw failure("look at", "") }
    return Mount(device: try status().device, number: number)
  }

  /// Whether this folder is another one, or lies in it, as far as the way up by its path tells.
  ///
  /// - Parameter other: what it is compared with, whatever it is called.
  package static func overlap(_ path: FilePath, _ other: FilePath) throws(FileError) -> Bool {
    guard let other = try standing(other)?.status() else { return false }
    var path = path
    while true {
      if let status = try standing(path)?.status(), status.isSameFile(as: other) { return true }
      guard path.removeLastComponent() else { return false }
    }
  }
}
