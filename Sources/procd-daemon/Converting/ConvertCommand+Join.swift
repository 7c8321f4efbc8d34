import ArgumentParser
import Conveyor
import Files
import Intake
import Pipelines
import PlainText
import PluginKit
import SystemPackage

extension ConvertCommand {
  /// Makes one document of the inputs, in the order in which they were named.
  func convertJoined(_ active: ActiveConfiguration, _ role: String?) async throws {
    var files: [FilePath] = [], missing: [String] = []
    for input in sources.map(absolutePath) {
      let list = ConvertInputs([input], recursive: recursive, only: only, skip: skip)
      files += list.walk.map(\.path).sorted { NaturalOrder.precedes($0.bytes, $1.bytes) }
      missing += list.missing
    }
    for missing in missing { Console.complain("\(missing): no such file or folder") }
    guard missing.isEmpty, let first = files.first else { throw Status.inputQuarantined }
    let (folder, base) = place(of: first)
    if namesDocument { try refuseToReplace(absolutePath(target)) }
    let bench = try bench(active, in: folder)
    let isWell = try await Self.untilInterrupted(bench) {
      await ConvertRun(
        bench: bench, role: role, output: folder, update: false,
        json: json
      ).join(files, base: base)
    }
    guard isWell else { throw Status.inputQuarantined }
  }

  /// A name that ends with .pdf is that of the document itself.
  var namesDocument: Bool {
    Self.namesFile(target) && target.lowercased().hasSuffix(".pdf")
  }

  /// The folder of the results, and their name without extension.
  private func place(of first: FilePath) -> (folder: FilePath, base: FilePath) {
    let output = absolutePath(target)
    guard namesDocument, let stem = output.stem else {
      return (output, FilePath(first.stem ?? "document"))
    }
    return (output.removingLastComponent(), FilePath(stem))
  }
}
