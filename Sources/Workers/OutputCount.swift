internal import Files
internal import Glibc
internal import PluginKit
internal import SystemPackage

/// Counts what a running step has written.
struct OutputCount {
  /// How many more files and bytes there may be.
  private var files: Int
  private var bytes: Int

  init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }

  /// How much there is.
  struct Amount {
    var files = 0
    var bytes = 0
  }

  /// What a folder holds with all that is below it, counted in the same way.
  static func amount(in path: String) -> Amount {
    let most = Int.max - 1
    var count = OutputCount(files: most, bytes: most)
    _ = count.isExceeded(by: path)
    return Amount(files: most - count.files, bytes: most - count.bytes)
  }

  /// Whether a folder holds more than that with all that is below it, by the file system's own count: a file
  /// counts by the room that it takes, and one with holes by its size, for it would become whole when copied. A
  /// folder that is gone is no reason to stop: collecting will look again.
  mutating func isExceeded(by path: String) -> Bool {
    guard let top = try? Folder.open(FilePath(path)) else { return false }
    // Paths, not open folders: a step could make more of them than this process may have open.
    var waiting: [FilePath] = [""]
    while let path = waiting.popLast() {
      let folder: Folder
      do throws(FileError) { folder = try Self.opened(path, in: top) } catch {
        // Deeper than a path can be.
        if error.errno == .fileNameTooLong { return true }
        continue
      }
      guard let names = try? folder.names() else { continue }
      for name in names {
        files -= 1
        if files < 0 { return true }
        guard let status = try? folder.status(name) else { continue }
        if status.kind == .folder {
          waiting.append(path.appending(name.components))
        } else {
          bytes -= min(max(status.size, status.allocated), bytes + 1)
          if bytes < 0 { return true }
        }
      }
    }
    return false
  }

  /// A step may have taken away the right to read a folder, to hide what it has in it.
  private static func opened(_ path: FilePath, in top: Folder) throws(FileError) -> Folder {
    do { return try top.folder(path, .guarded) } catch  where error.errno == .permissionDenied {
      try top.openUp(path.isEmpty ? "." : path)
      return try top.folder(path, .guarded)
    }
  }

  /// Whether files without a name, which a process and those that it has started hold open, on a disk or in
  /// memory alone (memfd), take more. What a process hides of itself cannot be seen.
  mutating func isExceeded(byUnnamedFilesOf process: Int32) -> Bool {
    var seen: Set<[UInt64]> = []
    for member in ProcessFamily.members(of: process) {
      guard let open = try? Folder.open(FilePath("/proc/\(member)/fd")),
        let names = try? open.names()
      else { continue }
      for name in names {
        guard let status = open.target(name), status.links == 0, status.kind == .regular,
          seen.insert([status.device, status.inode]).inserted
        else { continue }
        bytes -= min(max(status.size, status.allocated), bytes + 1)
        if bytes < 0 { return true }
      }
    }
    return false
  }
}
