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
  func convertJoined(_ active: ActiveConfiguration) async throws {
    var files: [FilePath] = [], missing: [String] = []
    for input in inputs.map(absolutePath) {
      let list = ConvertInputs([input], recursive: recursive)
      files += list.walk.map(\.path).sorted { NaturalOrder.precedes($0.bytes, $1.bytes) }
      missing += list.missing
    }
    for missing in missing { Console.complain("\(missing): no such file or folder") }
    guard missing.isEmpty, let first = files.first else { throw Status.inputQuarantined }
    let (folder, base) = place(of: first)
    let bench: Workbench
    do {
      bench = try Workbench(
        active, installation: .ofThisProgram(), in: folder, slots: jobs,
        landlockCeiling: landlockCeiling())
    } catch {
      Console.complain("procd: \(error.failure.message)")
      throw ExitCode(73)
    }
    let isWell = await ConvertRun(
      bench: bench, role: wantedRole, output: folder, update: false, json: json
    ).join(files, base: base)
    bench.close()
    guard isWell else { throw Status.inputQuarantined }
  }

  /// A name that ends with .pdf is that of the document itself.
  private var namesDocument: Bool {
    absolutePath(output).extension?.lowercased() == "pdf"
      && (try? Folder.open(absolutePath(output))) == nil
  }

  /// Where one PDF was named, that alone is wanted unless something else is.
  var wantedRole: String? { to ?? (join && namesDocument ? "pdf" : nil) }

  /// The folder of the results, and their name without extension.
  private func place(of first: FilePath) -> (folder: FilePath, base: FilePath) {
    let output = absolutePath(output)
    guard namesDocument, let stem = output.stem else {
      return (output, FilePath(first.stem ?? "document"))
    }
    return (output.removingLastComponent(), FilePath(stem))
  }
}
