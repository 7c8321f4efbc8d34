internal import Files
internal import Pipelines

/// A file that somebody wants tried again, as it was put back into the inbox.
struct RetriedFile: Hashable {
  private let device, inode: UInt64
  private let size: Int
  private let seconds, nanoseconds: Int64

  init(_ status: FileStatus) {
    (device, inode, size) = (status.device, status.inode, status.size)
    (seconds, nanoseconds) = (status.modified.seconds, status.modified.nanoseconds)
  }

  /// A name for files about it.
  var mark: String { "\(device)-\(inode)-\(size)-\(seconds)-\(nanoseconds)" }

  init(_ arrival: Arrival) {
    (device, inode, size) = (arrival.device, arrival.inode, arrival.size)
    (seconds, nanoseconds) = (arrival.modifiedSeconds, arrival.modifiedNanoseconds)
  }
}
