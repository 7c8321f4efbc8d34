import Foundation
public import SystemPackage

/// A file system of its own and of a few MiB, in memory, to be filled.
public final class SmallDisk: Sendable {
  private let place = TemporaryFolder()
  /// Where it is mounted.
  public var path: FilePath { place.path }

  /// Whether this process may mount one.
  public static let isAvailable: Bool = getuid() == 0 && SmallDisk(megabytes: 1) != nil

  /// Nil where it cannot be mounted.
  public init?(megabytes: Int) {
    guard
      Self.run(
        "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "none", place.path.string)
    else { return nil }
  }

  deinit { _ = Self.run("umount", "-l", place.path.string) }

  private static func run(_ tool: String, _ arguments: String...) -> Bool {
    guard let path = Programs.find(tool) else { return false }
    return (try? Programs.run(path, arguments))?.status == 0
  }

  /// Writes a file until nothing more fits.
  public func fill(_ name: String = "ballast") {
    let file = open(path.appending(name).string, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    for size in [1 << 16, 1 << 10, 1] {
      let block = [UInt8](repeating: 0x55, count: size)
      while write(file, block, size) == size {}
    }
  }
}
