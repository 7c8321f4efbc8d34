internal import CLinux
internal import Confinement
internal import Glibc

/// All processes that this one has started, and those that they have started: this process is their
/// reaper, so none of them can leave it.
package struct ProcessFamily {
  /// Whether a ``SignalScope`` stands around this process.
  let isFenced: Bool

  /// Ends the family. Without a fence one generation at a time: orphans become our children, whose
  /// ends wake us again; who forks faster than this looks escapes it.
  func end() {
    if isFenced { return SignalScope.endAll() }
    for process in Self.children(of: getpid()) ?? Self.childrenByParent() {
      kill(process, SIGKILL)
    }
  }

  /// Whether the family has more members than a number, or more than four threads for each of so many. Where the
  /// kernel does not list children it cannot be told.
  func hasMore(than most: Int) -> Bool {
    // Those that ended and wait for us are our own delay, be they ever so many.
    var waiting = (Self.children(of: getpid()) ?? []).filter { !Self.isEnded($0) }
    var count = 0, threads = 0
    while let process = waiting.popLast() {
      count += 1
      threads += Self.numbers(in: "/proc/\(process)/task").count
      if count + waiting.count > most || threads > 4 * most { return true }
      waiting += Self.children(of: process) ?? []
    }
    return false
  }

  /// A process and all that it has started, as far as they can be seen, 10,000 at most.
  package static func members(of process: Int32) -> [Int32] {
    var members = [process], place = 0
    while place < members.count, members.count < 10_000 {
      members += children(of: members[place]) ?? []
      place += 1
    }
    return members
  }

  /// From /proc/PID/task/TID/children; nil where there is none.
  private static func children(of process: Int32) -> [Int32]? {
    var children: [Int32]?
    for thread in numbers(in: "/proc/\(process)/task") {
      guard let text = read("/proc/\(process)/task/\(thread)/children") else { continue }
      children = (children ?? []) + text.split(separator: 0x20).compactMap(number)
    }
    return children
  }

  private static func childrenByParent() -> [Int32] {
    let own = getpid()
    return numbers(in: "/proc").filter { process in
      guard let fields = standing(of: process) else { return false }
      return number(fields[1]) == own
    }
  }

  /// Whether a process has ended and only its parent has not heard of it yet.
  private static func isEnded(_ process: Int32) -> Bool {
    guard let fields = standing(of: process) else { return true }
    return fields[0].elementsEqual("Z".utf8)
  }

  /// State, parent and what else stands in /proc/PID/stat after the name.
  private static func standing(of process: Int32) -> [ArraySlice<UInt8>]? {
    // The name in parentheses may hold anything; what follows the last one are numbers.
    guard let text = read("/proc/\(process)/stat"),
      let name = text.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = text[(name + 1)...].split(separator: 0x20)
    return fields.count > 1 ? fields : nil
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int32? {
    Int32(String(decoding: text, as: UTF8.self))
  }

  static func numbers(in path: String) -> [Int32] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var numbers: [Int32] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }

  /// The first 64 KiB: some ten thousand children.
  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return readSome(descriptor)
  }
}
