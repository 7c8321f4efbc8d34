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
    guard missing.isEmpty, let first = files.first else {
      if missing.isEmpty { Console.complain("procd: there are no files to join") }
      throw Status.inputQuarantined
    }
    let scratch = target == "-" ? try ScratchFolder(for: "convert") : nil
    defer { scratch?.remove() }
    let (folder, base) = scratch.map { ($0.path, "result") } ?? place(of: first)
    if namesDocument { try refuseToReplace(absolutePath(target)) }
    let bench = try bench(active, in: folder)
    let isWell = try await Self.untilInterrupted(bench) {
      await ConvertRun(
        bench: bench, role: role, output: folder, update: false,
        json: json
      ).join(files, base: base, isWhole: scratch != nil)
    }
    guard isWell else { throw Status.inputQuarantined }
    if let scratch { try Console.give(scratch.result()) }
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
