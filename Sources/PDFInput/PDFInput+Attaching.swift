internal import Bytes
internal import PDFSyntax
public import PDFText
public import PDFWriter
public import PluginKit

extension PDFInput {
  /// Gives the PDF that a run reads with files attached; all that it was stays byte for byte.
  ///
  /// - Parameters:
  ///   - name: the file name inside `out/` of the work folder.
  ///   - others: bytes of the run's other results.
  /// - Returns: nil, with a note, where nothing can be attached to it.
  /// - Throws: `limit.output` where it is too large, and what writing throws.
  public static func attach(
    _ files: [EmbeddedFile], to extractor: TextExtractor, of run: StepRun, name: String,
    beside others: Int, _ host: any StepHost
  ) throws(PluginFailure) -> Artifact? {
    let update: AttachingUpdate
    do { update = try AttachingUpdate(attaching: files, to: extractor.file) } catch {
      host.note("attach.none", error.sentence, page: nil)
      return nil
    }
    let original = extractor.file.bytes
    guard original.count + update.bytes.count <= run.limits.output - others else {
      throw PluginFailure(
        .input, "limit.output", "the PDF with its rows is larger than limits.output allows")
    }
    let file = try ResultFile("\(run.workFolder)/out/\(name)")
    try file.write(original.span)
    try file.write(update.bytes)
    try file.close()
    if let remark = update.remarkOnSignature { host.note("attach.signed", remark, page: nil) }
    if let remark = update.remarkOnArchive { host.note("attach.archive", remark, page: nil) }
    return Artifact(role: "pdf", path: "out/\(name)", mime: "application/pdf")
  }
}
