internal import CLinux
internal import Glibc
package import SystemPackage

/// A local socket that stands in a folder and tells whoever connects one thing. Nothing is read from
/// who asks, so nobody can ask for something else.
package final class AnsweringSocket: Sendable {
  private let descriptor: Int32
  private let place: (folder: Folder, name: FilePath)
  /// How long somebody who does not take the answer is waited for, in milliseconds.
  private static let patience: Int32 = 1000

  /// - Parameters:
  ///   - mode: who may ask; all whom the folder lets in where it is 0666.
  ///   - answer: called on a thread of its own, for one who asks after the other.
  package init(
    in folder: Folder, as name: FilePath, mode: UInt32 = 0o600,
    answer: @escaping @Sendable () -> [UInt8]
  ) throws(FileError) {
    // That of a process that was killed; what is no socket is somebody's file.
    switch try folder.status(name)?.kind {
    case nil: break
    case .other: try folder.remove(name)
    default: throw FileError("listen at", folder.path.appending(name.components), .fileExists)
    }
    let listener = unsafe folder.socketPath(name).withPlatformString {
      unsafe clinux_listen_local($0)
    }
    guard listener >= 0 else { throw folder.failure("listen at", name) }
    descriptor = listener
    place = (folder, name)
    do throws(FileError) { try folder.setModeOfSocket(name, mode) } catch {
      Glibc.close(listener)
      throw error
    }
    startThread {
      defer { Glibc.close(listener) }
      while true {
        let connection = clinux_accept_local(listener, Self.patience)
        if connection >= 0 {
          Self.send(answer(), to: connection)
          Glibc.close(connection)
        } else if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
          sleep(1)
        } else if errno != EINTR, errno != ECONNABORTED {
          return
        }
      }
    }
  }

  /// Answers no more. The thread gives the descriptor back.
  package func close() {
    _ = try? place.folder.remove(place.name)
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    // Who takes or sends a byte now and then keeps nobody waiting either: each wait is bounded, and all of
    // them are.
    let start = ContinuousClock.now
    func isPatient() -> Bool { start.duration(to: .now) < .milliseconds(Int64(patience)) }
    var offset = 0
    while offset < bytes.count, isPatient() {
      let sent = unsafe bytes.withUnsafeBytes { buffer in
        unsafe clinux_send(
          connection, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return }
      offset += sent
    }
    // Closed with a question unread, the answer might be cut off.
    shutdown(connection, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 4096)
    while isPatient() {
      let count = unsafe rest.withUnsafeMutableBytes {
        unsafe read(connection, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
    }
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
