internal import CLinux
internal import Glibc
package import SystemPackage

/// A local socket that stands in a folder and tells whoever connects one thing. Nothing is read from
/// who asks, so nobody can ask for something else.
package final class AnsweringSocket: Sendable {
  private let descriptor: Int32
  private let place: (folder: Folder, name: FilePath)
  /// - Parameters:
  ///   - mode: who may ask; all whom the folder lets in where it is 0666.
  ///   - group: whose members may ask; that of this process where it is left out.
  ///   - answer: called on a thread of its own, for one who asks after the other.
  package init(
    in folder: Folder, as name: FilePath, mode: UInt32 = 0o600, group: UInt32? = nil,
    answer: @escaping @Sendable () -> [UInt8]
  ) throws(FileError) {
    // That of a process that was killed; what is no socket is somebody's file.
    switch try folder.status(name)?.kind {
    case nil: break
    case .other: try folder.remove(name)
    default: throw FileError("listen at", folder.path.appending(name.components), .fileExists)
    }
    descriptor = try folder.listen(name)
    let listener = descriptor
    place = (folder, name)
    do throws(FileError) {
      if let group { try folder.setGroupOfSocket(name, group) }
      try folder.setModeOfSocket(name, mode)
      try startThread {
        defer { Glibc.close(listener) }
        var callers = Callers(listener: listener, answer: answer)
        callers.serve()
      }
    } catch {
      Glibc.close(listener)
      throw error
    }
  }

  /// Answers no more. The thread gives the descriptor back.
  package func close() {
    _ = try? place.folder.remove(place.name)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}

/// Those who have connected, answered side by side: one who does not take his answer, or asks and stays, keeps
/// nobody else waiting.
private struct Callers {
  let listener: Int32
  let answer: @Sendable () -> [UInt8]
  private var callers: [Caller] = []

  private struct Caller {
    let connection: Int32
    var rest: ArraySlice<UInt8>
    let deadline: ContinuousClock.Instant
  }

  /// More than that at once, and the one that has been there longest goes.
  private static let most = 64
  private static let patience = Duration.seconds(1)

  init(listener: Int32, answer: @escaping @Sendable () -> [UInt8]) {
    (self.listener, self.answer) = (listener, answer)
  }

  /// Returns when the listener is shut down.
  mutating func serve() {
    while true {
      var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      polled += callers.map {
        pollfd(fd: $0.connection, events: Int16($0.rest.isEmpty ? POLLIN : POLLOUT), revents: 0)
      }
      _ = unsafe poll(&polled, nfds_t(polled.count), callers.isEmpty ? -1 : 100)
      let now = ContinuousClock.now
      for index in callers.indices.reversed() {
        let isDone = polled[index + 1].revents != 0 && !goesOn(index)
        if isDone || callers[index].deadline < now { drop(index) }
      }
      guard polled[0].revents == 0 || takeNext() else { break }
    }
    for index in callers.indices.reversed() { drop(index) }
  }

  /// False where nobody can come any more.
  private mutating func takeNext() -> Bool {
    let connection = clinux_accept_local(listener, 1)
    guard connection >= 0 else {
      switch errno {
      case EMFILE, ENFILE, ENOMEM, ENOBUFS: sleep(1)
      case EINTR, ECONNABORTED, EAGAIN: break
      default: return false
      }
      return true
    }
    _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK)
    if callers.count >= Self.most { drop(0) }
    let said = answer()
    // From then on: making it may take its time.
    callers.append(
      Caller(connection: connection, rest: said[...], deadline: .now + Self.patience))
    if !goesOn(callers.count - 1) { drop(callers.count - 1) }
    return true
  }

  /// Sends what there is room for, and then takes what the caller said: closed with that unread, the answer might
  /// be cut off. False where he is done with.
  private mutating func goesOn(_ index: Int) -> Bool {
    let connection = callers[index].connection
    if !callers[index].rest.isEmpty {
      let sent = unsafe callers[index].rest.withUnsafeBytes { buffer in
        unsafe clinux_send(connection, buffer.baseAddress, buffer.count)
      }
      guard sent > 0 else { return errno == EAGAIN || errno == EINTR }
      callers[index].rest = callers[index].rest.dropFirst(sent)
      if callers[index].rest.isEmpty { shutdown(connection, Int32(SHUT_WR)) }
      return true
    }
    var said = [UInt8](repeating: 0, count: 4096)
    let count = unsafe said.withUnsafeMutableBytes {
      unsafe read(connection, $0.baseAddress, $0.count)
    }
    return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
  }

  private mutating func drop(_ index: Int) {
    Glibc.close(callers[index].connection)
    callers.remove(at: index)
  }
}

extension Folder {
  /// Sets who may connect; of what stands at the name by now, never of what a link there leads to.
  fileprivate func setModeOfSocket(_ name: FilePath, _ mode: UInt32) throws(FileError) {
    let entry = try open(name, flags: Int32(CLINUX_O_PATH) | O_NOFOLLOW)
    guard try entry.status().kind == .other, clinux_set_mode(entry.descriptor, mode) == 0 else {
      throw failure("set the mode of", name)
    }
  }

  /// The same for its group.
  fileprivate func setGroupOfSocket(_ name: FilePath, _ group: UInt32) throws(FileError) {
    let result = unsafe name.withPlatformString {
      unsafe fchownat(descriptor, $0, uid_t.max, group, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw failure("set the group of", name) }
  }

  /// Makes a socket of that name and listens at it: by its whole path where that fits into an address, so that it can
  /// be found among the sockets of this machine.
  fileprivate func listen(_ name: FilePath) throws(FileError) -> Int32 {
    let whole = path.appending(name.components)
    let named = unsafe whole.withPlatformString { unsafe clinux_listen_local($0) }
    if named >= 0 {
      if (try? isAtItsPath()) == true, (try? status(name)) != nil { return named }
      // Another folder stands there by now.
      close(named)
    }
    let listener = unsafe socketPath(name).withPlatformString { unsafe clinux_listen_local($0) }
    guard listener >= 0 else { throw failure("listen at", name) }
    return listener
  }

  /// The folders in which this machine's processes listen at local sockets of a name, as far as the sockets' paths are
  /// known and short enough (proc_net_unix(5)).
  package static func listening(at name: String) -> [FilePath] {
    guard let sockets = try? Folder.open("/proc/self/net").reading("unix").readAll(limit: 1 << 24)
    else { return [] }
    return sockets.split(separator: UInt8(ascii: "\n")).compactMap { line in
      // Seven fields of numbers, and the path that the socket was bound to.
      guard let start = line.firstIndex(of: UInt8(ascii: "/")),
        let text = String(validating: line[start...], as: UTF8.self)
      else { return nil }
      let path = FilePath(text)
      return path.lastComponent?.string == name ? path.removingLastComponent() : nil
    }
  }

  /// A path that is short however deep the folder lies: addresses of sockets hold 107 bytes.
  fileprivate func socketPath(_ name: FilePath) -> FilePath {
    FilePath("/proc/self/fd/\(descriptor)").appending(name.components)
  }

  /// Connects to the socket of that name and takes what it tells.
  ///
  /// - Parameter patience: how long each wait may last, in milliseconds.
  /// - Throws: ENOENT, ECONNREFUSED where nobody listens; EAGAIN where no answer came in time.
  package func ask(
    _ name: FilePath, patience: Int32, limit: Int = 1 << 16
  ) throws(FileError) -> [UInt8] {
    let connection = unsafe socketPath(name).withPlatformString {
      unsafe clinux_connect_local($0, patience)
    }
    guard connection >= 0 else { throw failure("ask", name) }
    let file = OpenFile(descriptor: connection, path: path.appending(name.components))
    return try file.readAll(limit: limit)
  }
}
