internal import Files
internal import Glibc
internal import SystemPackage

/// Counts what a running step has written.
enum OutputCount {
  /// Whether a work folder holds more files or bytes than allowed. A folder that cannot be read is
  /// no reason to stop: collecting will look again.
  static func exceeds(_ path: String, files: Int, bytes: Int) -> Bool {
    var waiting: [Folder] = [], count = 0, total = 0, depth = 0
    guard let top = try? Folder.open(FilePath(path)) else { return false }
    waiting = [top]
    while let folder = waiting.popLast() {
      depth += 1
      guard let names = try? folder.names() else { continue }
      for name in names {
        count += 1
        if count > files { return true }
        guard let status = try? folder.status(name) else { continue }
        if status.kind == .folder {
          if let inner = try? folder.folder(name) { waiting.append(inner) }
        } else {
          // Sparse files count by size: they would become whole when copied.
          total += status.size
          if total > bytes { return true }
        }
      }
    }
    return false
  }
}
