import Glibc
import Pipelines
import PlainText
import PluginKit
import Synchronization

/// Output for people and for programs. What strangers say comes in by `PlainText` alone.
enum Console {
  static let isTerminal = isatty(1) == 1
  static let errorsToTerminal = isatty(2) == 1

  /// The live block below what is printed, while there is one.
  private static let display = Mutex<LiveDisplay?>(nil)

  static func print(_ text: PlainText, end: String = "\n") {
    if let display = display.withLock({ $0 }) {
      display.say(text.string + end, to: .output)
    } else {
      give(Array((text.string + end).utf8))
    }
  }

  /// Writes to standard error.
  ///
  /// - Parameter priority: for a journal.
  static func complain(_ text: PlainText, end: String = "\n", priority: Priority = .error) {
    if errorsShareTerminal, let display = display.withLock({ $0 }) {
      display.say(text.string + end, to: .errors)
    } else {
      writeAll(Array((forJournal(text.string, priority) + end).utf8), to: 2)
    }
  }

  /// Priorities as syslog(3) counts them.
  enum Priority: Int { case critical = 2, error, warning, notice, info, debug }

  /// Whether standard error is a journal's, which takes priorities in front of lines (sd-daemon(3)).
  private static let isJournal: Bool = {
    var status = stat()
    guard let place = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(2, &status) == 0 else {
      return false
    }
    return unsafe String(cString: place) == "\(status.st_dev):\(status.st_ino)"
  }()

  /// Lines as they go to standard error.
  static func forJournal(_ text: String, _ priority: Priority) -> String {
    guard isJournal else { return text }
    let end = text.hasSuffix("\n") ? "\n" : ""
    return text.dropLast(end.count).split(separator: "\n", omittingEmptySubsequences: false)
      .map { "<\(priority.rawValue)>\($0)" }.joined(separator: "\n") + end
  }

  /// Tells what steps noted about a file that is done: what they gave may not be what the file shows. What is said
  /// again and again is said once, and how often.
  ///
  /// - Parameter place: where all of them are.
  static func complain(notes: [String], of file: String, all place: String) {
    var counts: [String: Int] = [:], distinct: [String] = []
    for note in notes {
      if counts[note] == nil { distinct.append(note) }
      counts[note, default: 0] += 1
    }
    let most = 5
    for note in distinct.prefix(most) {
      let times = counts[note].map { $0 > 1 ? " (\($0) times)" : "" } ?? ""
      complain("\(file): \(note)\(times)", priority: .warning)
    }
    if distinct.count > most {
      complain("\(file): \(distinct.count - most) more notes are in \(place)", priority: .warning)
    }
  }

  /// Words that stand out on a terminal.
  static func lit(_ words: String) -> PlainText {
    isTerminal ? "\u{1B}[1m\(words)\u{1B}[22m" : "\(words)"
  }

  static func print(json: JSON) { give(json.text) }

  /// The error number of the last failed write to standard output, or 0. A reader that stopped reading and a terminal
  /// that was closed do not count as failures.
  private static let outputFailure = Mutex<Int32>(0)

  /// Writes to standard output.
  static func give(_ bytes: [UInt8]) {
    guard !writeAll(bytes, to: 1) else { return }
    let reason = errno
    if reason != EPIPE, !(isTerminal && reason == EIO) { outputFailure.withLock { $0 = reason } }
  }

  /// Ends the process with 74 where standard output lacks something.
  static func endIfOutputFailed() {
    let reason = outputFailure.withLock(\.self)
    guard reason != 0 else { return }
    complain(
      "procd: standard output cannot be written: \(unsafe String(cString: strerror(reason)))")
    exit(74)
  }

  /// As one line.
  static func print(line json: JSON) {
    print(PlainText(lines: String(decoding: json.line, as: UTF8.self)))
  }

  /// From now on text goes above the live block; with nil, straight out again.
  static func show(_ live: LiveDisplay?) { display.withLock { $0 = live } }

  /// Whether standard error is the terminal that standard output is.
  private static let errorsShareTerminal: Bool = {
    guard isTerminal, errorsToTerminal else { return false }
    var output = stat()
    var errors = stat()
    return unsafe fstat(1, &output) == 0 && fstat(2, &errors) == 0
      && output.st_rdev == errors.st_rdev
  }()
}
