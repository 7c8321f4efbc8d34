import Conveyor
import Files
import PageAPI
import Pipelines
import Synchronization
import SystemPackage
import Workers

/// Files that are on their way from browsers.
final class Uploads: Sendable {
  struct Upload {
    var file: HandIn
    /// Where it is to be, below the inbox.
    var path: FilePath
    var purpose: Endpoint.Purpose
    var bytes = 0
    /// When bytes came last, in milliseconds.
    var movedAt = milliseconds()
  }

  private let open = Mutex<[String: Upload]>([:])
  private static let most = 16
  /// Milliseconds without a piece, of 128 KiB, after which an upload gives way if there is no room for another one.
  private static let patience = 5000
  /// By which the files of pages are known.
  static let way = "web-"

  /// - Parameter folder: where its bytes are collected.
  /// - Returns: by which it is known, or nil if there are too many, all of which get on.
  func begin(
    _ path: FilePath, in folder: Folder, for purpose: Endpoint.Purpose
  ) throws(FileError) -> String? {
    if open.withLock(\.count) >= Self.most { giveUpSlowest() }
    guard open.withLock(\.count) < Self.most, let name = path.lastComponent else { return nil }
    let upload = Upload(
      file: try HandIn(to: folder, as: FilePath(name: name), way: Self.way), path: path,
      purpose: purpose)
    let handle = JobIdentifiers.make(at: wallTime())
    open.withLock { $0[handle] = upload }
    return handle
  }

  /// - Parameter most: bytes that one may have.
  /// - Returns: whether it is still wanted.
  func write(_ bytes: [UInt8], to handle: String, most: Int) throws(FileError) -> Bool {
    let upload = open.withLock { open -> Upload? in
      open[handle]?.bytes += bytes.count
      open[handle]?.movedAt = milliseconds()
      return open[handle]
    }
    guard let upload, upload.bytes <= most else { return false }
    try upload.file.write(bytes)
    return true
  }

  /// The upload, which is the caller's from now on.
  func take(_ handle: String) -> Upload? { open.withLock { $0.removeValue(forKey: handle) } }

  func giveUp(_ handle: String) { try? take(handle)?.file.giveUp() }

  /// Gives up the upload that has not moved for longest, if it is slow.
  private func giveUpSlowest() {
    let slowest = open.withLock { $0.min { $0.value.movedAt < $1.value.movedAt } }
    guard let slowest, milliseconds() - slowest.value.movedAt >= Self.patience else { return }
    giveUp(slowest.key)
  }

  /// Those of a page that has ended.
  func giveUpAll() {
    for handle in open.withLock({ Array($0.keys) }) { giveUp(handle) }
  }
}
