import Bytes
import PDFSyntax
import PDFWriter

// The PDF with its rows attached as what a command gives of each file.

extension ReadingRun {
  /// Has it give a copy of each file, with names that end so.
  mutating func givesCopies(_ ending: String) {
    (fileExtension, header) = (ending, [])
    (document, isBinary) = ("a PDF", true)
  }
}

extension OutputFile {
  /// Writes a document with files attached: all bytes that it has, and what is appended to them.
  ///
  /// - Throws: why nothing can be attached to it; nothing is written then.
  mutating func write(
    _ file: PDFFile, of source: Source, attaching files: [EmbeddedFile]
  ) throws(ReadFailure) {
    let update: AttachingUpdate
    do { update = try AttachingUpdate(attaching: files, to: file) } catch {
      throw ReadFailure(reason: error.sentence)
    }
    let original = file.bytes
    for start in stride(from: 0, to: original.count, by: 1 << 17) {
      write(original.span.array(start..<start + 1 << 17))
    }
    write(update.bytes)
    for remark in [update.remarkOnSignature, update.remarkOnArchive].compactMap(\.self) {
      Console.complain("\(source.name): \(remark).")
    }
  }
}
