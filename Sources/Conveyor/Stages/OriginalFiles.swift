package import JobLedger
package import Pipelines
internal import PluginKit
package import SystemPackage

extension ActiveConfiguration {
  /// Where the original of a job lies, if nobody took it away; nil while the job is not done.
  package func original(of row: JobRow) -> Original? {
    row.original.map { $0.standing(in: folder($0.place)) }
  }

  /// - Parameter path: relative to the place.
  package func original(in place: Place, at path: FilePath) -> Original {
    Original(place, path, in: folder(place))
  }

  /// - Parameter whole: absolute; nil is given for one that lies in no place of originals.
  package func original(at whole: FilePath) -> Original? {
    for place in [Place.archive, .quarantine] {
      var path = whole
      if path.removePrefix(folder(place)) { return original(in: place, at: path) }
    }
    return nil
  }
}

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
