internal import Bytes
internal import Files
internal import SystemPackage

/// The files that wait to be taken, by path, by folder, and by the time of their next look. Nothing here goes through
/// all of them for one of them.
struct WaitingFiles: Sendable {
  private(set) var all: [FilePath: Inbox.Known] = [:]
  private var folders: [FilePath: Set<FilePath>] = [:]
  /// Has an entry for each file that is to be looked at, and entries that are out of date.
  private var schedule = Heap<PlannedLook>()
  /// Files whose time has come, the oldest last.
  private var due: [FilePath] = []

  private struct PlannedLook: Comparable {
    let time: Int64
    let path: FilePath
    static func < (one: Self, other: Self) -> Bool { one.time < other.time }
  }

  subscript(path: FilePath) -> Inbox.Known? {
    get { all[path] }
    set {
      let before = all.updateValue(newValue, at: path)
      if before == nil, newValue != nil {
        folders[path.removingLastComponent(), default: []].insert(path)
      } else if before != nil, newValue == nil {
        let folder = path.removingLastComponent()
        folders[folder]?.remove(path)
        if folders[folder]?.isEmpty == true { folders[folder] = nil }
      }
      if let next = newValue?.next, next != before?.next { plan(path, at: next) }
    }
  }

  /// Returns the files that are directly in a folder.
  func paths(in folder: FilePath) -> Set<FilePath> { folders[folder] ?? [] }

  /// Forgets all files but these.
  mutating func keep(_ paths: Set<FilePath>) {
    for path in Array(all.keys) where !paths.contains(path) { self[path] = nil }
  }

  private mutating func plan(_ path: FilePath, at time: Int64) {
    guard time != .max else { return }
    schedule.insert(PlannedLook(time: time, path: path))
    // Most are out of date: a file was planned again and again. Dropping them costs each entry once.
    guard schedule.count > 2 * all.count + 64 else { return }
    schedule = Heap()
    for (path, known) in all where known.next != .max {
      schedule.insert(PlannedLook(time: known.next, path: path))
    }
  }

  private func isCurrent(_ look: PlannedLook) -> Bool { all[look.path]?.next == look.time }

  /// Returns when the next file is to be looked at, or nil if none is.
  mutating func nextTime() -> Int64? {
    if !due.isEmpty { return 0 }
    while let look = schedule.first, !isCurrent(look) { schedule.removeFirst() }
    return schedule.first?.time
  }

  /// Hands out a file whose time has come, or returns nil if there is none. The oldest comes first among those that were
  /// due together: what comes meanwhile keeps none of them waiting, whatever its date.
  mutating func takeDue(at now: Int64) -> FilePath? {
    while true {
      if due.isEmpty { gatherDue(at: now) }
      guard let path = due.popLast() else { return nil }
      guard let known = all[path], known.next <= now else { continue }
      self[path]?.next = .max
      return path
    }
  }

  private mutating func gatherDue(at now: Int64) {
    var found: [(path: FilePath, modified: FileTime)] = []
    while let look = schedule.first, look.time <= now {
      schedule.removeFirst()
      guard isCurrent(look), let known = all[look.path] else { continue }
      found.append((look.path, known.memory.status.modified))
    }
    due = found.sorted { ($0.modified, $0.path.string) > ($1.modified, $1.path.string) }.map(\.path)
  }
}

extension Dictionary {
  /// Sets or removes a value, and returns the one before.
  fileprivate mutating func updateValue(_ value: Value?, at key: Key) -> Value? {
    if let value { updateValue(value, forKey: key) } else { removeValue(forKey: key) }
  }
}
