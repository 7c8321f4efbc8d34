internal import Files
internal import Glibc
internal import Synchronization
internal import SystemPackage

/// Space that is kept for the ledger: a file in the spool that is removed when the disk is full, so
/// that what is decided about files in flight can still be written down. While it is gone no file is
/// taken in.
final class Reserve: Sendable {
  static let name = FilePath("reserve")
  private static let temporary = FilePath("reserve.new")
  /// Some hundred commits, or one checkpoint of SQLite's journal.
  static let size = 4 << 20
  /// What a disk without room for it is told as, behind "is full".
  static let upTo = " up to the last \(2 * size >> 20) MiB, which are for the ledger"

  private let folder: Folder
  private let kept = Atomic<Bool>(false)

  init(_ folder: Folder) {
    self.folder = folder
    // A disk that is full already: the service tries again, and takes nothing in until then.
    try? keep()
  }

  var isKept: Bool { kept.load(ordering: .sequentiallyConsistent) }

  /// Makes the file where it is missing.
  func keep() throws(FileError) {
    if try folder.status(Self.name)?.size != Self.size {
      do throws(FileError) { try make() } catch {
        _ = try? folder.remove(Self.temporary)
        throw error
      }
    }
    kept.store(true, ordering: .sequentiallyConsistent)
  }

  private func make() throws(FileError) {
    // Filling the disk to find out that it is full would take from the ledger what it lives on.
    var space = statvfs()
    guard unsafe fstatvfs(folder.descriptor, &space) == 0,
      Int(clamping: space.f_bavail) >= 2 * Self.size / max(1, Int(clamping: space.f_frsize))
    else { throw FileError("write", folder.path.appending(Self.name.components), .noSpace) }
    try folder.remove(Self.temporary)
    let file = try folder.creating(Self.temporary)
    // Random, because file systems that compress keep no space for zeros.
    var numbers = SystemRandomNumberGenerator()
    let block = (0..<(1 << 13)).flatMap { _ in
      unsafe withUnsafeBytes(of: numbers.next()) { unsafe Array($0) }
    }
    for _ in 0..<(Self.size / block.count) { try file.write(block.span) }
    try file.sync()
    try folder.replace(Self.name, by: Self.temporary)
  }

  /// Gives the space up, where there is some left to give.
  func release() {
    kept.store(false, ordering: .sequentiallyConsistent)
    // Where it stays, what needed the space fails once more, and that is told.
    _ = try? folder.remove(Self.name)
  }
}
