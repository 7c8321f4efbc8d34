import Files
import Glibc
import PlainText
import PluginKit
import Synchronization

/// Tells on a terminal how far a long run of `convert` is: files of all, pace, and the time left.
final class ConvertProgress: Sendable {
  private struct State {
    var done = 0
    /// Of these: results were there already.
    var skipped = 0
    /// Nil until all have been counted.
    var total: Int?
    var ended = false
  }

  private let state = Mutex(State())
  private let began = ConvertProgress.now()
  private let signal = ThreadSignal()
  private let gone = ThreadSignal()

  /// Nil where one file is all there is, or nobody looks.
  init?(_ inputs: ConvertInputs) {
    guard LiveDisplay.isPossible, Console.errorsToTerminal, !inputs.isSingleFile else { return nil }
    do throws(FileError) {
      try startThread { [self] in
        var total = 0
        for _ in inputs.walk {
          total += 1
          if total % 1000 == 0, state.withLock({ $0.ended }) { return }
        }
        state.withLock { $0.total = total }
      }
      try startThread { [self] in draw() }
    } catch {
      // The run goes on without being shown.
      state.withLock { $0.ended = true }
      Console.complain("procd: progress cannot be shown: \(error)")
      return nil
    }
  }

  func count(wasDone: Bool) {
    state.withLock { state in
      state.done += 1
      if wasDone { state.skipped += 1 }
    }
  }

  /// Removes the line, before something else is written.
  func erase() { writeAll(Array(Self.erasing.utf8), to: 2) }

  private static let erasing = "\r\u{1B}[K"

  /// Removes the line, and returns when that is done.
  func end() {
    let seen = gone.generation
    state.withLock { $0.ended = true }
    signal.wake()
    _ = gone.wait(since: seen, seconds: 2)
  }

  private func draw() {
    while true {
      let seen = signal.generation
      let now = state.withLock { $0 }
      let text =
        now.ended
        ? ""
        : Self.line(
          done: now.done, skipped: now.skipped, total: now.total, seconds: Self.now() - began)
      // On standard error, where no result goes; cut, so that no terminal wraps it.
      let shown = ShownText.cut(text, to: Self.width - 1)
      writeAll(Array("\(Self.erasing)\(shown)\(now.ended ? "" : "\r")".utf8), to: 2)
      if now.ended { break }
      _ = signal.wait(since: seen, seconds: 1)
    }
    gone.wake()
  }

  private static var width: Int {
    var size = winsize()
    let known = unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0
    return known && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// "1,200 of 100,000 files, 98 a second, 17 min left".
  static func line(done: Int, skipped: Int, total: Int?, seconds: Int) -> String {
    var parts = ["\(done)\(total.map { " of \($0)" } ?? "") files"]
    if skipped > 0 { parts.append("\(skipped) were up to date") }
    let made = done - skipped
    if seconds > 2, made > 0 {
      let pace = Double(made) / Double(seconds)
      parts.append(
        pace >= 1 ? "\(Int(pace.rounded())) a second" : "\(Int((pace * 60).rounded())) a minute")
      if let total, total > done {
        parts.append("\(time(Int((Double(total - done) / pace).rounded(.up)))) left")
      }
    }
    return parts.joined(separator: ", ")
  }

  private static func time(_ seconds: Int) -> String {
    if seconds < 90 { return "\(seconds) s" }
    if seconds < 5400 { return "\((seconds + 59) / 60) min" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}
