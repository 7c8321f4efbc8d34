internal import Files
internal import Glibc
internal import SystemPackage

/// Counts what a running step has written.
enum OutputCount {
  /// Whether a work folder holds more files or bytes than allowed. A folder that cannot be read is
  /// no reason to stop: collecting will look again.
  static func exceeds(_ path: String, files: Int, bytes: Int) -> Bool {
    guard let top = try? Folder.open(FilePath(path)) else { return false }
    // Paths, not open folders: a step could make more of them than this process may have open.
    var waiting: [FilePath] = [""], count = 0, total = 0
    while let path = waiting.popLast() {
      let folder: Folder
      do throws(FileError) { folder = try top.folder(path, .guarded) } catch {
        // Deeper than a path can be.
        if error.errno == .fileNameTooLong { return true }
        continue
      }
      guard let names = try? folder.names() else { continue }
      for name in names {
        count += 1
        if count > files { return true }
        guard let status = try? folder.status(name) else { continue }
        if status.kind == .folder {
          waiting.append(path.appending(name.components))
        } else {
          // Sparse files count by size: they would become whole when copied.
          if status.size > bytes - total { return true }
          total += status.size
        }
      }
    }
    return false
  }
}
