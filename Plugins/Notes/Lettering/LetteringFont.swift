internal import CHarfBuzz

/// A font that text is set in, with the glyphs that were used.
@safe final class LetteringFont {
  /// One glyph of shaped text; lengths are shares of the em.
  struct Glyph {
    var id: UInt32
    /// The place of its first letter in the paragraph.
    var cluster: Int
    var advance: Double
    var x: Double
    var y: Double
  }

  let entry: FontSource.Entry
  /// As PDF names fonts.
  let name: String
  let unitsPerEm: Double
  /// Above and below the baseline, shares of the em; the second is negative.
  let ascent: Double
  let descent: Double
  let capHeight: Double
  /// Whether its outlines are those of the Compact Font Format.
  let isCompact: Bool
  /// The text of each glyph that was used.
  private(set) var used: [UInt32: String] = [:]

  private let face: OpaquePointer
  private let font: OpaquePointer

  /// - Returns: nil where the file cannot be read, or forbids that its font is embedded.
  init?(_ entry: FontSource.Entry) {
    self.entry = entry
    guard let blob = unsafe hb_blob_create_from_file_or_fail(entry.path) else { return nil }
    defer { unsafe hb_blob_destroy(blob) }
    guard let face = unsafe hb_face_create(blob, UInt32(entry.index)),
      let font = unsafe hb_font_create(face)
    else { return nil }
    unsafe self.face = face
    unsafe self.font = font
    let units = unsafe Int32(hb_face_get_upem(face))
    unitsPerEm = Double(max(1, units))
    unsafe hb_font_set_scale(font, units, units)
    let compact = unsafe !Self.table(face, "CFF ").isEmpty
    isCompact = compact
    func metric(_ tag: hb_ot_metrics_tag_t, _ otherwise: Double) -> Double {
      var value: hb_position_t = 0
      guard unsafe hb_ot_metrics_get_position(font, tag, &value) != 0 else { return otherwise }
      return Double(value) / Double(max(1, units))
    }
    ascent = metric(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER, 0.9)
    descent = metric(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER, -0.25)
    capHeight = metric(HB_OT_METRICS_TAG_CAP_HEIGHT, 0.7)
    name = unsafe Self.name(face)
    let system = unsafe Self.table(face, "OS/2")
    // OS/2 fsType: a licence that forbids embedding.
    let isForbidden = system.count > 9 && system[9] & 0x0F == 0x02
    let hasOutlines = unsafe compact || !Self.table(face, "glyf").isEmpty
    guard !isForbidden, hasOutlines, units > 0 else { return nil }
  }

  deinit {
    unsafe hb_font_destroy(font)
    unsafe hb_face_destroy(face)
  }

  // MARK: Shaping

  /// Shapes a part of a paragraph that is written in one direction and script, in the order from left to
  /// right.
  func shape(
    _ text: [UInt32], _ part: Range<Int>, isRightToLeft: Bool, script: UInt32
  ) -> [Glyph] {
    guard let buffer = unsafe hb_buffer_create() else { return [] }
    defer { unsafe hb_buffer_destroy(buffer) }
    unsafe text.withUnsafeBufferPointer { letters in
      unsafe hb_buffer_add_utf32(
        buffer, letters.baseAddress, Int32(letters.count), UInt32(part.lowerBound),
        Int32(part.count))
    }
    unsafe hb_buffer_set_direction(buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, hb_script_t(rawValue: script))
    unsafe hb_buffer_set_language(buffer, hb_language_from_string("und", -1))
    unsafe hb_shape(font, buffer, nil, 0)
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let places = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    else { return [] }
    return (0..<Int(count)).map { index in
      let info = unsafe infos[index], place = unsafe places[index]
      return Glyph(
        id: info.codepoint, cluster: Int(info.cluster),
        advance: Double(place.x_advance) / unitsPerEm, x: Double(place.x_offset) / unitsPerEm,
        y: Double(place.y_offset) / unitsPerEm)
    }
  }

  /// Notes that a glyph is drawn, and which text it stands for.
  ///
  /// - Returns: whether it stood for the same text before, or was not used.
  func use(_ glyph: UInt32, for text: String) -> Bool {
    if let before = used[glyph] { return before == text }
    used[glyph] = text
    return true
  }

  /// The width of a glyph by itself, as a share of the em.
  func advance(_ glyph: UInt32) -> Double {
    Double(unsafe hb_font_get_glyph_h_advance(font, glyph)) / unitsPerEm
  }

  // MARK: The file

  /// The font with the outlines of the used glyphs only, which keep their numbers.
  func subset() -> [UInt8]? {
    guard let input = unsafe hb_subset_input_create_or_fail() else { return nil }
    defer { unsafe hb_subset_input_destroy(input) }
    let glyphs = unsafe hb_subset_input_glyph_set(input)
    unsafe hb_set_add(glyphs, 0)
    for glyph in used.keys.sorted() { unsafe hb_set_add(glyphs, glyph) }
    // What no font has shows as the empty box of glyph 0.
    unsafe hb_subset_input_set_flags(
      input, HB_SUBSET_FLAGS_RETAIN_GIDS.rawValue | HB_SUBSET_FLAGS_NOTDEF_OUTLINE.rawValue)
    // What shapes text is not needed for what is shaped.
    let dropped = unsafe hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG)
    for tag in [
      "GSUB", "GPOS", "GDEF", "BASE", "JSTF", "MATH", "kern", "morx", "kerx", "feat", "trak",
      "fvar", "gvar", "avar", "cvar", "HVAR", "VVAR", "MVAR", "STAT", "DSIG", "name", "COLR",
      "CPAL", "SVG ", "CBDT", "CBLC", "sbix", "EBDT", "EBLC", "LTSH", "VDMX", "hdmx", "gasp",
    ] {
      unsafe hb_set_add(dropped, Self.tag(tag))
    }
    guard let subset = unsafe hb_subset_or_fail(face, input) else { return nil }
    defer { unsafe hb_face_destroy(subset) }
    if isCompact { return unsafe Self.table(subset, "CFF ") }
    guard let blob = unsafe hb_face_reference_blob(subset) else { return nil }
    return unsafe Self.bytes(blob)
  }

  private static func tag(_ name: String) -> UInt32 {
    name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func table(_ face: OpaquePointer, _ name: String) -> [UInt8] {
    guard let blob = unsafe hb_face_reference_table(face, tag(name)) else { return [] }
    return unsafe bytes(blob)
  }

  /// The bytes of a blob, which is let go.
  private static func bytes(_ blob: OpaquePointer) -> [UInt8] {
    defer { unsafe hb_blob_destroy(blob) }
    var count: UInt32 = 0
    guard let data = unsafe hb_blob_get_data(blob, &count), count > 0 else { return [] }
    return unsafe data.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { start in
      unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
  }

  private static func name(_ face: OpaquePointer) -> String {
    // HB_OT_NAME_ID_POSTSCRIPT_NAME, whose type differs from version to version of HarfBuzz.
    let postScriptName: hb_ot_name_id_t = 6
    var letters = [CChar](repeating: 0, count: 64)
    var size = UInt32(letters.count)
    unsafe _ = hb_ot_name_get_utf8(face, postScriptName, nil, &size, &letters)
    let name = letters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.filter {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == 0x2D
    }
    return name.isEmpty ? "Font" : String(decoding: name, as: UTF8.self)
  }

  static let commonScript = HB_SCRIPT_COMMON.rawValue

  /// The script of a letter, and whether it has none of its own.
  static func script(_ scalar: UInt32) -> (tag: UInt32, isShared: Bool) {
    let script = unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar)
    let isShared =
      script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN
    return (script.rawValue, isShared)
  }
}
