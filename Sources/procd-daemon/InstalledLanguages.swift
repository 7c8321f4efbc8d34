import Conveyor
import Files
import Languages
import Pipelines
import PluginKit
import SystemPackage

/// Languages that Tesseract has data for on this machine.
enum InstalledLanguages {
  static var all: Set<String> {
    var names: Set<String> = []
    for place in [
      "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
      "/usr/share/tessdata", "/usr/local/share/tessdata",
    ] {
      guard let folder = try? Folder.open(FilePath(place)), let found = try? folder.names() else {
        continue
      }
      names.formUnion(data(found.map(\.string)))
      // Data by script lies one level deeper: script/Latin.
      for inner in found {
        let below = (try? folder.folder(inner).names()) ?? []
        names.formUnion(data(below.map { "\(inner.string)/\($0.string)" }))
      }
    }
    return names
  }

  private static func data(_ names: [String]) -> [String] {
    let suffix = ".traineddata"
    return names.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
  }

  /// What recognition lacks on this machine.
  struct Missing {
    var pipeline: String
    /// Nil where the language is to be found out and there is no data at all.
    var language: String?
    var message: String
  }

  /// Each language once that a step of the configuration wants and this machine lacks.
  static func missing(for active: ActiveConfiguration) -> [Missing] {
    let installed = all
    var missing: [Missing] = [], told: Set<String> = []
    for pipeline in active.configuration.pipelines {
      for step in pipeline.steps where step.use == "ocr.tesseract" {
        for language in step.options.strings("languages").flatMap({ $0.split(separator: "+") }) {
          let name = String(language), isAuto = name == "auto"
          let isThere =
            isAuto ? !installed.isSubset(of: ["osd", "equ"]) : installed.contains(name)
          guard !isThere, told.insert(name).inserted else { continue }
          let lack =
            isAuto
            ? "Tesseract has no language data"
            : "Tesseract has no data for \"\(name)\" (installed:"
              + " \(installed.sorted().joined(separator: ", ")))"
          let cure =
            isAuto
            ? "on Debian: apt install tesseract-ocr-eng"
            : TesseractLanguage.cure(name, isInstalled: installed.contains)
          missing.append(
            Missing(
              pipeline: pipeline.id, language: isAuto ? nil : name,
              message: "\(pipeline.id): \(lack); \(cure)"))
        }
      }
    }
    return missing
  }
}
