public import Bytes

/// The bytes of a file, mapped or in memory, owned as long as the value lives.
@safe public final class FileBytes {
  private let mapped: MappedFile?
  private let base: UnsafeBufferPointer<UInt8>
  private let owned: UnsafeMutableBufferPointer<UInt8>?

  /// Takes a mapped file over.
  public init(_ file: consuming MappedFile) {
    unsafe base = file.span.withUnsafeBufferPointer { unsafe $0 }
    mapped = consume file
    unsafe owned = nil
  }

  /// Copies bytes, for input that is no file.
  public init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe copy.initialize(fromContentsOf: bytes)
    unsafe owned = copy
    unsafe base = UnsafeBufferPointer(copy)
    mapped = nil
  }

  deinit { unsafe owned?.deallocate() }

  /// The number of bytes.
  public var count: Int { unsafe base.count }

  /// The bytes, valid while this object lives.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span(_unsafeElements: base)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
