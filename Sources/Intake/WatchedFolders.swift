internal import SystemPackage

/// The folders that the kernel watches, by their watch and as a tree: a folder that moves away takes along those below
/// it only.
struct WatchedFolders {
  private var paths: [Int32: FilePath] = [:]
  private var watches: [FilePath: Int32] = [:]
  /// The folders directly below a folder that are watched or have watched ones below them.
  private var below: [FilePath: Set<FilePath>] = [:]

  /// Returns the folder that a watch is on, or nil if there is no such watch.
  func path(of watch: Int32) -> FilePath? { paths[watch] }

  /// Remembers a watch. The kernel gives a folder that is watched already the same one, also under another path.
  mutating func add(_ watch: Int32, at path: FilePath) {
    if paths[watch] == path { return }
    remove(watch)
    if let other = watches[path] { remove(other) }
    (paths[watch], watches[path]) = (path, watch)
    var path = path
    while !path.isEmpty {
      let parent = path.removingLastComponent()
      guard below[parent, default: []].insert(path).inserted else { break }
      path = parent
    }
  }

  mutating func remove(_ watch: Int32) {
    guard var path = paths.removeValue(forKey: watch) else { return }
    watches[path] = nil
    while !path.isEmpty, watches[path] == nil, below[path] == nil {
      let parent = path.removingLastComponent()
      below[parent]?.remove(path)
      if below[parent]?.isEmpty == true { below[parent] = nil }
      path = parent
    }
  }

  /// Forgets a folder and all below it.
  ///
  /// - Returns: their watches.
  mutating func removeTree(at path: FilePath) -> [Int32] {
    var waiting = [path], removed: [Int32] = []
    while let path = waiting.popLast() {
      waiting += below[path] ?? []
      if let watch = watches[path] { removed.append(watch) }
    }
    for watch in removed { remove(watch) }
    return removed
  }
}
