internal import JobLedger
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension JobRow {
  /// The files of a folder that was one document, as its report names them; none where it was a file.
  var originalFiles: [(name: FilePath, bytes: Int, sha256: String)] {
    (report?["source"]?["files"]?.arrayValue ?? []).compactMap { file in
      guard let name = file["name"]?.stringValue, let bytes = file["bytes"]?.integerValue,
        let sha256 = file["sha256"]?.stringValue
      else { return nil }
      return (FilePath(name), bytes, sha256)
    }
  }
}
