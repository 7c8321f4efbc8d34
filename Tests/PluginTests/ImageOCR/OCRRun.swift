import Foundation
import PluginKit
import SystemPackage

@testable import ImageOCR

/// The step run on bytes in a folder of its own.
struct OCRRun {
  var output: StepOutput
  var pdf: [UInt8]
  var text: String?
  var beside: String?
  var notes: [String]

  private final class Host: StepHost {
    var notes: [String] = []
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) { notes.append(message) }
  }

  /// Whether the recognizer's English data is installed.
  static var isPossible: Bool {
    LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false
  }

  init(_ bytes: [UInt8], options: JSON = [:]) throws {
    let folder = NSTemporaryDirectory() + "procd-ocr-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/out", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/source"))
    let input = StepInput(
      path: FilePath(folder + "/source"), mime: "application/octet-stream", bytes: bytes.count)
    let host = Host()
    output = try ImageOCRPlugin().run(
      StepRun(
        id: "1", step: "ocr.tesseract", job: "1", attempt: 1, inputs: ["source": [input]],
        sourceName: "letter.pdf", options: Options(checked: options), workFolder: folder), host)
    pdf = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/out/document.pdf")))
    text = try? String(contentsOfFile: folder + "/out/document.txt", encoding: .utf8)
    beside = try? String(contentsOfFile: folder + "/out/beside.txt", encoding: .utf8)
    notes = host.notes
  }

  static func words(_ text: String?) -> [String] {
    (text ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
