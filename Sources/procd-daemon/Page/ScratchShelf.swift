import Conveyor
import Files
import Pipelines
import Synchronization
import SystemPackage
import Workers

/// Scratch folders in the spool that a browser comes back to, each with what is known of it. A few at a time, and none
/// for long.
final class ScratchShelf<Value: Sendable>: Sendable {
  private struct Entry {
    var scratch: ScratchFolder
    var value: Value
    var used = milliseconds()
  }
  private let entries = Mutex<[String: Entry]>([:])
  private let purpose: String
  private let most: Int

  /// Milliseconds after its last use for which one is kept.
  private let age = 1_800_000

  /// - Parameter purpose: a word for the names of the folders.
  init(_ purpose: String, most: Int) { (self.purpose, self.most) = (purpose, most) }

  /// Removes what pages that were killed left in the spool.
  func removeLeft(in spool: FilePath) {
    // What cannot be removed is in nobody's way there.
    try? ScratchFolder.removeLeft(by: purpose, in: spool)
  }

  func makeScratch(in spool: FilePath) throws(FileError) -> ScratchFolder {
    let scratch = try ScratchFolder(for: purpose, in: spool)
    _ = scratch.folder.lock()
    return scratch
  }

  /// Keeps a folder; the ones not used for long give way.
  ///
  /// - Returns: the handle by which it is found.
  func keep(_ scratch: ScratchFolder, _ value: Value) -> String {
    let handle = JobIdentifiers.random(24)
    let dropped = entries.withLock { entries in
      var dropped = entries.filter { milliseconds() - $0.value.used > age }
      for name in dropped.keys { entries[name] = nil }
      while entries.count >= most, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
        dropped[oldest.key] = oldest.value
        entries[oldest.key] = nil
      }
      entries[handle] = Entry(scratch: scratch, value: value)
      return dropped.values.map(\.scratch)
    }
    for scratch in dropped { scratch.remove() }
    return handle
  }

  /// Returns what is kept under a handle, or nil if it is no longer kept.
  subscript(handle: String) -> (scratch: ScratchFolder, value: Value)? {
    entries.withLock { entries in
      entries[handle]?.used = milliseconds()
      return entries[handle].map { ($0.scratch, $0.value) }
    }
  }

  func update(_ handle: String, _ value: Value) { entries.withLock { $0[handle]?.value = value } }

  func drop(_ handle: String) {
    entries.withLock { $0.removeValue(forKey: handle)?.scratch }?.remove()
  }

  func dropAll() {
    let all = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values.map(\.scratch)
    }
    for scratch in all { scratch.remove() }
  }
}
