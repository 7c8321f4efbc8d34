internal import Bytes
internal import Glibc
internal import PDFSyntax
internal import PDFText
public import PluginKit

/// Finds out what a file is, and answers questions about its text for the router.
public final class ProbePlugin: Plugin {
  private var magic: MediaTypeDatabase?

  /// A plugin without the database of media types, which ``warm(step:options:)`` loads.
  public init() {}

  private static let pdf = ["application/pdf"]
  private static let images = ["image/*"]

  /// Steps that procd runs itself: what a file is, its text, and what is found in it for names.
  public static let manifest = PluginManifest(
    name: "probe", version: "1.0.0", about: "Tells what a file is",
    steps: [
      StepManifest(
        name: "probe.identify",
        about: "Tells the media type, size in pages or pixels, and end mark",
        accepts: ["*/*"], outputs: [],
        options: ObjectShape(
          "options of probe.identify",
          [
            Field(
              "pagesWithoutText", .boolean, "Whether the pages without text are counted",
              byDefault: false),
            Field(
              "description", .boolean, "Whether libmagic is asked for its description too",
              byDefault: false),
          ]),
        facts: [
          FactManifest("mime", "The media type", .string),
          FactManifest("candidates", "Every type that some probe gave, the chosen one first"),
          FactManifest("description", "What libmagic calls the file, where somebody asks"),
          FactManifest("endMark", "Whether the mark stands that ends files of this type", .boolean),
          FactManifest("pages", "Pages of a PDF", .number, of: pdf),
          FactManifest(
            "pagesWithoutText", "Pages of a PDF that show no text, and all pictures of an image",
            .number, of: pdf + images),
          FactManifest(
            "attachments", "Files that a PDF lists as attached to it", .number, of: pdf),
          FactManifest("locked", "Whether a password is needed", .boolean, of: pdf),
          FactManifest(
            "width", "Pixels in a row of an image's first picture, as stored", .number, of: images),
          FactManifest(
            "height", "Rows of an image's first picture, as stored", .number, of: images),
          FactManifest("frames", "Pictures of an image", .number, of: images),
          FactManifest(
            "pixels", "Pixels of all pictures of an image together", .number, of: images),
          FactManifest("files", "Files of a folder that is taken as one document", .number),
        ], dataFolders: []),
      StepManifest(
        name: "probe.text", about: "Counts the lines that match an expression", accepts: ["*/*"],
        outputs: [],
        options: ObjectShape(
          "options of probe.text",
          [
            Field("pages", .text, "1, 1-3, 2-5,9 or all", byDefault: "1"),
            Field("regex", .regex, "The expression", required: true),
          ]),
        facts: [FactManifest("lines", "Lines that match")]),
      StepManifest(
        name: "probe.find", about: "Finds the texts that results are named by", accepts: ["*/*"],
        outputs: [],
        options: ObjectShape(
          "options of probe.find",
          [
            Field(
              "texts",
              .map(
                .object(
                  ObjectShape(
                    "text",
                    [
                      Field("pages", .text, "1, 1-3, 2-5,9 or all", byDefault: "1"),
                      Field("regex", .regex, "The expression"),
                      Field("date", .oneOf(["dmy", "mdy", "ymd"]), "It is a date"),
                      Field("names", .map(.regex), "It is the name whose expression matches first"),
                    ]))), "What is looked for, by name", required: true)
          ]), facts: [FactManifest("texts", "What was found, by name")]),
    ])

  /// Loads the database of media types, and identifies samples once, so that no run pays for it.
  public func warm(step: String, options: Options) throws(PluginFailure) {
    guard step == "probe.identify", self.magic == nil else { return }
    let magic = try MediaTypeDatabase()
    self.magic = magic
    // libmagic compiles its expressions when it first meets a text; what stands here, each child has.
    for sample in ["Some words of our own, in\ntwo lines.\n", "\u{1}\u{2}\u{3}\u{4}"] {
      _ = magic.mediaType(of: Array(sample.utf8).span)
    }
    if let sample = TextExtractor.rehearsal() {
      let bytes = sample.file.bytes
      _ = Identification.facts(of: bytes.span, magic: magic, describes: false)
      if options.flag("pagesWithoutText") { _ = sample.pagesWithoutText() }
    }
  }

  /// Answers by facts alone; there are no artifacts.
  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    let file: MappedFile
    do { file = try MappedFile(path: source.path) } catch {
      throw .unreadable("the file", "\(error)", error: error.number)
    }
    switch run.step {
    case "probe.identify":
      try warm(step: run.step, options: run.options)
      guard let magic else { return StepOutput() }
      return StepOutput(
        facts: Identification.facts(
          of: file, magic: magic, describes: run.options.flag("description"),
          countsText: run.options.flag("pagesWithoutText")))
    case "probe.find":
      let texts = NamedTexts(questions: run.options["texts"] ?? [:], limits: run.limits)
      return StepOutput(facts: ["texts": try texts.find(in: file)])
    default:
      let lines = TextLines(
        pages: try pageSelection(run.options.string("pages")),
        regex: try expression(run.options.string("regex") ?? ""), limits: run.limits)
      return StepOutput(facts: ["lines": .integer(lines.count(in: file))])
    }
  }
}
