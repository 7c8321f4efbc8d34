internal import Glibc
package import SystemPackage

extension Folder {
  /// Calls `body` with each name in this folder, `.` and `..` apart, in no order; however many there
  /// are, one is in memory at a time. What is made or removed meanwhile may be missed.
  package func forEachName(_ body: (FilePath) throws -> Void) throws {
    var failure: (any Error)?
    try readNames { name in
      do { try body(name) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Whether something stands in it whose name is among those that are asked for.
  package func holds(_ isMeant: (String) -> Bool) throws(FileError) -> Bool {
    var found = false
    try readNames { name in
      found = isMeant(name.string)
      return !found
    }
    return found
  }

  /// Reads names until `body` gives false.
  func readNames(_ body: (FilePath) -> Bool) throws(FileError) {
    // A descriptor of its own: reading moves the position that all copies share.
    let reader = try self.open(".", flags: O_RDONLY | O_DIRECTORY)
    guard let stream = unsafe fdopendir(reader.duplicate()) else { throw failure("list", "") }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw failure("list", "") }
        return
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FilePath(platformString: $0)
        }
      }
      if name.string != ".", name.string != "..", !body(name) { return }
    }
  }
}
