internal import CTesseract
internal import PluginKit

/// Finds the script of a page, by libtesseract's detection of orientation and script.
///
/// Not to be used by two threads at once.
@safe final class ScriptFinder {
  private let handle: OpaquePointer
  /// Guesses less sure than this are none.
  private static let leastConfidence: Float = 1

  /// - Parameter folder: has the data `osd`.
  init(folder: String) throws(PluginFailure) {
    guard let handle = unsafe TessBaseAPICreate() else {
      throw PluginFailure(.internal, "ocr.engine", "the recognizer could not be started")
    }
    guard unsafe TessBaseAPIInit2(handle, folder, "osd", OEM_TESSERACT_ONLY) == 0 else {
      unsafe TessBaseAPIDelete(handle)
      throw PluginFailure(
        .internal, "ocr.engine", "the data for finding scripts (osd) could not be loaded")
    }
    unsafe TessBaseAPISetPageSegMode(handle, PSM_OSD_ONLY)
    unsafe self.handle = handle
  }

  deinit {
    unsafe TessBaseAPIEnd(handle)
    unsafe TessBaseAPIDelete(handle)
  }

  /// The script of most of the text, where it can be told.
  func script(of pixels: borrowing Pixels) -> WritingScript? {
    unsafe TessBaseAPISetImage2(handle, pixels.pix)
    defer { unsafe TessBaseAPIClear(handle) }
    var degrees: Int32 = 0
    var upright: Float = 0
    var sure: Float = 0
    var name: UnsafePointer<CChar>?
    guard
      unsafe TessBaseAPIDetectOrientationScript(handle, &degrees, &upright, &name, &sure) != 0,
      sure >= Self.leastConfidence, let name = unsafe name
    else { return nil }
    return WritingScript(detected: unsafe String(cString: name))
  }
}
