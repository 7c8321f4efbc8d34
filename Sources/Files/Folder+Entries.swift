internal import CLinux
internal import Glibc
package import SystemPackage

extension Folder {
  /// The names in this folder, `.` and `..` apart, in no order.
  package func names() throws(FileError) -> [FilePath] {
    // A descriptor of its own: reading moves the position that all copies share.
    let reader = try self.open(".", flags: O_RDONLY | O_DIRECTORY)
    guard let stream = unsafe fdopendir(reader.duplicate()) else { throw failure("list", "") }
    defer { unsafe closedir(stream) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw failure("list", "") }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FilePath(platformString: $0)
        }
      }
      if name.string != ".", name.string != ".." { names.append(name) }
    }
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
  package func makeFolders(
    _ relative: FilePath, mode: UInt32 = 0o777
  ) throws(FileError) -> Folder {
    var folder = self
    for component in relative.components {
      let name = FilePath(root: nil, [component])
      do { folder = try folder.folder(name) } catch  where error.errno == .noSuchFileOrDirectory {
        try folder.makeFolder(name, mode: mode)
        folder = try folder.folder(name)
      }
    }
    return folder
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
