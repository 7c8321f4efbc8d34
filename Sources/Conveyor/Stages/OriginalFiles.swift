internal import JobLedger
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension JobRow {
  /// The files of an original that is a folder, as its report names them: those of a folder that was one
  /// document, or a file and what came with it. None where the original is a file.
  var originalFiles: [ClaimedFile.Member] {
    guard let report else { return [] }
    let companions = ClaimedFile.Member.list(report["companions"])
    guard !companions.isEmpty else { return ClaimedFile.Member.list(report["source"]?["files"]) }
    return ClaimedFile.Member.list(.array([report["source"] ?? [:]])) + companions
  }
}
