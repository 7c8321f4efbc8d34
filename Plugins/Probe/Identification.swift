internal import Bytes
internal import ImageHeaders
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// What a file is: libmagic's word and our own, because libmagic misses PDFs with something before
/// their header.
enum Identification {
  static func facts(
    of file: consuming MappedFile, magic: MediaTypeDatabase, describes: Bool, countsText: Bool
  ) -> JSON {
    let facts = facts(of: file.span, magic: magic, describes: describes)
    guard facts["mime"] == "application/pdf" else { return facts }
    return pages(of: file, countsText: countsText, facts)
  }

  static func facts(
    of bytes: Span<UInt8>, magic: MediaTypeDatabase, describes: Bool
  ) -> JSON {
    var candidates: [String] = []
    // Readers accept a header anywhere in the first KiB (PDF 32000, annex H, note 13).
    let isPDF = bytes.first(of: "%PDF-", in: 0..<1029) != nil
    if isPDF { candidates.append("application/pdf") }
    if let said = magic.mediaType(of: bytes), !candidates.contains(said) { candidates.append(said) }
    let mime = candidates.first ?? "application/octet-stream"
    // Formats that libmagic cannot tell from text are asked for only where it could.
    let image = mime.hasPrefix("image/") ? ImageHeader.read(bytes) : nil
    return [
      "mime": .string(mime), "candidates": .array(candidates.map { .string($0) }),
      "description": describes
        ? magic.description(of: bytes).map { .string(String($0.prefix(200))) } : nil,
      "endMark": endMark(of: bytes, mime: mime).map { .bool($0) },
      "width": image?.pages.first.map { .integer($0.width) },
      "height": image?.pages.first.map { .integer($0.height) },
      "frames": image.map { .integer($0.pages.count) },
      "pagesWithoutText": image.map { .integer($0.pages.count) },
      "pixels": image.map { .integer($0.pixels) },
    ]
  }

  /// Whether the mark stands that ends files of this type; nil for types without one.
  static func endMark(of bytes: Span<UInt8>, mime: String) -> Bool? {
    let count = bytes.count
    return switch mime {
    case "application/pdf": bytes.last(of: "%%EOF", in: max(0, count - 1024)..<count) != nil
    case "image/png": bytes.last(of: "IEND", in: max(0, count - 64)..<count) != nil
    case "image/jpeg": endsInJPEGMark(bytes)
    default: nil
    }
  }

  /// FF D9, with padding behind it as some cameras write.
  private static func endsInJPEGMark(_ bytes: Span<UInt8>) -> Bool {
    var offset = bytes.count - 2
    let first = max(0, bytes.count - 4096)
    while offset >= first {
      if bytes[offset] == 0xFF, bytes[offset + 1] == 0xD9 { return true }
      offset -= 1
    }
    return false
  }

  private static func pages(
    of file: consuming MappedFile, countsText: Bool, _ facts: JSON
  ) -> JSON {
    do throws(PDFError) {
      let extractor = try TextExtractor(PDFFile(FileBytes(file)))
      var facts = facts.setting("pages", .integer(extractor.pageCount))
        .setting("attachments", .integer(AttachedFiles(of: extractor.file).files.count))
      if countsText {
        facts = facts.setting(
          "pagesWithoutText", .integer(extractor.pagesWithoutText().count))
      }
      return facts
    } catch {
      return error == .passwordNeeded ? facts.setting("locked", true) : facts
    }
  }
}
