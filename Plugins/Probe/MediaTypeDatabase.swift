internal import Bytes
internal import CMagic
internal import PluginKit

/// libmagic's database, loaded once.
@safe final class MediaTypeDatabase {
  private let cookie: magic_t

  init() throws(PluginFailure) {
    guard let cookie = unsafe magic_open(MAGIC_MIME_TYPE | MAGIC_NO_CHECK_COMPRESS) else {
      throw PluginFailure(.internal, "probe.magic", "libmagic could not be started")
    }
    guard unsafe magic_load(cookie, nil) == 0 else {
      unsafe magic_close(cookie)
      throw PluginFailure(
        .internal, "probe.magic", "libmagic's database could not be loaded",
        hint: "install the package libmagic-mgc")
    }
    unsafe self.cookie = unsafe cookie
  }

  deinit { unsafe magic_close(cookie) }

  /// The media type of the bytes, nil where libmagic cannot tell. It looks at no more than their
  /// beginning.
  func mediaType(of bytes: Span<UInt8>) -> String? {
    answer(bytes, flags: MAGIC_MIME_TYPE)
  }

  /// What libmagic calls the file, in words.
  func description(of bytes: Span<UInt8>) -> String? { answer(bytes, flags: MAGIC_NONE) }

  private func answer(_ bytes: Span<UInt8>, flags: Int32) -> String? {
    let head = bytes.extracting(first: 1 << 20)
    unsafe magic_setflags(cookie, flags | MAGIC_NO_CHECK_COMPRESS)
    let text = unsafe head.withUnsafeBufferPointer { buffer in
      unsafe magic_buffer(cookie, buffer.baseAddress, buffer.count)
    }
    return unsafe text.map { unsafe String(cString: $0) }
  }
}
