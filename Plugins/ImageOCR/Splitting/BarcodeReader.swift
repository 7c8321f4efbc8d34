internal import CZBar
internal import PluginKit

/// Reads barcodes with libzbar: Code 128, Code 39, EAN and QR, whichever way up.
@safe struct BarcodeReader {
  private let calls: czbar_calls

  private static let kinds = [
    ZBAR_CODE128, ZBAR_CODE39, ZBAR_EAN8, ZBAR_EAN13, ZBAR_QRCODE,
  ]
  /// "Y800": a byte of grey for each pixel.
  private static let grey: UInt = 0x3030_3859

  /// Loads the library, which a confined process cannot do: it may map no code.
  ///
  /// - Throws: ``PluginFailure`` with the code `pages.library` where it is not installed.
  init(library: String = "libzbar.so.0") throws(PluginFailure) {
    var calls = czbar_calls()
    guard unsafe czbar_load(library, &calls) != 0 else {
      throw PluginFailure(
        .options, "pages.library", "pages.split needs the library libzbar, which is not installed",
        hint: "on Debian: apt install libzbar0")
    }
    self.calls = calls
  }

  /// The texts of the barcodes in a picture, in no order that means anything.
  ///
  /// - Parameter pixels: in 8-bit grey.
  func texts(in pixels: borrowing Pixels) -> [String] {
    let samples = pixels.samples()
    let (width, height) = (pixels.width, pixels.height)
    guard width > 0, height > 0, samples.count >= width * height else { return [] }
    let scanner = calls.zbar_image_scanner_create()
    defer { unsafe calls.zbar_image_scanner_destroy(scanner) }
    // What was read is for nobody else.
    _ = unsafe calls.zbar_image_scanner_request_dbus(scanner, 0)
    _ = unsafe calls.zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    for kind in Self.kinds {
      _ = unsafe calls.zbar_image_scanner_set_config(scanner, kind, ZBAR_CFG_ENABLE, 1)
    }
    let image = calls.zbar_image_create()
    defer { unsafe calls.zbar_image_destroy(image) }
    unsafe calls.zbar_image_set_format(image, Self.grey)
    unsafe calls.zbar_image_set_size(image, UInt32(width), UInt32(height))
    return unsafe samples.withUnsafeBytes { bytes in
      // Without a function that frees them the bytes stay ours.
      unsafe calls.zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
      guard unsafe calls.zbar_scan_image(scanner, image) > 0 else { return [] }
      var texts: [String] = []
      var symbol = unsafe calls.zbar_image_first_symbol(image)
      while let found = unsafe symbol {
        if let text = unsafe calls.zbar_symbol_get_data(found) {
          let length = unsafe Int(calls.zbar_symbol_get_data_length(found))
          texts.append(
            unsafe String(
              decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self))
        }
        unsafe symbol = calls.zbar_symbol_next(found)
      }
      return texts
    }
  }
}
