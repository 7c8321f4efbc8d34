internal import CHeif
internal import CTesseract
internal import Glibc

/// Decodes HEIC and AVIF by libheif.
enum HEIFDecoder {
  /// Loads the decoders, which libheif of Debian 13 keeps in separate files: a confined process cannot open them.
  /// The error is ignored, because then a picture is refused when it is decoded.
  static func prepare() { _ = unsafe heif_init(nil) }

  /// The primary picture as it is shown, turned and cropped as the file says; nil where the library refuses it.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> Pixels? {
    // The decoder of HEVC waits for ever for a thread that it could not start.
    guard canStartThreads, let context = unsafe heif_context_alloc() else { return nil }
    return unsafe pixels(of: bytes, context)
  }

  private static var canStartThreads: Bool {
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
    return pthread_join(thread, nil) == 0
  }

  /// - Parameter context: is freed.
  private static func pixels(
    of bytes: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer
  ) -> Pixels? {
    defer { unsafe heif_context_free(context) }
    unsafe heif_context_set_max_decoding_threads(context, 0)
    var handle: OpaquePointer?
    guard
      unsafe isSound(
        heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil)),
      unsafe isSound(heif_context_get_primary_image_handle(context, &handle)),
      let handle = unsafe handle
    else { return nil }
    defer { unsafe heif_image_handle_release(handle) }
    let hasAlpha = unsafe heif_image_handle_has_alpha_channel(handle) != 0
    var picture: OpaquePointer?
    let order = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
    guard unsafe isSound(heif_decode_image(handle, &picture, heif_colorspace_RGB, order, nil)),
      let picture = unsafe picture
    else { return nil }
    defer { unsafe heif_image_release(picture) }
    return unsafe copy(picture, samples: hasAlpha ? 4 : 3)
  }

  private static func isSound(_ error: heif_error) -> Bool { unsafe error.code == heif_error_Ok }

  private static func copy(_ picture: OpaquePointer, samples: Int) -> Pixels? {
    let width = unsafe heif_image_get_width(picture, heif_channel_interleaved)
    let height = unsafe heif_image_get_height(picture, heif_channel_interleaved)
    var stride: Int32 = 0
    guard width > 0, height > 0,
      let rows = unsafe heif_image_get_plane_readonly(picture, heif_channel_interleaved, &stride),
      Int(stride) >= Int(width) * samples,
      let pixels = unsafe Pixels(taking: pixCreate(width, height, 32)),
      let words = unsafe pixGetData(pixels.pix)
    else { return nil }
    let perLine = Int(unsafe pixGetWpl(pixels.pix))
    for y in 0..<Int(height) {
      let row = unsafe rows + y * Int(stride), line = unsafe words + y * perLine
      for x in 0..<Int(width) {
        let sample = unsafe row + x * samples
        let colour =
          unsafe UInt32(sample[0]) << 24 | UInt32(sample[1]) << 16 | UInt32(sample[2]) << 8
        unsafe line[x] = unsafe colour | (samples == 4 ? UInt32(sample[3]) : 0)
      }
    }
    unsafe pixSetSpp(pixels.pix, Int32(samples))
    return pixels
  }
}
