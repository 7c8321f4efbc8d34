import Bytes
import PDFSyntax
import PDFText
import PluginKit
import TestSupport
import Testing

@testable import Notes

/// Documents with annotations, and what is read of them.
enum NotesPage {
  /// A document of one page.
  ///
  /// - Parameters:
  ///   - annotations: dictionaries of annotations; `$1` stands for the object number of the first of
  ///     them, `$page` for that of the page.
  ///   - isIndirect: whether each is an object of its own.
  static func file(
    _ content: String = "", annotations: [String] = [], page: String = "", catalog: String = "",
    trailer: String = "", isIndirect: Bool = true
  ) -> [UInt8] {
    var builder = PDFBuilder()
    let root = builder.add(""), tree = builder.add(""), own = builder.add("")
    let font = builder.add(
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    let stream = builder.addStream(Array(content.utf8))
    let first = stream + 1
    func filled(_ text: String) -> String {
      text.replacing("$page", with: "\(own)").replacing("$tree", with: "\(tree)")
        .replacing(#/\$(\d+)/#) { "\(first + (Int($0.output.1) ?? 1) - 1)" }
    }
    var entries = ""
    for annotation in annotations {
      let text = "<</Type/Annot" + filled(annotation) + ">>"
      if isIndirect {
        entries += "\(builder.add(text)) 0 R "
      } else {
        entries += text
      }
    }
    builder.replace(root, "<</Type/Catalog/Pages \(tree) 0 R\(filled(catalog))>>")
    builder.replace(tree, "<</Type/Pages/Kids[\(own) 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    let list = annotations.isEmpty ? "" : "/Annots[\(entries)]"
    builder.replace(
      own,
      "<</Type/Page/Parent \(tree) 0 R/Contents \(stream) 0 R"
        + "/Resources<</Font<</F1 \(font) 0 R>>>>\(list)\(filled(page))>>")
    return builder.file(root: root, trailer: filled(trailer))
  }

  static func read(_ bytes: [UInt8], passwords: [String] = []) throws -> NotesDocument {
    var document = try NotesDocument(FileBytes(bytes), passwords: passwords)
    document.readPages()
    return document
  }

  static func notes(_ annotations: [String], content: String = "", page: String = "") throws
    -> [Note]
  {
    try read(file(content, annotations: annotations, page: page)).notes
  }

  /// What is left of a document after changes as JSON or XFDF ask for them.
  static func write(
    _ changes: String, into bytes: [UInt8], now: NoteDate? = nil, passwords: [String] = []
  ) throws -> (bytes: [UInt8], outcome: NotesEditor.Outcome) {
    let document = try NotesDocument(FileBytes(bytes), passwords: passwords)
    var editor = NotesEditor(document, now: now)
    try editor.apply(ChangeReader.read(Array(changes.utf8), name: "test"))
    return try NotesResult.checked(editor, document)
  }

  static func delete(_ ids: [String], from bytes: [UInt8]) throws -> [UInt8] {
    let document = try NotesDocument(FileBytes(bytes))
    var editor = NotesEditor(document, now: nil)
    try editor.delete(ids)
    return try NotesResult.checked(editor, document).bytes
  }

  /// The dictionary of a note as the file has it.
  static func dictionary(_ id: String, in document: NotesDocument) throws -> PDFDictionary {
    let note = try #require(document.notes.first { $0.id == id })
    let reference = try #require(note.place.reference)
    return try #require(document.file.resolve(.reference(reference)).dictionary)
  }

  /// The code with which something fails.
  static func failure(_ body: () throws -> Void) -> PluginFailure? {
    do { try body() } catch { return error as? PluginFailure }
    return nil
  }

  static func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let failure as PluginFailure {
      return failure.code
    } catch {
      return "\(error)"
    }
  }
}
