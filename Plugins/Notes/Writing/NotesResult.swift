internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// Takes the result of an editor, and makes sure that it can be read.
enum NotesResult {
  /// - Returns: the document as it was where nothing was to be done.
  static func checked(
    _ editor: NotesEditor, _ document: NotesDocument
  ) throws(PluginFailure) -> (bytes: [UInt8], outcome: NotesEditor.Outcome) {
    let before = editor.outcome
    guard let (bytes, outcome) = editor.finish() else {
      let original = document.file.bytes
      return (original.span.array(0..<original.count), before)
    }
    // An encrypted file was opened with a password that is not at hand here.
    guard !document.file.isEncrypted else { return (bytes, outcome) }
    let again = try NotesDocument(FileBytes(bytes))
    let ids = Set(again.notes.map(\.id))
    let isSound =
      !again.file.wasRebuilt && again.pageCount == document.pageCount
      && outcome.added.allSatisfy(ids.contains) && !outcome.deleted.contains(where: ids.contains)
    guard isSound else {
      throw PluginFailure(
        .input, "notes.lost",
        "the document is built so oddly that the notes did not come to be"
          + " in it", hint: "have it written anew, for example with qpdf, and try again")
    }
    return (bytes, outcome)
  }
}
