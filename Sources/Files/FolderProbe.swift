internal import CLinux
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Finds out whether folders answer, by opening them in processes of its own.
///
/// A call into a file system whose server is gone may never return, and on some (FUSE) not even SIGKILL ends it: the
/// process that made the call stays until the server answers. So a caller asks here before it goes into a folder that
/// may lie on such a file system, and the process that is stuck is not the caller.
///
/// Thread-safe. A question about a folder that does not answer takes `patience` the first time, then no time: its process
/// is still waiting, and the folder answers again when that process does.
package final class FolderProbe: Sendable {
  /// The probe that all of this process share: one process for each folder that was ever asked about.
  package static let shared = FolderProbe()

  /// How long an answer may take. A disk that has to spin up first is not asked: the kernel knows the folder.
  private let patience: Duration
  private let probers = Mutex<[FilePath: Prober]>([:])

  package init(patience: Duration = .seconds(4)) { self.patience = patience }

  /// Returns whether a folder answers. An error, such as that it does not exist, is an answer.
  package func answers(_ folder: FilePath) -> Bool { silent(of: [folder]).isEmpty }

  /// Returns those of some folders that do not answer. All are asked at once, so the longest wait is that for one.
  package func silent(of folders: [FilePath]) -> [FilePath] {
    let asked = folders.map { (folder: $0, prober: prober(for: $0)) }
    for (_, prober) in asked { prober.ask(patience: patience) }
    return asked.filter { !$0.prober.hasAnswered() }.map(\.folder)
  }

  private func prober(for folder: FilePath) -> Prober {
    probers.withLock { probers in
      let prober = probers[folder] ?? Prober(folder)
      probers[folder] = prober
      return prober
    }
  }
}

/// The process that opens one folder, and the question that it has not answered yet.
private final class Prober: Sendable {
  fileprivate struct State {
    /// The socket to the process; -1 if none was started, or it ended.
    var socket: Int32 = -1
    /// Until when the question that was sent has time; nil if none is open.
    var deadline: ContinuousClock.Instant?
  }
  private let folder: FilePath
  private let state = Mutex(State())

  init(_ folder: FilePath) { self.folder = folder }

  deinit { state.withLock { if $0.socket >= 0 { close($0.socket) } } }

  /// Sends the question, unless one is open. The answer to an earlier one that came meanwhile is not taken for it.
  func ask(patience: Duration) {
    state.withLock { state in
      if state.deadline != nil, state.wait(for: .zero) { state.take() }
      guard state.deadline == nil else { return }
      // A second process if the first one was killed since.
      for _ in 0..<2 where state.deadline == nil {
        if state.socket < 0 { state.socket = clinux_start_prober() }
        guard state.socket >= 0 else { return }
        let sent = unsafe folder.withPlatformString { path in
          unsafe clinux_send(state.socket, path, strlen(path))
        }
        if sent > 0 { state.deadline = .now + patience } else { state.end() }
      }
    }
  }

  /// Waits for the answer for as long as its question has time.
  ///
  /// - Returns: true also if no process can be started: then there is no way to know.
  func hasAnswered() -> Bool {
    state.withLock { state in
      guard let deadline = state.deadline else { return true }
      guard state.wait(for: ContinuousClock.now.duration(to: deadline)) else { return false }
      state.take()
      return true
    }
  }
}

extension Prober.State {
  /// Waits until there is an answer, or the process has ended.
  fileprivate func wait(for time: Duration) -> Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&polled, 1, Int32(max(.zero, time) / .milliseconds(1)))
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// Takes the answer. A process that was killed says nothing of the folder; the next question starts another one.
  fileprivate mutating func take() {
    var error: Int32 = 0
    let got = unsafe read(socket, &error, MemoryLayout<Int32>.size)
    if got > 0 { deadline = nil } else { end() }
  }

  fileprivate mutating func end() {
    if socket >= 0 { close(socket) }
    socket = -1
    deadline = nil
  }
}
