internal import Bytes
internal import Glibc
public import PDFSyntax
public import PDFText
public import PluginKit
public import SystemPackage

/// Opens the PDF that a step reads, the same way for all steps that read PDFs, with failures that people
/// can read.
public enum PDFInput {
  /// The source of a run, with the passwords of its option `passwords` and within its limit of pages.
  public static func open(_ run: StepRun) throws(PluginFailure) -> TextExtractor {
    try open(
      bytes(of: run.source().path), passwords: run.options.lines("passwords"),
      mostPages: run.limits.pages)
  }

  /// The bytes of a file that a step or command reads.
  public static func bytes(of path: FilePath) throws(PluginFailure) -> FileBytes {
    do { return FileBytes(try MappedFile(path: path)) } catch {
      throw .unreadable("the file", "\(error)", error: error.number)
    }
  }

  /// - Parameters:
  ///   - passwords: tried in turn.
  ///   - mostPages: a document with more is refused.
  public static func open(
    _ bytes: FileBytes, passwords: [String], mostPages: Int, limits: Limits = .standard
  ) throws(PluginFailure) -> TextExtractor {
    let extractor: TextExtractor
    do throws(PDFError) {
      extractor = try TextExtractor(PDFFile(bytes, passwords: passwords, limits: limits))
    } catch {
      throw failure(error, afterTrying: passwords.count)
    }
    guard extractor.pageCount <= mostPages else {
      throw PluginFailure(
        .input, "limit.pages",
        "the document has \(extractor.pageCount) pages, \(mostPages) are allowed",
        hint: "raise \"pages\" in defaults.limits if such files are wanted")
    }
    return extractor
  }

  /// The passwords of a file, one a line, none where no file is named: for commands, which have no options of steps.
  public static func passwords(inFile path: String?) throws(PluginFailure) -> [String] {
    guard let path else { return [] }
    let file: MappedFile
    do { file = try MappedFile(path: FilePath(path), limit: 1 << 20) } catch {
      throw PluginFailure(.input, "step.read", "the passwords could not be read (\(error))")
    }
    return Options.text(of: file.span.array(0..<file.count))
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Why a PDF cannot be read, and what can be done.
  ///
  /// - Parameter passwords: how many were tried.
  public static func failure(_ error: PDFError, afterTrying passwords: Int = 0) -> PluginFailure {
    switch error {
    case .passwordNeeded where passwords > 0:
      PluginFailure(
        .input, "pdf.password",
        passwords == 1
          ? "the password that was given does not open this file"
          : "none of the \(passwords) passwords that were given opens this file",
        hint: "give its own; capitals and blanks count")
    case .empty: PluginFailure(.input, "file.empty", error.description, hint: "send it again")
    case .notPDF, .noPages:
      PluginFailure(
        .input, "pdf.broken", error.description,
        hint: "open it in a viewer; if it is broken there too, ask for a new copy")
    case .passwordNeeded:
      PluginFailure(
        .input, "pdf.password", error.description,
        hint:
          "give it with --password to procd convert, or on the page in the browser; for all files, a file of passwords in"
          + " the step's option \"passwords\"")
    case .unsupportedEncryption:
      PluginFailure(
        .input, "pdf.encryption", error.description, hint: "ask for a copy that is not encrypted")
    }
  }

  /// Tells the host of pages that are pictures or drawings with hardly any text, where recognition has not looked at them.
  ///
  /// - Returns: whether there are any.
  @discardableResult
  public static func tellUnread(
    _ extractor: TextExtractor, among sparse: [Int], of run: StepRun, _ host: any StepHost
  ) throws(PluginFailure) -> Bool {
    guard try run.source().madeBy != "ocr.tesseract",
      let sentence = extractor.sentenceOfUnreadPages(among: sparse)
    else { return false }
    host.note(
      "text.unread",
      "\(sentence); ocr.tesseract recognizes scans, and with \"mode\": \"force\" also pages that have some text",
      page: nil)
    return true
  }

  /// Tells the host what was odd about the file.
  ///
  /// - Returns: whether content of the document is missing from its pages: it is damaged, or a form beside them.
  @discardableResult
  public static func tell(_ extractor: TextExtractor, _ host: any StepHost) -> Bool {
    for diagnostic in extractor.file.diagnostics.list.prefix(20) {
      host.note(
        diagnostic.severity == .lost ? "pdf.lost" : "pdf.repaired", diagnostic.message, page: nil)
    }
    let isFormBesidePages = extractor.isFormBesidePages
    if isFormBesidePages {
      host.note("pdf.xfa", TextExtractor.formBesidePagesSentence, page: nil)
    }
    return extractor.file.diagnostics.isPartial || isFormBesidePages
  }

  /// Tells the host that files are attached to a document.
  public static func tell(_ attached: AttachedFiles, _ host: any StepHost) {
    guard let sentence = attached.sentence else { return }
    host.note("pdf.attached", "\(sentence); pdf.attachments gives them", page: nil)
  }
}
