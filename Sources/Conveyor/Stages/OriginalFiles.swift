internal import JobLedger
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension JobRow {
  /// The files of an original that is a folder, as its report names them: those of a folder that was one
  /// document, or a file and what came with it. None where the original is a file.
  var originalFiles: [(name: FilePath, bytes: Int, sha256: String)] {
    guard let report else { return [] }
    let companions = report["companions"]?.arrayValue ?? []
    let files =
      companions.isEmpty
      ? report["source"]?["files"]?.arrayValue ?? []
      : [report["source"] ?? [:]] + companions
    return files.compactMap { file in
      guard let name = file["name"]?.stringValue, let bytes = file["bytes"]?.integerValue,
        let sha256 = file["sha256"]?.stringValue
      else { return nil }
      return (FilePath(name), bytes, sha256)
    }
  }
}
