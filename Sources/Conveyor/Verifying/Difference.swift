internal import Pipelines
package import PluginKit
package import SystemPackage

/// Something that is not as ledger, reports and folders together say.
package struct Difference: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// An original that should lie in the archive is not there.
    case missing
    /// The content is not what was published or archived.
    case changed
    /// Nobody knows where it comes from.
    case extra
    /// An original without the report that belongs beside it.
    case unreported
    /// A name that is still kept for a job that is done.
    case reserved
    /// A temporary file or folder of ours that is still there.
    case leftover
    /// A job that the ledger knows and that no folder holds, or the other way round.
    case unmatched
    /// A job that something outside it holds up; it is tried again at every start.
    case heldUp = "held-up"
    /// The file or folder cannot be read, so nothing can be said of it.
    case unreadable
    /// A result that somebody took out of the outbox, or a file that left the quarantine: as it should
    /// be. Told only on request.
    case taken
  }

  package var kind: Kind
  /// outbox, archive, quarantine, inbox, spool or ledger.
  package var place: String
  /// Relative to the place.
  package var path: FilePath
  package var job: String?
  package var message: String

  package init(
    _ kind: Kind, _ place: String, _ path: FilePath, job: String? = nil, _ message: String
  ) {
    self.kind = kind
    self.place = place
    self.path = path
    self.job = job
    self.message = message
  }

  package var json: JSON {
    [
      "kind": .string(kind.rawValue), "place": .string(place), "path": path.json,
      "job": job.map { .string($0) }, "message": .string(message),
    ]
  }
}

/// What was looked at.
package struct VerifiedCounts: Sendable, Equatable {
  package var jobs = 0
  package var files = 0
  package var bytes = 0
  /// Results and quarantined files that somebody took away.
  package var taken = 0
  package var differences = 0
  /// Archived originals whose time was over.
  package var letGo = 0
  /// What is to be known besides; nil where nothing is.
  package var note: String?

  package var json: JSON {
    [
      "jobs": .integer(jobs), "files": .integer(files), "bytes": .integer(bytes),
      "taken": .integer(taken), "differences": .integer(differences),
      "letGo": .integer(letGo), "note": note.map { .string($0) },
    ]
  }
}
