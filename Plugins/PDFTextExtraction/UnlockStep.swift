internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PluginKit

/// The step `pdf.unlock`: a locked PDF becomes one that opens without a password.
enum UnlockStep {
  static let manifest = StepManifest(
    name: "pdf.unlock",
    about: "Gives a copy of a locked PDF that opens without a password and has no restrictions",
    accepts: ["application/pdf"],
    outputs: [OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf")],
    options: ObjectShape(
      "options of pdf.unlock",
      [Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn")]),
    facts: [
      FactManifest("unlocked", "Whether the document was encrypted"),
      FactManifest("pages", "Pages of the document"),
      FactManifest("pagesWithoutText", "Pages that show no text"),
    ])

  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let extractor = try PDFInput.open(run)
    let file = extractor.file
    let lacksContent = PDFInput.tell(extractor, host)
    guard !file.locksAttachedFiles else { throw PDFInput.failure(.passwordNeeded) }
    let original = file.bytes
    let bytes =
      file.isEncrypted
      ? IncrementalUpdate.decrypted(file) : original.span.array(0..<original.count)
    guard bytes.count <= run.limits.output else {
      throw PluginFailure(
        .input, "limit.output", "the unlocked document is larger than limits.output allows")
    }
    if file.isEncrypted, Signature.isPresent(in: file) {
      host.note(
        "unlock.signed",
        "The document is signed; the unlocked copy is not, and the original keeps its signature.",
        page: nil)
    }
    let copy = try run.write(
      role: "pdf", name: "unlocked.pdf", mime: "application/pdf", bytes: bytes)
    return StepOutput(
      artifacts: [copy],
      facts: [
        "unlocked": .bool(file.isEncrypted), "pages": .integer(extractor.pageCount),
        "pagesWithoutText": .integer(extractor.pagesWithoutText().count),
      ], partial: lacksContent)
  }
}
