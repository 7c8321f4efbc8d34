import Files
import Synchronization
import SystemPackage

/// Small pictures of pages, kept in the spool so that each is drawn once.
final class Thumbnails: Sendable {
  private let spool: FilePath
  /// How many there are, or nil if they were not counted yet.
  private let count = Mutex<Int?>(nil)

  /// A thumbnail has about 10 kB.
  private static let most = 10_000
  private static let place = FilePath("thumbnails")

  init(in spool: FilePath) { self.spool = spool }

  private var folder: Folder? { try? Folder.make(spool.appending(Self.place.components)) }

  /// Names are made of a job's identifier and numbers.
  private static func name(_ key: String) -> FilePath {
    FilePath(key.replacing(" ", with: "-"))
  }

  subscript(key: String) -> [UInt8]? {
    let bytes = try? folder?.reading(Self.name(key)).readAll(limit: 4 << 20)
    return bytes?.isEmpty == false ? bytes : nil
  }

  /// Keeps a picture; the oldest give way. One that cannot be kept is drawn again the next time.
  func keep(_ bytes: [UInt8], _ key: String) {
    guard let folder, (try? folder.writeShared(bytes, as: Self.name(key))) != nil else { return }
    let isFull = count.withLock { count in
      count = (count ?? (try? folder.names().count) ?? 0) + 1
      return count ?? 0 > Self.most
    }
    if isFull { removeOldest(in: folder) }
  }

  /// Removes those of a job.
  func forget(_ job: String) {
    guard let folder else { return }
    for name in (try? folder.names()) ?? [] where name.string.hasPrefix(job + "-") {
      _ = try? folder.remove(name)
    }
  }

  private func removeOldest(in folder: Folder) {
    let dated = ((try? folder.names()) ?? []).compactMap { name in
      (try? folder.status(name))?.map { (name, $0.modified.milliseconds) }
    }
    let left = Self.most * 9 / 10
    for (name, _) in dated.sorted(by: { $0.1 < $1.1 }).dropLast(left) {
      _ = try? folder.remove(name)
    }
    count.withLock { $0 = nil }
  }
}
