internal import Bytes
package import PDFSyntax
package import PDFText
package import PluginKit

/// Opens the PDF that a step reads, the same way for all steps that read PDFs.
package enum PDFInput {
  package static func open(_ run: StepRun) throws(PluginFailure) -> TextExtractor {
    let source = try run.source()
    let file: MappedFile
    do { file = try MappedFile(path: source.path) } catch {
      throw PluginFailure(.internal, "step.read", "the file could not be read (\(error))")
    }
    let extractor: TextExtractor
    do throws(PDFError) {
      extractor = try TextExtractor(
        PDFFile(FileBytes(file), passwords: run.options.lines("passwords")))
    } catch {
      throw failure(error)
    }
    guard extractor.pageCount <= run.limits.pages else {
      throw PluginFailure(
        .input, "limit.pages",
        "the document has \(extractor.pageCount) pages, \(run.limits.pages) are allowed",
        hint: "raise \"pages\" in defaults.limits if such files are wanted")
    }
    return extractor
  }

  package static func failure(_ error: PDFError) -> PluginFailure {
    switch error {
    case .empty: PluginFailure(.input, "file.empty", error.description, hint: "send it again")
    case .notPDF, .noPages:
      PluginFailure(
        .input, "pdf.broken", error.description,
        hint: "open it in a viewer; if it is broken there too, ask for a new copy")
    case .passwordNeeded:
      PluginFailure(
        .input, "pdf.password", error.description,
        hint:
          "put the password into a file that the step's option \"passwords\" names, or remove it,"
          + " for example with qpdf --decrypt, and send the file again")
    case .unsupportedEncryption:
      PluginFailure(
        .input, "pdf.encryption", error.description, hint: "ask for a copy that is not encrypted")
    }
  }

  /// Tells the host what was odd about the file.
  package static func tell(_ extractor: TextExtractor, _ host: any StepHost) {
    for diagnostic in extractor.file.diagnostics.list.prefix(20) {
      host.note(
        diagnostic.severity == .lost ? "pdf.lost" : "pdf.repaired", diagnostic.message, page: nil)
    }
  }
}
