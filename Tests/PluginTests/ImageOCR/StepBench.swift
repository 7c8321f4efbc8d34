import Foundation
import PluginKit
import SystemPackage
import TestSupport

@testable import ImageOCR

/// Runs the step `ocr.tesseract` in this process.
struct StepBench {
  final class Host: StepHost {
    var notes: [String] = []
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) { notes.append(message) }
  }

  let folder: TemporaryFolder
  let output: StepOutput

  /// Runs the step on bytes.
  init(_ bytes: [UInt8], options: JSON = [:]) throws {
    folder = TemporaryFolder()
    let path = folder.path.string
    try FileManager.default.createDirectory(
      atPath: path + "/out", withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/source"))
    let input = StepInput(
      path: FilePath(path + "/source"), mime: "application/octet-stream", bytes: bytes.count)
    output = try ImageOCRPlugin().run(
      StepRun(
        id: "1", step: "ocr.tesseract", job: "1", attempt: 1, inputs: ["source": [input]],
        sourceName: "letter.png", options: Options(checked: options), workFolder: path),
      Host())
  }

  /// The artifact of a role as text; nil without one.
  func text(_ role: String) throws -> String? {
    guard let artifact = output.artifacts.first(where: { $0.role == role }) else { return nil }
    let path = folder.path.string + "/" + artifact.path
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// What the facts say of a page, from 0.
  func page(_ index: Int) -> JSON? { output.facts["perPage"]?.arrayValue?[index] }
}
