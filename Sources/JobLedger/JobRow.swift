internal import FoundationEssentials
internal import GRDB
package import Pipelines
package import PluginKit
package import SystemPackage

/// A job as the ledger keeps it.
package struct JobRow: Sendable {
  package enum State: String, Sendable, CaseIterable {
    case claimed, running, waiting, publishing, done
  }

  /// The code of a job that something outside it holds up.
  package static let heldUp = "job.heldup"

  package var id: String
  package var path: FilePath
  package var size: Int
  package var arrived: Int64
  package var completeness: Arrival.Completeness
  package var state: State
  package var suspect: Bool
  package var notBefore: Int64?
  package var sha256: String?
  package var mime: String?
  package var pipeline: String?
  package var pipelineHash: String?
  package var outcome: Report.Outcome?
  package var errorCode: String?
  package var errorMessage: String?
  package var finished: Int64?
  /// Where its original was put; nil while it is not done.
  package var original: Original?
  package var publication: JSON?
  package var report: JSON?
  /// When its archived original was let go.
  package var letGo: Int64?

  /// What is known of its arrival without the note beside the file.
  package var arrival: Arrival {
    Arrival(
      path: path, device: 0, inode: 0, size: size, modifiedSeconds: 0, modifiedNanoseconds: 0,
      arrived: arrived, completeness: completeness)
  }

  /// Whether what is sealed is to be published, or was: then nothing of it is made again.
  package var isDecided: Bool { state == .publishing || state == .done }

  init(_ row: Row) {
    id = row["id"]
    path = FilePath(bytes: (row["path"] as Data))
    size = row["size"]
    arrived = row["arrived"]
    completeness = Arrival.Completeness(rawValue: row["completeness"]) ?? .quiet
    state = State(rawValue: row["state"]) ?? .claimed
    suspect = row["suspect"]
    notBefore = row["notBefore"]
    sha256 = row["sha256"]
    mime = row["mime"]
    pipeline = row["pipeline"]
    pipelineHash = row["pipelineHash"]
    outcome = (row["outcome"] as String?).flatMap(Report.Outcome.init)
    errorCode = row["errorCode"]
    errorMessage = row["errorMessage"]
    finished = row["finished"]
    publication = row.json("publication")
    report = row.json("report")
    letGo = row["letGo"]
    original = row.original(publication)
  }
}

extension Row {
  /// What a column has as JSON, which procd itself wrote; nil for nothing, and for what cannot be read.
  fileprivate func json(_ name: String) -> JSON? {
    (self[name] as String?).flatMap { try? JSONReader.read($0).value }
  }

  fileprivate func original(_ publication: JSON?) -> Original? {
    Original(
      publication: publication, whole: (self["original"] as Data?).map { FilePath(bytes: $0) })
  }

  /// Where the original of a job was put, of its columns `original` and `publication`.
  var original: Original? { original(json("publication")) }
}

extension FilePath {
  var data: Data { Data(bytes) }
}

/// A pipeline whose expectations a job's file did not meet.
package struct PassedOver: Sendable, Equatable {
  package var pipeline: String
  /// What was found and what was wanted; nil where that was not kept.
  package var reason: String?

  package init(pipeline: String, reason: String?) {
    (self.pipeline, self.reason) = (pipeline, reason)
  }
}
