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
    var files: [FilePath] = [], missing: [String] = [], inFolders: Set<FilePath> = []
    for input in sources.map(absolutePath) {
      let list = ConvertInputs([input], recursive: recursive, only: only, skip: skip)
      let found = list.walk.sorted { NaturalOrder.precedes($0.bytes, $1.bytes) }
      if list.hasFolders { inFolders.formUnion(found) }
      files += found
      missing += list.missing
    }
    for missing in missing { Console.complain("procd: \(missing): no such file or folder") }
    guard missing.isEmpty, !files.isEmpty else {
      if missing.isEmpty { Console.complain("procd: there are no files to join") }
      throw Status.inputQuarantined
    }
    let scratch = target == "-" ? try ScratchFolder(for: "convert") : nil
    defer { scratch?.remove() }
    if namesDocument { try refuseToReplace(absolutePath(target)) }
    let output = absolutePath(target)
    let folder = scratch?.path ?? (namesDocument ? output.removingLastComponent() : output)
    let bench = try bench(active, in: folder)
    let wanted = files, json = json, overwrite = overwrite
    let ended = try await Self.untilInterrupted(bench) { () -> ExitCode? in
      // What lies in folders with others is not meant one by one.
      let taken = Set(await bench.joinable(wanted.filter(inFolders.contains)))
      let passedOver = inFolders.subtracting(taken)
      Self.tell(passedOver: wanted.filter(passedOver.contains), json: json)
      let joined = wanted.filter { !passedOver.contains($0) }
      guard let first = joined.first else {
        if !bench.isStopping { Console.complain("procd: there are no files to join") }
        return Status.inputQuarantined
      }
      let base = scratch == nil ? base(first) : "result"
      return await ConvertRun(
        bench: bench, role: role, output: folder, update: false, replaces: overwrite ? .all : .none,
        json: json
      )
      .join(joined, base: base, isWhole: scratch != nil)
    }
    if let ended { throw ended }
    if let scratch { try Console.give(scratch.result()) }
  }

  private static func tell(passedOver files: [FilePath], json: Bool) {
    if json {
      for file in files {
        Console.print(line: ["file": .string(file.printable), "outcome": "passedOver"])
      }
    } else {
      var passed = PassedFiles()
      for file in files {
        passed.add(file.lastComponent.map { FilePath(name: $0).printable } ?? "")
      }
      if let sentence = passed.sentence() { Console.complain("procd: \(sentence)") }
    }
  }

  /// A name that ends with .pdf is that of the document itself.
  var namesDocument: Bool {
    Self.namesFile(target) && target.lowercased().hasSuffix(".pdf")
  }

  /// The name of the results without extension.
  private func base(_ first: FilePath) -> FilePath {
    FilePath((namesDocument ? absolutePath(target).stem : first.stem) ?? "document")
  }
}
