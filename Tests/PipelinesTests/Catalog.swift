import Pipelines
import PluginKit
import SystemPackage
import TestSupport

/// Steps as the shipped plugins offer them, as far as configurations need them.
enum Steps {
  static var catalog: PluginCatalog {
    var catalog = PluginCatalog()
    let steps = [
      StepManifest(
        name: "ocr.tesseract", about: "", accepts: ["image/*", "application/pdf"],
        outputs: [
          OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf"),
          OutputManifest(
            "beside", mime: "text/plain", fileExtension: "recognized.txt", always: false),
        ],
        options: ObjectShape(
          "options",
          [
            Field("languages", .oneOrMany(.text), "Languages", byDefault: ["eng"]),
            Field("straighten", .oneOf(["no", "turn"]), "Whether pages are turned"),
          ]), facts: [FactManifest("confidence", "How sure")]),
      StepManifest(
        name: "pdf.text", about: "", accepts: ["application/pdf"],
        outputs: [
          OutputManifest("text", mime: "text/plain", fileExtension: "txt"),
          OutputManifest("layout", mime: "text/plain", fileExtension: "txt", always: false),
        ],
        options: ObjectShape(
          "options", [Field("layout", .boolean, "Whether layout is given", byDefault: false)]),
        facts: [FactManifest("pages", "Pages")]),
      StepManifest(
        name: "pdf.unlock", about: "", accepts: ["application/pdf"],
        outputs: [OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf")]),
      StepManifest(
        name: "status.rows", about: "", accepts: ["application/pdf"],
        outputs: [
          OutputManifest("csv", mime: "text/csv", fileExtension: "csv"),
          OutputManifest("json", mime: "application/jsonl", fileExtension: "jsonl"),
        ], facts: [FactManifest("rows", "Rows")]),
      StepManifest(
        name: "probe.identify", about: "", accepts: ["*/*"], outputs: [],
        facts: [
          FactManifest("mime", "The media type", .string),
          FactManifest("endMark", "Whether its end is there", .boolean),
          FactManifest("locked", "Whether a password is needed", .boolean),
          FactManifest("pages", "Pages", .number),
          FactManifest("pagesWithoutText", "Pages that show no text", .number),
          FactManifest("width", "Pixels of a row", .number, of: ["image/*"]),
        ]),
    ]
    catalog.add(
      PluginManifest(name: "shipped", version: "1", about: "", steps: steps),
      run: .worker("procd-worker"))
    return catalog
  }

  /// A configuration read with these steps.
  static func read(_ text: String) -> ConfigurationFile {
    ConfigurationFile(name: "test.json", text: Array(text.utf8), catalog: catalog)
  }

  /// The one pipeline with this `match`.
  static func matching(_ match: String) throws -> Router {
    let file = read(
      """
      {"version": 1, "pipelines": [{"id": "it", "match": \(match), "emit": ["source"]}]}
      """)
    guard let configuration = file.configuration else { throw Wrong(text: file.rendered()) }
    return Router(configuration.pipelines)
  }

  struct Wrong: Error { var text: String }

  static let fixtures = Programs.repository.appending("Tests/Fixtures/configurations")
}
