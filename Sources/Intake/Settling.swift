package import Files
package import Pipelines

/// Decides when a file of the inbox is complete. Pure: looks and times come in, verdicts go out.
package struct Settling: Sendable {
  /// Milliseconds.
  let settle: Int64
  let settleFolder: Int64
  let settleUnleased: Int64
  let settleEndMark: Int64

  package init(_ inbox: Configuration.Inbox) {
    self.init(
      settle: Int64(inbox.settle), settleUnleased: Int64(inbox.settleUnleased),
      settleEndMark: Int64(inbox.settleEndMark), settleFolder: Int64(inbox.settleFolder))
  }

  /// - Parameter settleFolder: as for a file where left out.
  package init(
    settle: Int64, settleUnleased: Int64, settleEndMark: Int64 = 0, settleFolder: Int64? = nil
  ) {
    self.settle = settle
    self.settleFolder = settleFolder ?? settle
    self.settleUnleased = settleUnleased
    self.settleEndMark = settleEndMark
  }

  /// How long a file must have been quiet, or a folder that is one document: between two of its pages somebody may turn
  /// a sheet.
  func quiet(of status: FileStatus) -> Int64 { status.kind == .folder ? settleFolder : settle }

  /// How long a folder waits for the backs after its fronts have come.
  static let longestForBacks: Int64 = 3_600_000

  /// Where a lease shows that nobody has a file open, its end mark is not waited for longer than this.
  private static let longestEndMarkLeased: Int64 = 20_000

  /// Until when a file without its end mark is waited for.
  func endMarkUntil(change: Int64, _ completeness: Arrival.Completeness) -> Int64 {
    change
      + (completeness == .lease
        ? min(settleEndMark, Self.longestEndMarkLeased) : settleEndMark)
  }

  /// What is remembered of a file between looks.
  package struct Memory: Sendable, Equatable {
    /// The state it was last seen in, and since when it is in it, as far as we saw.
    package var status: FileStatus
    package var since: Int64
    /// When it was first seen in this state without a lease being possible.
    package var unleasedSince: Int64?

    package init(_ status: FileStatus, at now: Int64) {
      self.status = status
      since = now
    }

    /// Takes a new look; a change starts all waiting anew.
    package mutating func look(_ status: FileStatus, at now: Int64) {
      if status.isSameContent(as: self.status), status.changed == self.status.changed { return }
      self = Memory(status, at: now)
    }

    /// Times of before must not lie ahead.
    package mutating func clockWasSetBack(to now: Int64) {
      since = min(since, now)
      unleasedSince = unleasedSince.map { min($0, now) }
    }

    /// When the file last changed: what the file system says, but never later than we first saw
    /// it so, because clocks of producers may run ahead.
    var lastChange: Int64 {
      min(max(status.modified.milliseconds, status.changed.milliseconds), since)
    }
  }

  /// When the file will have been quiet long enough; at or before `now` means it has been.
  package func quietFrom(_ memory: Memory) -> Int64 {
    memory.lastChange + quiet(of: memory.status)
  }

  /// The same where no lease can tell: two looks this far apart, nothing changed in between.
  ///
  /// - Parameter change: the latest one of files that came with it.
  package func quietUnleasedFrom(_ memory: Memory, change: Int64 = .min) -> Int64 {
    guard let since = memory.unleasedSince else { return .max }
    return max(since, memory.lastChange, change) + settleUnleased
  }
}

/// Why a file of the inbox is not processed yet, for `status`.
package enum WaitReason: Sendable, Equatable {
  case settling
  case due
  case beingWritten
  /// The running procd takes nothing in, and says why elsewhere.
  case paused
  case settlingUnleased
  case lacksEnd
  case unreadable
  case notRenamable
  case otherMount
  case link
  case notRegular(String)
  case ignored(String)
  /// It is the outbox, or another folder of procd.
  case ours
  /// It is the inbox or the spool of another procd, with the number of its process.
  case foreign(Int32)
  /// What is to come with it is not there yet: by rule, names of which one is enough.
  case lacksCompanion([String])
  /// The file that it belongs to is not there yet, or not complete.
  case awaitsSource
  /// A folder has the fronts of its sheets, and not the backs.
  case lacksBacks
  /// A folder that is to be one document has something else in it.
  case notOnlyFiles(String)
  /// A file of a folder that is to be one document has not got its name yet.
  case unfinished(String)
  case failed(String)
  /// What another process found out.
  case told(String)

  package var text: String {
    switch self {
    case .settling: "waits until nobody has written to it for a while"
    case .due: "is taken when its turn comes"
    case .paused: "is taken once procd takes in files again"
    case .beingWritten: "is still open for writing in some process"
    case .settlingUnleased:
      "waits longer, because without a lease nobody can tell whether it is still written; cure:"
        + " give procd CAP_LEASE (AmbientCapabilities=CAP_LEASE in its unit)"
    case .lacksEnd:
      "seems cut off: it is empty, or the mark that ends such files is missing; it is taken as it is once it has not"
        + " changed for a while"
    case .unreadable: "cannot be read by procd; cure: chmod or chown it, or run procd as its owner"
    case .notRenamable:
      "cannot be moved out of its folder by procd; cure: give procd write permission on the folder"
    case .otherMount: "is on another mount inside the inbox, from which nothing can be claimed"
    case .link:
      "is a symbolic link, only regular files are processed; cure: put the file itself there, or let \"ignore\" name it"
    case .notRegular(let kind): "is a \(kind), only regular files are processed"
    case .unfinished(let name):
      "waits until \(name) in it has its name, or is removed"
    case .notOnlyFiles(let name):
      "is taken as one document and must hold files only; cure: move \(name) out of it"
    case .lacksBacks: "waits up to an hour for its second file, that with the backs"
    case .lacksCompanion(let names): "waits for \(names.joined(separator: " or ")) to come with it"
    case .awaitsSource: "waits for the file that it belongs to"
    case .foreign(let process):
      "is the inbox or the spool of another procd (process \(process)), which takes what is in it"
    case .ours: "is a folder that procd puts results or originals into"
    case .ignored(let pattern): "is ignored by the pattern \(pattern)"
    case .failed(let text): "could not be taken: \(text)"
    case .told(let text): text
    }
  }

  /// Returns the code that docs/errors.md lists, or nil if only another process knows the reason.
  package var code: String? {
    switch self {
    case .settling: "wait.quiet"
    case .due: "wait.turn"
    case .paused: "wait.paused"
    case .beingWritten: "wait.open"
    case .settlingUnleased: "wait.lease"
    case .lacksEnd: "wait.end"
    case .unreadable: "wait.unreadable"
    case .notRenamable: "wait.folder"
    case .otherMount: "wait.mount"
    case .link: "wait.link"
    case .notRegular: "wait.special"
    case .unfinished: "wait.name"
    case .notOnlyFiles: "wait.mixed"
    case .lacksBacks: "wait.backs"
    case .lacksCompanion: "wait.companion"
    case .awaitsSource: "wait.source"
    case .foreign: "wait.foreign"
    case .ours: "wait.own"
    case .ignored: "wait.ignored"
    case .failed: "wait.failed"
    case .told: nil
    }
  }

  /// The reasons whose sentence does not depend on the file.
  static let constant: [Self] = [
    .settling, .due, .paused, .beingWritten, .settlingUnleased, .lacksEnd, .unreadable,
    .notRenamable, .otherMount, .link, .lacksBacks, .awaitsSource, .ours,
  ]

  /// Whether it ends when somebody writes to the file or closes it.
  var isForWriter: Bool { [.beingWritten, .lacksEnd, .lacksBacks].contains(self) }

  /// Whether it is another file that lacks.
  package var isForPartner: Bool {
    switch self {
    case .lacksCompanion, .awaitsSource, .lacksBacks: true
    default: false
    }
  }

  /// Whether it is a folder of procd's own, or of another one.
  package var isOthers: Bool {
    switch self {
    case .ours, .foreign: true
    default: false
    }
  }

  /// Whether it is nothing that is ever to be taken.
  package var isNoInput: Bool {
    switch self {
    case .ignored, .notRegular, .ours, .foreign: true
    default: false
    }
  }

  /// Whether another attempt never helps: only regular files and folders are taken.
  package var isNeverTaken: Bool {
    switch self {
    case .link, .notRegular: true
    default: false
    }
  }

  /// Whether it stays so until somebody does something about it.
  package var needsSomebody: Bool {
    switch self {
    case .unreadable, .notRenamable, .otherMount, .link, .notRegular, .notOnlyFiles: true
    default: false
    }
  }

  /// Whether a run that drains the inbox waits for such a file.
  package var willPass: Bool {
    switch self {
    case .settling, .due, .paused, .beingWritten, .settlingUnleased, .lacksEnd: true
    default: false
    }
  }
}
