internal import CLinux
internal import Glibc
package import Pipelines
package import PluginKit
internal import SystemPackage

/// Why a process could not be started.
package struct SpawnError: Error {
  package var program: String
  package var errno: Int32

  package var message: String { "\(program) could not be started: \(Errno(rawValue: errno))" }
}

/// A started program with its three pipes. Used by one slot thread only, which also starts it:
/// parent-death signals follow the thread.
package final class ChildProcess {
  let identifier: Int32
  package private(set) var input: Int32
  package let output: Int32
  package let errors: Int32
  private var lines = LineBuffer()
  private(set) var lastErrorLines: [UInt8] = []
  private let overhear: (@Sendable (PluginTalk, [UInt8]) -> Void)?

  package init(
    arguments: [String], environment: [String], folder: Int32 = -1, deathSignal: Int32,
    mark: SpoolMark?, overhear: (@Sendable (PluginTalk, [UInt8]) -> Void)? = nil
  ) throws(SpawnError) {
    self.overhear = overhear
    var inPipe: [Int32] = [-1, -1], outPipe: [Int32] = [-1, -1], errPipe: [Int32] = [-1, -1]
    let program = arguments.first ?? ""
    guard unsafe clinux_pipe(&inPipe) == 0, unsafe clinux_pipe(&outPipe) == 0,
      unsafe clinux_pipe(&errPipe) == 0
    else {
      for end in inPipe + outPipe + errPipe where end >= 0 { close(end) }
      throw SpawnError(program: program, errno: errno)
    }
    var how = clinux_spawn(
      standard_input: inPipe[0], standard_output: outPipe[1], standard_error: errPipe[1],
      working_folder: folder, parent_death_signal: deathSignal, stays_in_group: 0,
      mark: mark?.value ?? 0)
    let process = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe clinux_spawn_process(arguments, environment, &how)
      }
    }
    let failure = errno
    close(inPipe[0])
    close(outPipe[1])
    close(errPipe[1])
    guard process > 0 else {
      close(inPipe[1])
      close(outPipe[0])
      close(errPipe[0])
      throw SpawnError(program: program, errno: failure)
    }
    identifier = process
    input = inPipe[1]
    output = outPipe[0]
    errors = errPipe[0]
    for end in [input, output, errors] {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    closeInput()
    close(output)
    close(errors)
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  @discardableResult
  func send(_ message: Message) -> Bool {
    guard input >= 0 else { return false }
    let line = message.line
    overhear?(.toPlugin, line)
    return writeAll(line, to: input)
  }

  enum Reading {
    case messages([Result<Message, MessageError>])
    case end
  }

  /// Reads what the process said; call when its output is readable.
  func readMessages() -> Reading {
    guard let bytes = readSome(output) else {
      return errno == EAGAIN ? .messages([]) : .end
    }
    if bytes.isEmpty { return .end }
    return .messages(
      lines.append(bytes).map { piece in
        switch piece {
        case .tooLong(let start):
          return .failure(
            MessageError(message: "a line is too long: \(String(decoding: start, as: UTF8.self))"))
        case .line(let line):
          overhear?(.byPlugin, line)
          do throws(MessageError) { return .success(try message(line)) } catch {
            let start = String(decoding: line.prefix(200), as: UTF8.self)
            return .failure(MessageError(message: "\(error.message): \(start)"))
          }
        }
      })
  }

  /// A message, said by the process or, behind the mark, by the step that it has started.
  private func message(_ line: [UInt8]) throws(MessageError) -> Message {
    guard line.first == Message.relayed else { return try Message(line: line) }
    let message = try Message(line: Array(line.dropFirst()))
    guard message.isOfStep else {
      throw MessageError(message: "a step said what only the process that started it may say")
    }
    return message
  }

  /// Reads what was written to standard error and keeps its end. False at the end of the stream.
  package func readErrors() -> Bool {
    guard let bytes = readSome(errors) else { return errno == EAGAIN }
    if !bytes.isEmpty { overhear?(.aside, bytes) }
    lastErrorLines = Array((lastErrorLines + bytes).suffix(4096))
    return !bytes.isEmpty
  }

  /// The last line on standard error that says something.
  package var lastErrorLine: String? {
    let lines = String(decoding: lastErrorLines, as: UTF8.self).split(separator: "\n")
    guard let last = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
    // Python names the line in a line of its own, before it says what is wrong there.
    let places = lines.filter { $0.hasPrefix("  File \"") && $0.contains("\", line ") }
      .map { $0.trimmingPrefix("  File ") }
    let place = places.last { !$0.contains("/lib/python") } ?? places.last
    return String(last.prefix(300)) + (place.map { " (\($0.prefix(200)))" } ?? "")
  }

  /// Kills the whole process group.
  package func kill() { Glibc.kill(-identifier, SIGKILL) }

  func terminate() { Glibc.kill(identifier, SIGTERM) }

  /// Waits for the end; give it a reason to end first.
  package func wait() -> Message.ProcessEnd {
    var status: Int32 = 0, cpu: Int64 = 0, peak: Int64 = 0
    while unsafe clinux_wait(identifier, 0, &status, &cpu, &peak) < 0, errno == EINTR {}
    return Message.ProcessEnd(
      status: clinux_exited(status) != 0 ? Int(clinux_exit_status(status)) : 0,
      signal: Int(clinux_termination_signal(status)), cpuMilliseconds: Int(cpu / 1000),
      peakMemory: Int(peak))
  }
}

/// Calls `body` with a null-terminated array of C strings.
func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  let copies = unsafe strings.map { unsafe strdup($0) }
  defer { unsafe copies.forEach { unsafe free($0) } }
  let pointers = unsafe copies.map { unsafe UnsafePointer<CChar>($0) } + [nil]
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    unsafe body(buffer.baseAddress)
  }
}
