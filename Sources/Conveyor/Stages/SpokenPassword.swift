package import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import Synchronization
package import SystemPackage

/// Passwords that somebody gave for one try of one file. They stand in memory alone: on the way to the daemon in a
/// fifo of the spool, whose bytes are the kernel's, and then with it until the try is over.
package final class SpokenPassword: Sendable {
  private let spoken = Mutex<[FilePath: (text: String, until: Int64)]>([:])

  private static let fifoStart = "password-"
  /// Milliseconds for which one waits for its try.
  private static let patience: Int64 = 600_000

  package init() {}

  /// Leaves a password for the daemon to take, for half a minute.
  ///
  /// - Parameter path: of the file, below the inbox.
  package static func leave(
    _ text: String, for path: FilePath, in spool: FilePath
  ) throws(FileError) {
    let folder = try Folder.open(spool)
    let name = FilePath(fifoStart + JobIdentifiers.make(at: wallTime()))
    let whole = spool.appending(name.components)
    let made = unsafe whole.withPlatformString { unsafe mkfifo($0, 0o600) }
    // Open for both ways, so that neither end waits for the other.
    let descriptor = unsafe whole.withPlatformString {
      unsafe open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    }
    guard made == 0, descriptor >= 0 else {
      let reason = Errno(rawValue: errno)
      if made == 0 { try folder.remove(name) }
      throw FileError("make", whole, reason)
    }
    let line = JSON.object([.init("path", path.json), .init("password", .string(text))]).line
    guard line.count < 4096, writeAll(line, to: descriptor) else {
      close(descriptor)
      try folder.remove(name)
      throw FileError("write", whole, .invalidArgument)
    }
    Task {
      try? await Task.sleep(for: .seconds(30))
      close(descriptor)
      _ = try? folder.remove(name)
    }
  }

  /// Takes what was left.
  func take(from spool: Folder, at now: Int64) {
    for name in (try? spool.names()) ?? [] where name.string.hasPrefix(Self.fifoStart) {
      guard let fifo = try? spool.open(name, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW) else {
        continue
      }
      let bytes = readSome(fifo.descriptor) ?? []
      _ = try? spool.remove(name)
      guard let json = try? JSONReader.read(bytes).value,
        let path = json["path"].flatMap(FilePath.init), let text = json["password"]?.stringValue
      else { continue }
      spoken.withLock { spoken in
        spoken = spoken.filter { $0.value.until > now }
        spoken[path] = (text, now + Self.patience)
      }
    }
  }

  /// The options of a step with the password that was given for its file; as they are where there is none, or the
  /// step takes none.
  func added(to options: Options, of step: StepManifest, for path: FilePath) -> Options {
    guard let (text, until) = spoken.withLock({ $0[path] }), until > wallTime(),
      step.options.fields.contains(where: { $0.key == "passwords" })
    else { return options }
    let lines = [text, options.string("passwords")].compactMap(\.self).joined(separator: "\n")
    return Options(checked: options.json.setting("passwords", .string(lines)))
  }

  /// The try is over.
  func forget(_ path: FilePath) { spoken.withLock { $0[path] = nil } }
}
