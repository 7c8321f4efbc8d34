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
    public let number: pid_t
    /// Guards `status`, and tells when it is there.
    private let ending = NSCondition()
    private var status: Int32?

    fileprivate init(_ number: pid_t) {
      self.number = number
      Thread.detachNewThread { [self] in
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        // The exit status is the second byte; where a signal ended it, that is in the first.
        let told = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
        ending.lock()
        self.status = told
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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, path) in [(Int32(1), output.0), (2, output.1)] {
      posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder.string) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings =
      ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var number: pid_t = 0
    let failure = posix_spawn(&number, path, &actions, &attributes, &words, &settings)
    guard failure == 0 else { throw Errno(rawValue: failure) }
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
