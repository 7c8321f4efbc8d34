internal import CLinux
internal import Glibc
package import SystemPackage

/// What a path leads to, and by which mount. Nothing is opened: whoever may go through a folder need not be
/// allowed to list it.
package struct PathPlace: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  package let mount: Mount

  /// Nil where nothing is there.
  package init?(_ path: FilePath) throws(FileError) {
    var place = clinux_place()
    let result = unsafe path.withPlatformString { unsafe clinux_place_of($0, &place) }
    guard result == 0 else {
      if errno == ENOENT { return nil }
      throw FileError("look at", path, Errno(rawValue: errno))
    }
    (device, inode) = (place.device, place.inode)
    mount = Mount(device: place.device, number: place.mount)
  }

  /// Whether both are one file or folder, by whichever mounts.
  package func isSame(as other: PathPlace) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether a folder is another one, or lies in it, as far as the way up tells from where links lead.
  package static func lies(
    _ path: FilePath, in other: FilePath
  ) throws(FileError) -> Bool {
    guard let other = try PathPlace(other) else { return false }
    var path = path
    if let real = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) {
      path = unsafe FilePath(platformString: real)
      unsafe free(real)
    }
    while true {
      if let place = try PathPlace(path), place.isSame(as: other) {
        return true
      }
      guard path.removeLastComponent() else { return false }
    }
  }
}

/// The mount by which a folder is reached. The device alone does not tell: two mounts of one file system
/// share it, and a rename between them fails all the same.
package struct Mount: Sendable, Equatable {
  let device: UInt64
  /// 0 where the kernel tells none.
  let number: UInt64

  /// The mounts on the way from a path up to the root, the path's own first. What is not there counts as
  /// if it stood on the mount of the first folder above it.
  package static func chain(of path: FilePath) throws(FileError) -> [Mount] {
    var chain: [Mount] = []
    var path = path
    while true {
      if let mount = try PathPlace(path)?.mount, mount != chain.last { chain.append(mount) }
      guard path.removeLastComponent() else { return chain }
    }
  }
}

extension Mount {
  /// Returns the places below a folder where something is mounted, relative to it (proc_pid_mountinfo(5)). None of them
  /// is looked at, so none has to answer.
  package static func points(below folder: FilePath) -> Set<FilePath> {
    // Without /proc there is nothing to know, and nothing else works either.
    guard let table = try? Folder.open("/proc/self").reading("mountinfo").readAll(limit: 1 << 24)
    else { return [] }
    let points = table.split(separator: UInt8(ascii: "\n")).compactMap { line -> FilePath? in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6 else { return nil }
      var point = unescaped(fields[4])
      return point.removePrefix(folder) && !point.isEmpty ? point : nil
    }
    return Set(points)
  }

  /// Resolves the octal escapes of blanks and backslashes.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> FilePath {
    var path: [CChar] = [], rest = field
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(3), as: UTF8.self)
      if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let value = UInt8(digits, radix: 8) {
        path.append(CChar(bitPattern: value))
        rest = rest.dropFirst(3)
      } else {
        path.append(CChar(bitPattern: byte))
      }
    }
    path.append(0)
    return FilePath(platformString: path)
  }
}

extension FilePath {
  /// Whether this process may do something with what stands there (access(2)); errno says why not.
  ///
  /// - Parameter mode: `F_OK`, or `R_OK`, `W_OK` and `X_OK` together.
  package func allows(_ mode: Int32) -> Bool {
    unsafe withPlatformString { unsafe access($0, mode) == 0 }
  }
}
