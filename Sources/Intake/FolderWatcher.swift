internal import CLinux
package import Files
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Watches folders by inotify on a thread of its own and gathers hints.
package final class FolderWatcher: Sendable {
  private struct State {
    var folders = WatchedFolders()
    var hints = HintQueue()
    var overflows = 0
    var failed = false
  }
  private let descriptor: Int32
  private let stop: (read: Int32, write: Int32)
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  private static let mask =
    UInt32(CLINUX_IN_CREATE) | UInt32(CLINUX_IN_CLOSE_WRITE) | UInt32(CLINUX_IN_MOVED_TO)
    | UInt32(CLINUX_IN_MOVED_FROM) | UInt32(CLINUX_IN_DELETE_SELF) | UInt32(CLINUX_IN_MOVE_SELF)
    | UInt32(CLINUX_IN_UNMOUNT) | UInt32(CLINUX_IN_ONLYDIR) | UInt32(CLINUX_IN_EXCL_UNLINK)

  /// - Parameter wake: called from the watcher's thread when there are new hints.
  package init?(wake: @escaping @Sendable () -> Void) {
    descriptor = clinux_inotify_init()
    guard descriptor >= 0 else { return nil }
    var pipe: [Int32] = [-1, -1]
    _ = unsafe clinux_pipe(&pipe)
    stop = (pipe[0], pipe[1])
    self.wake = wake
    let reader = EventReader(watcher: self, descriptor: descriptor, stop: stop.read)
    do throws(FileError) { try startThread { reader.run() } } catch { return nil }
  }

  deinit {
    // The reader holds both ends it needs; closing ours ends it.
    close(stop.write)
  }

  /// Watches a folder; call before listing it, so that nothing falls between. Watching twice is
  /// watching once. False where the kernel's limit of watches is reached.
  package func watch(_ folder: Folder, at path: FilePath) -> Bool {
    state.withLock { state in
      let watch = unsafe clinux_inotify_add(
        descriptor, "/proc/self/fd/\(folder.descriptor)", Self.mask)
      guard watch >= 0 else {
        state.failed = true
        return false
      }
      state.folders.add(watch, at: path)
      return true
    }
  }

  /// Takes the oldest hints; each is given once.
  package func takeHints(atMost limit: Int = .max) -> [Hint] {
    state.withLock { $0.hints.take(atMost: limit) }
  }

  /// One of the kernel's limits of inotify (inotify(7)); nil where it cannot be read.
  package static func limit(_ name: String) -> Int? {
    guard let folder = try? Folder.open("/proc/sys/fs/inotify"),
      let text = try? folder.reading(FilePath(name)).readAll(limit: 100)
    else { return nil }
    return Int(String(decoding: text, as: UTF8.self).filter(\.isNumber))
  }

  /// How often the kernel's queue ran over.
  package var overflows: Int { state.withLock { $0.overflows } }

  /// Whether some folder could not be watched.
  package var isIncomplete: Bool { state.withLock { $0.failed } }

  fileprivate func take(watch: Int32, mask: UInt32, name: FilePath?) {
    state.withLock { state in
      if mask & UInt32(CLINUX_IN_Q_OVERFLOW) != 0 {
        state.overflows += 1
        state.hints.add(.everything)
        return
      }
      guard let folder = state.folders.path(of: watch) else { return }
      if mask & UInt32(CLINUX_IN_IGNORED) != 0 {
        state.folders.remove(watch)
        return
      }
      let selfGone =
        UInt32(CLINUX_IN_DELETE_SELF) | UInt32(CLINUX_IN_MOVE_SELF) | UInt32(CLINUX_IN_UNMOUNT)
      if mask & selfGone != 0 {
        if folder.isEmpty { state.hints.add(.everything) }
        return
      }
      guard let name else { return }
      let path = folder.appending(name.components)
      if mask & UInt32(CLINUX_IN_ISDIR) != 0 {
        if mask & UInt32(CLINUX_IN_MOVED_FROM) != 0 {
          // A folder that moved goes on reporting under its old path, also outside the inbox.
          for watch in state.folders.removeTree(at: path) {
            _ = clinux_inotify_remove(descriptor, watch)
          }
        } else {
          state.hints.add(.folder(path, recursive: true))
        }
      } else if mask & UInt32(CLINUX_IN_MOVED_FROM) == 0 {
        state.hints.add(file: path)
      }
    }
    wake()
  }

  /// Asks for a path to be looked at, as if something had happened there.
  func look(at path: FilePath) {
    state.withLock { $0.hints.add(file: path) }
    wake()
  }

  /// Asks for a folder to be looked into, with all below it.
  func look(into path: FilePath) {
    state.withLock { $0.hints.add(.folder(path, recursive: true)) }
  }
}

/// The watcher's thread.
private final class EventReader: Sendable {
  private let watcher: WeakWatcher
  private let descriptor: Int32
  private let stop: Int32

  init(watcher: FolderWatcher, descriptor: Int32, stop: Int32) {
    self.watcher = WeakWatcher(watcher)
    self.descriptor = descriptor
    self.stop = stop
  }

  func run() {
    defer {
      close(descriptor)
      close(stop)
    }
    let size = 1 << 16
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { unsafe buffer.deallocate() }
    while true {
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      if unsafe poll(&polled, 2, -1) < 0, errno != EINTR { return }
      if polled[1].revents != 0 { return }
      guard polled[0].revents != 0 else { continue }
      let count = unsafe read(descriptor, buffer.baseAddress, size)
      guard count > 0 else { continue }
      guard let watcher = watcher.value else { return }
      // struct inotify_event: watch, mask, cookie, length, then the name.
      var offset = 0
      while offset + 16 <= count {
        let watch = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let mask = unsafe buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let length = Int(
          unsafe buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        let end = min(offset + 16 + length, count)
        var name: [CChar] = []
        for index in (offset + 16)..<end {
          let byte = unsafe buffer[index]
          if byte == 0 { break }
          name.append(CChar(bitPattern: byte))
        }
        watcher.take(
          watch: watch, mask: mask,
          name: name.isEmpty ? nil : FilePath(platformString: name + [0]))
        offset = end
      }
    }
  }
}

/// Lets the watcher go while its thread waits.
private final class WeakWatcher: Sendable {
  private weak let watcher: FolderWatcher?
  init(_ watcher: FolderWatcher) { self.watcher = watcher }
  var value: FolderWatcher? { watcher }
}
