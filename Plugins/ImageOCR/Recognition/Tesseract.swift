internal import CTesseract
internal import Glibc
internal import PluginKit

/// The recognizer: one instance of libtesseract with its languages loaded.
///
/// Not to be used by two threads at once.
@safe final class Tesseract {
  private let handle: OpaquePointer
  let languages: [String]

  /// Loads the models of some languages.
  ///
  /// - Throws: ``PluginFailure`` with the code `ocr.data` where no language data is installed,
  ///   `ocr.language` where one of the languages is not, `ocr.engine` where loading fails.
  init(languages: [String]) throws(PluginFailure) {
    guard let folder = LanguageData.folder() else { throw LanguageData.notInstalled }
    for language in languages where !LanguageData.isInstalled(language, in: folder) {
      throw LanguageData.missing(language, in: folder)
    }
    guard let handle = unsafe TessBaseAPICreate() else {
      throw PluginFailure(.internal, "ocr.engine", "the recognizer could not be started")
    }
    let names = languages.joined(separator: "+")
    guard unsafe TessBaseAPIInit2(handle, folder, names, OEM_LSTM_ONLY) == 0 else {
      unsafe TessBaseAPIDelete(handle)
      throw PluginFailure(
        .internal, "ocr.engine", "the language data for \(names) could not be loaded")
    }
    unsafe TessBaseAPISetPageSegMode(handle, PSM_AUTO)
    unsafe self.handle = handle
    self.languages = languages
  }

  deinit {
    unsafe TessBaseAPIEnd(handle)
    unsafe TessBaseAPIDelete(handle)
  }

  /// Whether the dictionary of the first language has a word, whatever its capitals.
  func knows(_ word: String) -> Bool {
    let low = word.lowercased()
    for form in [word, low, low.prefix(1).uppercased() + low.dropFirst()]
    where unsafe TessBaseAPIIsValidWord(handle, form) != 0 { return true }
    return false
  }

  /// Reads one picture.
  ///
  /// - Parameters:
  ///   - resolution: pixels per inch.
  ///   - isBlock: whether all of it is one block of lines, without columns.
  /// - Throws: ``PluginFailure`` with the code `ocr.engine` where the library gives up.
  func recognize(
    _ pixels: borrowing Pixels, resolution: Int, isBlock: Bool = false
  ) throws(PluginFailure) -> RecognizedPage {
    unsafe TessBaseAPISetImage2(handle, pixels.pix)
    if isBlock { unsafe TessBaseAPISetPageSegMode(handle, PSM_SINGLE_BLOCK) }
    defer {
      unsafe TessBaseAPISetPageSegMode(handle, PSM_AUTO)
      unsafe TessBaseAPIClear(handle)
    }
    return try recognizeImage(resolution: resolution)
  }

  /// Reads the picture that was set, or the rectangle of it.
  private func recognizeImage(resolution: Int) throws(PluginFailure) -> RecognizedPage {
    unsafe TessBaseAPISetSourceResolution(handle, Int32(clamping: max(70, min(resolution, 2400))))
    guard unsafe TessBaseAPIRecognize(handle, nil) == 0 else {
      throw PluginFailure(.internal, "ocr.engine", "the recognizer gave up on the page")
    }
    // The iterator tells the height of rows in points of the resolution known when it is made, as
    // whole numbers: with this one it counts in eighths of pixels.
    unsafe TessBaseAPISetSourceResolution(handle, 9)
    guard let iterator = unsafe TessBaseAPIGetIterator(handle) else { return RecognizedPage() }
    defer { unsafe TessResultIteratorDelete(iterator) }
    return unsafe Self.page(from: iterator)
  }

  /// Smaller boxes than this in pixels have no letters.
  private static let leastSide = 4.0

  /// Reads single lines of one picture.
  ///
  /// - Parameters:
  ///   - boxes: where the lines are, in pixels.
  ///   - resolution: pixels per inch.
  /// - Returns: a line for each box, without words where nothing was read.
  /// - Throws: ``PluginFailure`` with the code `ocr.engine` where the library gives up.
  func recognize(
    lines boxes: [PixelBox], of pixels: borrowing Pixels, resolution: Int
  ) throws(PluginFailure) -> [RecognizedPage.Line] {
    unsafe TessBaseAPISetImage2(handle, pixels.pix)
    unsafe TessBaseAPISetPageSegMode(handle, PSM_SINGLE_LINE)
    // Whether letters are light on dark was found out with the page: not every doubtful line twice.
    _ = unsafe TessBaseAPISetVariable(handle, "tessedit_do_invert", "0")
    defer {
      _ = unsafe TessBaseAPISetVariable(handle, "tessedit_do_invert", "1")
      unsafe TessBaseAPISetPageSegMode(handle, PSM_AUTO)
      unsafe TessBaseAPIClear(handle)
    }
    var lines: [RecognizedPage.Line] = []
    for box in boxes {
      var line = RecognizedPage.Line(
        words: [], box: box, baseline: box.foot, rowHeight: 0, startsParagraph: false)
      defer { lines.append(line) }
      // Some paper around the letters, as the recognizer expects.
      let margin = box.height * 0.2
      let left = max(0, box.left - margin), top = max(0, box.top - margin)
      let right = min(Double(pixels.width), box.right + margin)
      let bottom = min(Double(pixels.height), box.bottom + margin)
      // The library does not look whether a rectangle is one.
      guard right - left >= Self.leastSide, bottom - top >= Self.leastSide else { continue }
      unsafe TessBaseAPISetRectangle(
        handle, Int32(left), Int32(top), Int32(right - left), Int32(bottom - top))
      let page = try recognizeImage(resolution: resolution)
      guard let first = page.lines.first else { continue }
      line = first
      for more in page.lines.dropFirst() { line.words += more.words }
    }
    return lines
  }

  private static func page(from iterator: OpaquePointer) -> RecognizedPage {
    var page = RecognizedPage()
    guard let place = unsafe TessResultIteratorGetPageIterator(iterator) else { return page }
    var letters = 0.0
    var sideways = 0.0
    repeat {
      let startsLine = unsafe TessPageIteratorIsAtBeginningOf(place, RIL_TEXTLINE) != 0
      if startsLine || page.lines.isEmpty {
        unsafe page.lines.append(line(at: place))
      }
      guard let word = unsafe word(at: iterator, place), let last = page.lines.indices.last else {
        continue
      }
      if page.lines[last].words.isEmpty {
        page.lines[last].rowHeight = unsafe rowHeight(at: iterator)
      }
      page.lines[last].words.append(word)
      let count = Double(word.text.unicodeScalars.count)
      letters += count
      if unsafe isSideways(place) { sideways += count }
    } while unsafe TessResultIteratorNext(iterator, RIL_WORD) != 0
    page.lines.removeAll { $0.words.isEmpty }
    if letters > 0 { page.sidewaysShare = sideways / letters }
    return page
  }

  private static func line(at place: OpaquePointer) -> RecognizedPage.Line {
    var x1: Int32 = 0
    var y1: Int32 = 0
    var x2: Int32 = 0
    var y2: Int32 = 0
    let found = unsafe TessPageIteratorBaseline(place, RIL_TEXTLINE, &x1, &y1, &x2, &y2) != 0
    let box = unsafe box(at: place, RIL_TEXTLINE) ?? PixelBox(left: 0, top: 0, right: 0, bottom: 0)
    let baseline = RecognizedPage.Baseline(
      from: PixelPoint(x: Double(x1), y: Double(y1)), to: PixelPoint(x: Double(x2), y: Double(y2)))
    return RecognizedPage.Line(
      words: [], box: box, baseline: found ? baseline : box.foot, rowHeight: 0,
      startsParagraph: unsafe TessPageIteratorIsAtBeginningOf(place, RIL_PARA) != 0
        || TessPageIteratorIsAtBeginningOf(place, RIL_BLOCK) != 0)
  }

  private static func box(at place: OpaquePointer, _ level: TessPageIteratorLevel) -> PixelBox? {
    var left: Int32 = 0
    var top: Int32 = 0
    var right: Int32 = 0
    var bottom: Int32 = 0
    let found = unsafe TessPageIteratorBoundingBox(place, level, &left, &top, &right, &bottom)
    guard found != 0, right > left, bottom > top else { return nil }
    return PixelBox(
      left: Double(left), top: Double(top), right: Double(right), bottom: Double(bottom))
  }

  private static func word(at iterator: OpaquePointer, _ place: OpaquePointer)
    -> RecognizedPage.Word?
  {
    guard let box = unsafe box(at: place, RIL_WORD),
      let raw = unsafe TessResultIteratorGetUTF8Text(iterator, RIL_WORD)
    else { return nil }
    defer { unsafe TessDeleteText(raw) }
    let text = unsafe String(cString: raw)
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return nil }
    let confidence = Double(unsafe TessResultIteratorConfidence(iterator, RIL_WORD))
    return RecognizedPage.Word(text: text, box: box, confidence: max(0, min(100, confidence)))
  }

  private static func rowHeight(at iterator: OpaquePointer) -> Double {
    var flags = [Int32](repeating: 0, count: 6)
    var points: Int32 = 0
    var font: Int32 = 0
    unsafe flags.withUnsafeMutableBufferPointer { flag in
      guard let start = flag.baseAddress else { return }
      _ = unsafe TessResultIteratorWordFontAttributes(
        iterator, start, start + 1, start + 2, start + 3, start + 4, start + 5, &points, &font)
    }
    return Double(points) / 8
  }

  /// Whether the lines of the block run from top to bottom.
  private static func isSideways(_ place: OpaquePointer) -> Bool {
    var orientation = ORIENTATION_PAGE_UP
    var direction = WRITING_DIRECTION_LEFT_TO_RIGHT
    var order = TEXTLINE_ORDER_TOP_TO_BOTTOM
    var angle: Float = 0
    unsafe TessPageIteratorOrientation(place, &orientation, &direction, &order, &angle)
    return direction == WRITING_DIRECTION_TOP_TO_BOTTOM
      || orientation == ORIENTATION_PAGE_LEFT || orientation == ORIENTATION_PAGE_RIGHT
  }
}
