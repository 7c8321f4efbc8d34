internal import CLinux
public import Foundation
public import SystemPackage

/// The built programs, as a user would run them.
public enum Programs {
  /// The folder of the built programs: beside the tests, or where PROCD_PROGRAMS says.
  public static let folder: FilePath = {
    if let named = ProcessInfo.processInfo.environment["PROCD_PROGRAMS"] { return FilePath(named) }
    return FilePath(CommandLine.arguments[0]).removingLastComponent()
  }()

  /// The top folder of the repository.
  public static let repository: FilePath = FilePath(#filePath)
    .removingLastComponent().removingLastComponent().removingLastComponent()

  /// How a program ended.
  public struct Result: Sendable {
    /// The exit status; the number of the signal where one ended it.
    public var status: Int32
    /// What it wrote to standard output, read as UTF-8.
    public var output: String
    /// What it wrote to standard error, read as UTF-8.
    public var errors: String
  }

  /// A program that was started and runs.
  public final class Running: @unchecked Sendable {
    /// The number of the process.
    public let number: Int32
    /// Guards `status`, and tells when it is there.
    private let ending = NSCondition()
    private var status: Int32?

    fileprivate init(_ number: Int32) {
      self.number = number
      Thread.detachNewThread { [self] in
        // Reaped under the lock, so that no signal goes to a number that is free again.
        var ended = siginfo_t()
        while waitid(P_PID, id_t(number), &ended, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        ending.lock()
        var status: Int32 = 0
        let reaped = waitpid(number, &status, 0)
        // The exit status is the second byte; where a signal ended it, that is in the first.
        let told = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
        self.status = reaped == number ? told : -1
        ending.broadcast()
        ending.unlock()
      }
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool {
      ending.withLock { status == nil }
    }

    /// Sends a signal to the program.
    public func signal(_ signal: Int32) {
      ending.withLock {
        // Its number may be another's by then.
        if status == nil { kill(number, signal) }
      }
    }

    /// Waits until the program has a handler of its own for a signal; before that it would die of it.
    public func handles(_ signal: Int32) -> Bool {
      let status = "/proc/\(number)/status"
      return Programs.wait {
        let text = FileManager.default.contents(atPath: status).map {
          String(decoding: $0, as: UTF8.self)
        }
        let line = text?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst(7).drop { $0.isWhitespace }, radix: 16) }
        return (caught ?? 0) & 1 << UInt64(signal - 1) != 0
      }
    }

    /// Waits until the program ends, and answers with its exit status or the signal that ended it.
    public func wait() -> Int32 {
      ending.lock()
      defer { ending.unlock() }
      while true {
        if let status { return status }
        ending.wait()
      }
    }
  }

  /// Starts a program as a shell would: no signal is blocked or ignored, and of the descriptors of the tests, which run
  /// beside one another, it has none. (Foundation's Process leaves signals blocked, so that SIGTERM ends nothing,
  /// and takes a process for running while any other has the socket between the two.)
  ///
  /// - Parameter output: where its standard output and its standard error go.
  private static func spawn(
    _ program: String, _ arguments: [String], in folder: FilePath?,
    _ environment: [String: String], output: (String, String)
  ) throws -> Running {
    let path = program.contains("/") ? program : Self.folder.appending(program).string
    let files = try [output.0, output.1].map {
      try FileDescriptor.open(
        FilePath($0), .writeOnly, options: [.create, .append, .closeOnExec],
        permissions: .ownerReadWrite)
    }
    let start = try folder.map { try FileDescriptor.open($0, .readOnly, options: .closeOnExec) }
    defer { for file in files + [start].compactMap({ $0 }) { try? file.close() } }
    var how = clinux_spawn(
      standard_input: -1, standard_output: files[0].rawValue, standard_error: files[1].rawValue,
      working_folder: start?.rawValue ?? -1, parent_death_signal: 0, stays_in_group: 0, mark: 0)
    let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = [[path] + arguments, settings.map { "\($0)=\($1)" }].map { list in
      list.map { UnsafePointer(strdup($0)) } + [nil]
    }
    defer { for text in words.joined() { free(UnsafeMutableRawPointer(mutating: text)) } }
    let number = clinux_spawn_process(words[0], words[1], &how)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    return Running(number)
  }

  /// Starts a program without waiting; what it writes is thrown away.
  public static func start(
    _ program: String, _ arguments: [String], in folder: FilePath,
    environment: [String: String] = [:]
  ) throws -> Running {
    try spawn(program, arguments, in: folder, environment, output: ("/dev/null", "/dev/null"))
  }

  /// Runs a program to its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    // Files instead of pipes: no reader is needed, whatever is written, and nobody else can hold them open.
    let place = TemporaryFolder()
    let out = place("out").string, err = place("err").string
    let status = try spawn(program, arguments, in: folder, environment, output: (out, err)).wait()
    func text(_ path: String) -> String {
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return Result(status: status, output: text(out), errors: text(err))
  }

  /// Waits until a condition holds; false when it does not within three minutes. What holds is seen at
  /// once, so only a failure takes that long, and a machine that stands still for a while is none.
  public static func wait(until holds: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < end {
      if holds() { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return holds()
  }

  /// When a file or folder was changed last.
  public static func modified(_ path: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  /// Whether a tool is installed.
  public static func find(_ tool: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      ["/usr/bin", "/bin", "/usr/local/bin"] + path.split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(tool)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A port of the loopback at which nobody listens.
  public static func freePort() -> Int? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }
}
