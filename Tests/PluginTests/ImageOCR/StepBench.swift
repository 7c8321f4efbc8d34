import Foundation
import PluginKit
import SystemPackage
import TestSupport

@testable import ImageOCR

/// Runs the step `ocr.tesseract` in this process.
struct StepBench {
  final class Host: StepHost {
    var notes: [String] = []
    var codes: [String] = []
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) {
      notes.append(message)
      codes.append(code)
    }
  }

  let folder: TemporaryFolder
  let output: StepOutput
  let notes: [String]
  /// Those of the notes.
  let codes: [String]

  /// Runs the step, or another of the plugin, on bytes.
  init(_ bytes: [UInt8], step: String = "ocr.tesseract", options: JSON = [:]) throws {
    folder = TemporaryFolder()
    let path = folder.path.string
    try FileManager.default.createDirectory(
      atPath: path + "/out", withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/source"))
    let input = StepInput(
      path: FilePath(path + "/source"), mime: "application/octet-stream", bytes: bytes.count)
    let host = Host()
    output = try ImageOCRPlugin().run(
      StepRun(
        id: "1", step: step, job: "1", attempt: 1, inputs: ["source": [input]],
        sourceName: "letter.png", options: Options(checked: options), workFolder: path),
      host)
    (notes, codes) = (host.notes, host.codes)
  }

  /// The bytes of the artifacts of a role.
  func files(_ role: String) throws -> [[UInt8]] {
    try output.artifacts.filter { $0.role == role }.map {
      Array(try Data(contentsOf: URL(fileURLWithPath: folder.path.string + "/" + $0.path)))
    }
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
