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
    /// The process, for its number and whether it runs; used by one test at a time.
    public let process: Process
    init(_ process: Process) { self.process = process }
    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until the program has a handler of its own for a signal; before that it would die of it.
    public func handles(_ number: Int32) -> Bool {
      let status = "/proc/\(process.processIdentifier)/status"
      return Programs.wait {
        let text = FileManager.default.contents(atPath: status).map {
          String(decoding: $0, as: UTF8.self)
        }
        let line = text?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst(7).drop { $0.isWhitespace }, radix: 16) }
        return (caught ?? 0) & 1 << UInt64(number - 1) != 0
      }
    }
    /// Waits until the program ends, and answers with its exit status or the signal that ended it.
    public func wait() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private static func prepared(
    _ program: String, _ arguments: [String], in folder: FilePath?,
    _ environment: [String: String]
  ) -> Process {
    let process = Process()
    let path = program.contains("/") ? program : Self.folder.appending(program).string
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.string) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Starts a program without waiting; its output goes to a file.
  public static func start(
    _ program: String, _ arguments: [String], in folder: FilePath,
    environment: [String: String] = [:]
  ) throws -> Running {
    let process = prepared(program, arguments, in: folder, environment)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return Running(process)
  }

  /// Runs a program to its end.
  public static func run(
    _ program: String, _ arguments: [String], in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    let process = prepared(program, arguments, in: folder, environment)
    // Files instead of pipes: no reader is needed, whatever is written.
    let place = TemporaryFolder()
    let out = place("out").string, err = place("err").string
    _ = FileManager.default.createFile(atPath: out, contents: nil)
    _ = FileManager.default.createFile(atPath: err, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: out)
    process.standardError = FileHandle(forWritingAtPath: err)
    try process.run()
    process.waitUntilExit()
    func text(_ path: String) -> String {
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return Result(status: process.terminationStatus, output: text(out), errors: text(err))
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
