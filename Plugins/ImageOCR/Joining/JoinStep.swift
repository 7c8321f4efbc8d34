internal import Bytes
internal import PDFSyntax
internal import PluginKit

/// The step `pages.join`: the pages of several images and PDFs become one PDF.
enum JoinStep {
  static let manifest = StepManifest(
    name: "pages.join",
    about: "Makes one PDF of the pages of several images and PDFs, in the order of their names",
    accepts: ["inode/directory", "image/*", "application/pdf"],
    outputs: [OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf")],
    options: ObjectShape(
      "options of pages.join",
      [
        Field(
          "order", .oneOf(PageOrder.allCases.map(\.rawValue)),
          "files: file after file; odd-even: two files, of fronts, and of backs from the last to the"
            + " first", byDefault: .string(PageOrder.files.rawValue)),
        Field(
          "pages", .list(.text),
          "Which pages, in their order: FILE for all of a file, or FILE:PAGE, both from 1, with @90, @180 or @270 behind"
            + " it to turn it clockwise; all if left out"),
        Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn"),
      ]),
    facts: [
      FactManifest("files", "Files that were joined"),
      FactManifest("pages", "Pages of the result"),
    ],
    // What the files of a folder are is not known before they are read.
    threadedTypes: ["*/*"])

  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let inputs = run.inputs["source"] ?? []
    var files: [PageJoin.File] = []
    for input in inputs {
      files.append(
        PageJoin.File(
          name: input.name ?? "file \(files.count + 1)",
          bytes: FileBytes(try .mapped(input.path))))
    }
    guard !files.isEmpty else {
      throw PluginFailure(.input, "pages.none", "there is no file to take pages from")
    }
    let pdf = try ResultFile("\(run.workFolder)/out/document.pdf", name: "the result")
    let order = run.options.string("order").flatMap(PageOrder.init(rawValue:)) ?? .files
    let result = try PageJoin(limits: OCRLimits(run), passwords: run.options.lines("passwords"))
      .join(files, order: order, choosing: run.options.strings("pages")) {
        host.progress($0, of: $1, unit: "page")
      } output: { (piece) throws(PluginFailure) in
        try pdf.write(piece)
      }
    try pdf.close()
    for note in result.notes { host.note("pages.input", note, page: nil) }
    return StepOutput(
      artifacts: [Artifact(role: "pdf", path: "out/document.pdf", mime: "application/pdf")],
      facts: ["files": .integer(files.count), "pages": .integer(result.pages)],
      partial: result.isPartial)
  }
}
