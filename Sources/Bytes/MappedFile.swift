internal import Glibc
public import SystemPackage

/// A whole file mapped read-only into memory; unmapped when the value ends.
///
/// A mapped file that somebody else truncates kills its reader by SIGBUS, so map only files that
/// were claimed (renamed away from their producers) or inside a worker, never in the daemon.
@safe public struct MappedFile: ~Copyable {
  private let base: UnsafeRawPointer?
  /// The size of the file in bytes when it was mapped.
  public let count: Int

  /// Maps the file that a descriptor stands for. The descriptor may be closed afterwards.
  ///
  /// - Parameters:
  ///   - descriptor: open for reading; it stays the caller's.
  ///   - limit: the largest size in bytes that is accepted.
  /// - Throws: ``MappingError`` when the file cannot be measured or mapped, is not a regular file,
  ///   or is larger than `limit`.
  public init(descriptor: Int32, limit: Int = 1 << 40) throws(MappingError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile }
    let size = Int(status.st_size)
    guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
    guard size > 0 else {
      unsafe base = nil
      count = 0
      return
    }
    let mapped = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .system(errno) }
    unsafe base = UnsafeRawPointer(mapped)
    count = size
  }

  /// Opens and maps the file at a path.
  public init(path: FilePath, limit: Int = 1 << 40) throws(MappingError) {
    let descriptor = unsafe path.withPlatformString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    }
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    self = try MappedFile(descriptor: descriptor, limit: limit)
  }

  deinit {
    if let base = unsafe base { unsafe munmap(UnsafeMutableRawPointer(mutating: base), count) }
  }

  /// The bytes of the file, bounds-checked, valid while the mapping lives.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let bytes = unsafe UnsafeBufferPointer<UInt8>(
        start: base?.assumingMemoryBound(to: UInt8.self), count: count)
      let span = unsafe Span(_unsafeElements: bytes)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}

/// Why a file could not be mapped.
public enum MappingError: Error, Equatable, CustomStringConvertible {
  /// A system call failed with this errno.
  case system(Int32)
  case notARegularFile
  case tooLarge(size: Int, limit: Int)

  /// The errno; nil where no call failed.
  public var number: Int32? { if case .system(let number) = self { number } else { nil } }

  /// For people, without subject and full stop.
  public var description: String {
    switch self {
    case .system(let number): unsafe String(cString: strerror(number)).lowercased()
    case .notARegularFile: "it is no regular file"
    case .tooLarge(let size, let limit): "it has \(size) bytes, \(limit) are allowed"
    }
  }
}
