import Conveyor
import Files
import Pipelines
import Synchronization
import SystemPackage

/// Files that are on their way from browsers.
final class Uploads: Sendable {
  struct Upload {
    var file: HandIn
    /// Where it is to be, below the inbox.
    var path: FilePath
    /// Whether it is only looked at.
    var isExplained: Bool
    var bytes = 0
  }

  private let open = Mutex<[String: Upload]>([:])
  private static let most = 16
  /// By which the files of pages are known.
  static let way = "web-"

  /// - Parameter folder: where its bytes are collected.
  /// - Returns: by which it is known; nil where there are too many.
  func begin(
    _ path: FilePath, in folder: Folder, isExplained: Bool
  ) throws(FileError) -> String? {
    guard open.withLock(\.count) < Self.most, let name = path.lastComponent else { return nil }
    let upload = Upload(
      file: try HandIn(to: folder, as: FilePath(name: name), way: Self.way), path: path,
      isExplained: isExplained)
    let handle = JobIdentifiers.make(at: wallTime())
    open.withLock { $0[handle] = upload }
    return handle
  }

  /// - Parameter most: bytes that one may have.
  /// - Returns: whether it is still wanted.
  func write(_ bytes: [UInt8], to handle: String, most: Int) throws(FileError) -> Bool {
    let upload = open.withLock { open -> Upload? in
      open[handle]?.bytes += bytes.count
      return open[handle]
    }
    guard let upload, upload.bytes <= most else { return false }
    try upload.file.write(bytes)
    return true
  }

  /// The upload, which is the caller's from now on.
  func take(_ handle: String) -> Upload? { open.withLock { $0.removeValue(forKey: handle) } }

  func giveUp(_ handle: String) { try? take(handle)?.file.giveUp() }

  /// Those of a page that has ended.
  func giveUpAll() {
    for handle in open.withLock({ Array($0.keys) }) { giveUp(handle) }
  }
}
