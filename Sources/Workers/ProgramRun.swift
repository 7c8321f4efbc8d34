internal import CLinux
internal import Files
internal import Glibc
internal import PluginKit
package import SystemPackage

/// A program that is started once, given something to read, and waited for: `procd-net`, sendmail, what
/// somebody wants to be told by. Never through a shell.
package struct ProgramRun: Sendable {
  /// The program itself first, an absolute path.
  package var arguments: [String]
  /// All of it: nothing of this process's environment is handed on.
  package var environment: [String]
  package var input: [UInt8] = []
  /// Where it starts; nil for where this process is.
  package var folder: FilePath?
  /// By which it is found if it outlives this process; nil for none.
  package var mark: SpoolMark?
  /// A longer line of its output is cut.
  package var longestLine = 1 << 20
  /// How long it may take.
  package var milliseconds: Int

  package init(_ arguments: [String], environment: [String], milliseconds: Int) {
    (self.arguments, self.environment) = (arguments, environment)
    self.milliseconds = milliseconds
  }

  package enum End: Sendable, Equatable {
    case status(Int)
    case signal(Int)
    /// It took too long, or was no longer wanted, and was killed.
    case timeOver, unwanted
    /// It could not be started; why.
    case notStarted(String)
  }

  package struct Outcome: Sendable {
    package var end: End
    /// The last line on standard error that says something.
    package var lastErrorLine: String?
  }

  /// - Parameters:
  ///   - isWanted: asked a few times a second; when it says no, the program is killed.
  ///   - line: given each line of the program's output.
  package func run(
    while isWanted: @escaping @Sendable () -> Bool = { true },
    line: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) async -> Outcome {
    await withCheckedContinuation { continuation in
      // A thread of its own, that lives as long as the program: it dies with the thread.
      do throws(FileError) {
        try startThread { continuation.resume(returning: runBlocking(while: isWanted, line: line)) }
      } catch { continuation.resume(returning: Outcome(end: .notStarted("\(error)"))) }
    }
  }

  /// Runs the program on the calling thread, which waits for its end. Otherwise like ``run(while:line:)``.
  package func runBlocking(
    while isWanted: () -> Bool, line: ([UInt8]) -> Void
  ) -> Outcome {
    let process: ChildProcess
    do {
      let place = try folder.map { folder throws(FileError) in try Folder.open(folder) }
      process = try ChildProcess(
        arguments: arguments, environment: environment, folder: place?.descriptor ?? -1,
        deathSignal: SIGKILL, mark: mark)
    } catch let error as SpawnError {
      let reason = Errno(rawValue: error.errno)
      return Outcome(end: .notStarted("\(error.program): \(reason)"))
    } catch {
      return Outcome(end: .notStarted("\(error)"))
    }
    var stream = Streams(process, input, longestLine)
    let end = stream.serve(until: Workers.milliseconds() + milliseconds, isWanted, line)
    if end != nil { process.kill() }
    let result = process.wait()
    let last = process.lastErrorLine
    if let end { return Outcome(end: end, lastErrorLine: last) }
    return Outcome(
      end: result.signal > 0 ? .signal(result.signal) : .status(result.status),
      lastErrorLine: last)
  }

  /// What goes in and comes out until the program closes its output and ends.
  private struct Streams {
    let process: ChildProcess
    private var input: ArraySlice<UInt8>
    private var lines: LineBuffer
    private var outputIsOpen = true
    private var errorsAreOpen = true
    /// Readable when the process has ended.
    private let handle: Int32

    init(_ process: ChildProcess, _ input: [UInt8], _ longestLine: Int) {
      self.process = process
      lines = LineBuffer(longest: longestLine)
      handle = clinux_pidfd_open(process.identifier)
      self.input = input[...]
      if input.isEmpty { process.closeInput() }
    }

    /// Nil where it ended by itself.
    mutating func serve(
      until deadline: Int, _ isWanted: () -> Bool, _ line: ([UInt8]) -> Void
    ) -> End? {
      defer { close(handle) }
      while !hasEnded {
        if Workers.milliseconds() >= deadline { return .timeOver }
        if !isWanted() { return .unwanted }
        exchange(line, wait: 200)
      }
      // What it said before it ended.
      while outputIsOpen, exchange(line, wait: 0) {}
      return nil
    }

    private var hasEnded: Bool {
      var polled = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&polled, 1, 0) > 0
    }

    /// False where nothing was ready.
    @discardableResult
    private mutating func exchange(_ line: ([UInt8]) -> Void, wait: Int32) -> Bool {
      var polled = [
        pollfd(fd: input.isEmpty ? -1 : process.input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputIsOpen ? process.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorsAreOpen ? process.errors : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: handle, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&polled, nfds_t(polled.count), wait) > 0 else { return false }
      if polled[0].revents != 0 { feed() }
      if polled[1].revents != 0 {
        let bytes = readSome(process.output) ?? []
        if bytes.isEmpty { outputIsOpen = false }
        for case .line(let text) in lines.append(bytes) { line(text) }
      }
      if polled[2].revents != 0, !process.readErrors() { errorsAreOpen = false }
      return polled[..<3].contains { $0.revents != 0 }
    }

    private mutating func feed() {
      let written = unsafe input.withUnsafeBytes {
        unsafe write(process.input, $0.baseAddress, $0.count)
      }
      if written > 0 {
        input = input.dropFirst(written)
      } else if errno != EAGAIN, errno != EINTR {
        input = []
      }
      if input.isEmpty { process.closeInput() }
    }
  }
}
