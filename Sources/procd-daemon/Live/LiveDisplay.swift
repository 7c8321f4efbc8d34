import Conveyor
import Files
import Glibc
import PluginKit
import Synchronization

/// Shows the live block on a terminal, and above it all else that is said meanwhile.
///
/// One thread writes. Who tells an event or says a line never waits for the terminal: a terminal
/// that is held with Ctrl-S must not hold up the work.
final class LiveDisplay: Sendable {
  enum Stream: Sendable { case output, errors }

  private struct Shared {
    var state = LiveState()
    var said: [(text: String, stream: Stream)] = []
    var redraws = false
    var ended = false
  }

  private let shared = Mutex(Shared())
  private let signal = ThreadSignal()
  private let gone = ThreadSignal()

  /// Milliseconds between two frames at least.
  private static let interval = 100

  /// Whether the terminal can be drawn on: dumb ones and those that do not say what they are get
  /// plain lines.
  static var isPossible: Bool {
    guard Console.isTerminal, let kind = unsafe getenv("TERM") else { return false }
    return unsafe !["", "dumb"].contains(String(cString: kind))
  }

  func start() throws(FileError) { try startThread { self.draw() } }

  func take(_ event: ConveyorEvent) {
    shared.withLock { $0.state.take(event, at: Self.now()) }
    signal.wake()
  }

  /// Writes text, which ends with a newline, above the block.
  func say(_ text: String, to stream: Stream) {
    let isOver = shared.withLock { shared in
      if !shared.ended { shared.said.append((text, stream)) }
      return shared.ended
    }
    if isOver { writeAll(Array(text.utf8), to: stream == .output ? 1 : 2) }
    signal.wake()
  }

  /// The terminal changed its size, or something else wrote to it.
  func redraw() {
    shared.withLock { $0.redraws = true }
    signal.wake()
  }

  /// Writes what was said, erases the block, and returns when that is done.
  func end() {
    let seen = gone.generation
    shared.withLock { $0.ended = true }
    signal.wake()
    _ = gone.wait(since: seen, seconds: nil)
  }

  // MARK: - The thread that writes

  private func draw() {
    var drawn: [String] = []
    var last = -Self.interval
    while true {
      let seen = signal.generation
      let early = last + Self.interval - Self.now()
      if early > 0 { usleep(UInt32(clamping: early * 1000)) }
      let (state, said, redraws, ended) = shared.withLock { shared in
        defer {
          shared.said = []
          shared.redraws = false
        }
        return (shared.state, shared.said, shared.redraws, shared.ended)
      }
      let lines = ended ? [] : Self.lines(of: state)
      if !said.isEmpty || redraws || lines != drawn {
        write(said, above: lines, erases: !said.isEmpty || redraws || ended)
        drawn = lines
        last = Self.now()
      }
      if ended { break }
      // Only the seconds of busy workers change by themselves.
      _ = signal.wait(since: seen, seconds: state.busy.isEmpty ? nil : 1)
    }
    gone.wake()
  }

  private func write(_ said: [(text: String, stream: Stream)], above lines: [String], erases: Bool)
  {
    var output = erases ? LiveFrame.erasing : ""
    for (text, stream) in said {
      if stream == .errors {
        writeAll(Array(output.utf8), to: 1)
        writeAll(Array(text.utf8), to: 2)
        output = ""
      } else {
        output += text
      }
    }
    if !lines.isEmpty || !erases { output += LiveFrame.drawing(lines) }
    writeAll(Array(output.utf8), to: 1)
  }

  private static func lines(of state: LiveState) -> [String] {
    var size = winsize()
    let known = unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0
    return LiveLines(
      width: known && size.ws_col > 0 ? Int(size.ws_col) : 80,
      height: known && size.ws_row > 0 ? Int(size.ws_row) : 24
    ).lines(of: state, at: now())
  }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
