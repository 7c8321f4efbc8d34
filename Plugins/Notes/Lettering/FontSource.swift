internal import CFontconfig

/// The fonts of this machine, as fontconfig knows them, in the order in which they are to be tried.
@safe final class FontSource {
  /// A font in a file.
  struct Entry {
    var path: String
    /// Which font of the file.
    var index: Int
    fileprivate var place: Int
  }

  private var sorted: UnsafeMutablePointer<FcFontSet>?
  private(set) var entries: [Entry] = []

  /// Asks fontconfig for fonts that look like a plain sans serif, the most fitting first.
  init() {
    guard let pattern = unsafe FcPatternCreate() else { return }
    defer { unsafe FcPatternDestroy(pattern) }
    unsafe Self.add(pattern, FC_FAMILY, "sans-serif")
    // Others cannot be embedded: pictures of letters, and colour fonts.
    unsafe FcPatternAddBool(pattern, FC_OUTLINE, 1)
    unsafe FcPatternAddBool(pattern, FC_COLOR, 0)
    unsafe FcPatternAddBool(pattern, FC_VARIABLE, 0)
    unsafe FcConfigSubstitute(nil, pattern, FcMatchPattern)
    unsafe FcDefaultSubstitute(pattern)
    var result = FcResultMatch
    guard let found = unsafe FcFontSort(nil, pattern, 1, nil, &result) else { return }
    unsafe sorted = found
    for place in 0..<Int(unsafe found.pointee.nfont) {
      guard let font = unsafe found.pointee.fonts[place],
        let path = unsafe Self.string(font, FC_FILE),
        unsafe !Self.flag(font, FC_COLOR), unsafe Self.flag(font, FC_OUTLINE)
      else { continue }
      var index: Int32 = 0
      unsafe _ = FcPatternGetInteger(font, FC_INDEX, 0, &index)
      // The upper half counts instances of a variable font.
      entries.append(Entry(path: path, index: Int(index) & 0xFFFF, place: place))
    }
  }

  deinit { if let set = unsafe sorted { unsafe FcFontSetDestroy(set) } }

  /// Whether a font has a letter.
  func has(_ scalar: UInt32, _ entry: Entry) -> Bool {
    guard let set = unsafe sorted, let font = unsafe set.pointee.fonts[entry.place] else {
      return false
    }
    var letters: OpaquePointer?
    guard unsafe FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) == FcResultMatch,
      let letters = unsafe letters
    else { return false }
    return unsafe FcCharSetHasChar(letters, scalar) != 0
  }

  private static func add(_ pattern: OpaquePointer, _ key: String, _ value: String) {
    var bytes = Array(value.utf8) + [0]
    unsafe _ = FcPatternAddString(pattern, key, &bytes)
  }

  private static func string(_ font: OpaquePointer, _ key: String) -> String? {
    var value: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(font, key, 0, &value) == FcResultMatch,
      let value = unsafe value
    else { return nil }
    return unsafe String(cString: value)
  }

  private static func flag(_ font: OpaquePointer, _ key: String) -> Bool {
    var value: FcBool = 0
    return unsafe FcPatternGetBool(font, key, 0, &value) == FcResultMatch && value != 0
  }
}
