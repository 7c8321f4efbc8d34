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
    /// The folder of one that is only looked at.
    var scratch: ScratchFolder?
  }

  private let open = Mutex<[String: Upload]>([:])
  private static let most = 16

  /// By which the files of pages are known.
  static let way = "web-"

  /// - Parameters:
  ///   - folder: where it will be handed in; nil for one that is only looked at.
  ///   - base: the inbox.
  /// - Returns: by which it is known; nil where there are too many.
  func begin(_ path: FilePath, in folder: Folder?, by base: Folder?) throws(FileError) -> String? {
    guard open.withLock(\.count) < Self.most else { return nil }
    let scratch = folder == nil ? try ScratchFolder(for: "upload") : nil
    guard let place = folder ?? scratch?.folder, let name = path.lastComponent else { return nil }
    let upload = Upload(
      file: try HandIn(to: place, as: FilePath(name: name), by: base, way: Self.way),
      path: path, scratch: scratch)
    let handle = JobIdentifiers.make(at: wallTime())
    open.withLock { $0[handle] = upload }
    return handle
  }

  /// - Returns: whether it is still wanted.
  func write(_ bytes: [UInt8], to handle: String) throws(FileError) -> Bool {
    guard let upload = open.withLock({ $0[handle] }) else { return false }
    try upload.file.write(bytes)
    return true
  }

  /// The upload, which is the caller's from now on.
  func take(_ handle: String) -> Upload? { open.withLock { $0.removeValue(forKey: handle) } }

  func giveUp(_ handle: String) {
    guard let upload = take(handle) else { return }
    try? upload.file.giveUp()
    upload.scratch?.remove()
  }

  /// Those of a page that has ended.
  func giveUpAll() {
    for handle in open.withLock({ Array($0.keys) }) { giveUp(handle) }
  }
}
