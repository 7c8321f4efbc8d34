internal import Glibc

/// A file of results that is written from its beginning to its end.
///
/// One that replaces another is written beside its place and appears there whole, when it is closed; one that is
/// not closed leaves nothing behind. A sealed step may create files only, so its results are never of that kind.
public final class ResultFile {
  /// What people call the file.
  public let name: String
  /// Bytes so far.
  public private(set) var count = 0
  /// Open for reading and writing until ``close()``, for libraries that write by themselves.
  public let descriptor: Int32
  private let path: String
  /// Where it is written until it is whole; nil for a file that was created at its place.
  private let part: String?
  private var isOpen = true

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - path: where it is to stand, in a folder that exists.
  ///   - name: for people; nil for the last name of the path.
  ///   - replaces: whether it takes the place of a file that is there; else that is a failure.
  /// - Throws: as ``PluginFailure/writing(_:errno:)`` tells, like all that follows.
  public init(
    _ path: String, name: String? = nil, replaces: Bool = false
  ) throws(PluginFailure) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let last = String(path.dropFirst(folder.count))
    self.path = path
    self.name = name ?? last
    // A name of 255 bytes has no room for more.
    let short = last.utf8.count > 240 ? String(last.prefix(60)) : last
    part = replaces ? "\(folder).\(short).part" : nil
    descriptor = unsafe open(
      part ?? path, O_RDWR | O_CREAT | (replaces ? O_TRUNC : O_EXCL) | O_CLOEXEC | O_NOFOLLOW, 0o644
    )
    guard descriptor >= 0 else {
      isOpen = false
      throw .writing(self.name, errno: errno)
    }
  }

  deinit {
    guard isOpen else { return }
    _ = Glibc.close(descriptor)
    if let part { unsafe _ = unlink(part) }
  }

  /// Appends bytes. After a failure the file is of no use any more.
  public func write(_ bytes: [UInt8]) throws(PluginFailure) { try write(bytes.span) }

  /// Appends bytes. After a failure the file is of no use any more.
  public func write(_ bytes: Span<UInt8>) throws(PluginFailure) {
    guard writeAll(bytes, to: descriptor) else { throw .writing(name, errno: errno) }
    count += bytes.count
  }

  /// Ends the file and puts it at its place. An error that the system put off until now is thrown.
  public func close() throws(PluginFailure) {
    guard isOpen else { return }
    isOpen = false
    if Glibc.close(descriptor) == 0 {
      guard let part else { return }
      if unsafe rename(part, path) == 0 { return }
    }
    let code = errno
    if let part { unsafe _ = unlink(part) }
    throw .writing(name, errno: code)
  }
}
