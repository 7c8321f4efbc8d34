internal import PDFSyntax
internal import PDFText

/// Reads file specifications (PDF 32000-1, 7.11).
enum AttachmentReader {
  /// The file that a FileAttachment carries (12.5.6.15).
  static func read(_ dictionary: PDFDictionary, _ file: PDFFile) -> Note.Attachment? {
    guard let name = name(dictionary["FS"], file) else { return nil }
    var attachment = Note.Attachment(name: name)
    guard let specification = file.dictionary(dictionary, "FS"),
      let embedded = file.dictionary(specification, "EF"),
      let stream = file.resolve(embedded["UF"] ?? embedded["F"]).stream
    else { return attachment }
    attachment.stream = stream
    attachment.mime = file.name(stream.dictionary, "Subtype").map { NoteText.line($0.display) }
    let stated = file.dictionary(stream.dictionary, "Params").flatMap { file.integer($0, "Size") }
    if let stated, stated >= 0 {
      attachment.bytes = stated
    } else {
      attachment.bytes = file.decode(stream, limit: NotesLimits.attachments).bytes.count
    }
    return attachment
  }

  /// The name of a file specification, which may be a string.
  static func name(_ object: PDFObject?, _ file: PDFFile) -> String? {
    let specification = file.resolve(object)
    var bytes = specification.string
    if let dictionary = specification.dictionary {
      bytes = file.string(dictionary, "UF") ?? file.string(dictionary, "F")
    }
    guard let bytes, !bytes.isEmpty else { return nil }
    return NoteText.line(TextString.text(Array(bytes.prefix(4096))))
  }
}
