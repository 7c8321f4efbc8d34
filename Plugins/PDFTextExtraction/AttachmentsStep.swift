internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// The step `pdf.attachments`: the files that are attached to a PDF become files.
enum AttachmentsStep {
  static let manifest = StepManifest(
    name: "pdf.attachments",
    about: "Gives the files that are attached to a PDF: of portfolios, e-invoices and annotations",
    accepts: ["application/pdf"],
    outputs: [
      OutputManifest(
        "attachment", mime: "application/octet-stream", fileExtension: "attachment", always: false)
    ],
    options: ObjectShape(
      "options of pdf.attachments",
      [Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn")]),
    facts: [
      FactManifest("attachments", "Files that are attached to the document"),
      FactManifest("attachmentNames", "Their names"),
    ])

  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    var limits = Limits.standard
    limits.decodedStream = max(limits.decodedStream, run.limits.output)
    let extractor = try PDFInput.open(
      PDFInput.bytes(of: run.source().path), passwords: run.options.lines("passwords"),
      mostPages: run.limits.pages, limits: limits)
    PDFInput.tell(extractor, host)
    let attached = extractor.attachedFiles
    guard !extractor.file.locksAttachedFiles || attached.files.isEmpty else {
      throw PDFInput.failure(.passwordNeeded)
    }
    var artifacts: [Artifact] = []
    var bytesLeft = run.limits.output
    var isPartial = extractor.file.diagnostics.isPartial
    if attached.isCut {
      isPartial = true
      host.note(
        "pdf.attached",
        "more than \(AttachedFiles.limit) files are attached; the first \(attached.files.count) were taken",
        page: nil)
    }
    for (index, file) in attached.files.enumerated() {
      let name = file.name.isEmpty ? "attachment-\(index + 1)" : file.name
      let decoded = file.stream.map { extractor.file.decode($0, limit: bytesLeft + 1) }
      let content = decoded?.bytes ?? []
      guard content.count <= bytesLeft else {
        throw PluginFailure(
          .input, "limit.output", "the attached files are larger than limits.output allows")
      }
      bytesLeft -= content.count
      if decoded.map({ $0.isBroken || !$0.isComplete || $0.pending != nil }) ?? true {
        isPartial = true
        host.note("pdf.lost", "the attached file \(name) is damaged or missing", page: nil)
        if content.isEmpty { continue }
      }
      var artifact = try run.write(
        role: "attachment", name: "attachment.\(index + 1)", mime: "application/octet-stream",
        bytes: content)
      if let mime = file.mime, isType(mime) { artifact.mime = mime }
      artifact.label = name
      artifacts.append(artifact)
      host.progress(index + 1, of: attached.files.count, unit: "file")
    }
    return StepOutput(
      artifacts: artifacts, facts: .object(attached.facts), partial: isPartial)
  }

  /// Whether a name is one of a media type, and nothing else.
  private static func isType(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        (1...60).contains(part.count)
          && part.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
              || "+-.".utf8.contains($0)
          }
      }
  }
}

extension AttachedFiles {
  /// Their number and names, for reports and rules.
  var facts: [JSON.Member] {
    guard !files.isEmpty else { return [JSON.Member("attachments", .integer(0))] }
    return [
      JSON.Member("attachments", .integer(files.count)),
      JSON.Member("attachmentNames", .array(files.map { .string($0.name) })),
    ]
  }
}
