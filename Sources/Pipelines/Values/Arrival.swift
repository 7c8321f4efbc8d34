package import PluginKit
package import SystemPackage

/// A file that stands complete in the inbox, as it was when it was judged complete.
package struct Arrival: Sendable, Equatable {
  /// How it was found out that nobody writes to the file any more.
  package enum Completeness: String, Sendable {
    /// A read lease: no process had it open for writing.
    case lease
    /// Two looks apart and nothing changed: all that can be told without a lease.
    case quiet
  }

  /// Relative to the inbox.
  package var path: FilePath
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  package var modifiedSeconds: Int64
  package var modifiedNanoseconds: Int64
  /// Milliseconds since 1970.
  package var arrived: Int64
  package var completeness: Completeness
  /// Whether it is a folder that is one document; its size is that of its files together, its time that
  /// of the newest of them.
  package var isFolder: Bool
  /// The names of the files that were taken with it out of the same folder. Size and time are those of all
  /// together then.
  package var companions: [FilePath]
  /// Whether the disk said that it has the bytes. Where it did not, no later sync can tell: the kernel may
  /// have dropped what it could not write and says so once. Then only a copy is worth keeping.
  package var isSynced: Bool

  package init(
    path: FilePath, device: UInt64, inode: UInt64, size: Int, modifiedSeconds: Int64,
    modifiedNanoseconds: Int64, arrived: Int64, completeness: Completeness, isFolder: Bool = false,
    companions: [FilePath] = [], isSynced: Bool = true
  ) {
    self.isSynced = isSynced
    self.isFolder = isFolder
    self.companions = companions
    self.path = path
    self.device = device
    self.inode = inode
    self.size = size
    self.modifiedSeconds = modifiedSeconds
    self.modifiedNanoseconds = modifiedNanoseconds
    self.arrived = arrived
    self.completeness = completeness
  }

  /// The file's own name.
  package var name: FilePath {
    path.lastComponent.map { FilePath(name: $0) } ?? FilePath("unnamed")
  }

  /// Whether its bytes lie in a folder: that which came, or one that holds the file and its companions.
  package var isHeldInFolder: Bool { isFolder || !companions.isEmpty }

  /// The folder it lay in, relative to the inbox; empty at the top.
  package var folder: FilePath { path.removingLastComponent() }

  package var json: JSON {
    [
      "path": path.json, "device": .string(String(device)), "inode": .string(String(inode)),
      "size": .integer(size), "modifiedSeconds": .integer(Int(modifiedSeconds)),
      "modifiedNanoseconds": .integer(Int(modifiedNanoseconds)),
      "arrived": .integer(Int(arrived)), "completeness": .string(completeness.rawValue),
      "folder": isFolder ? true : nil,
      "companions": companions.isEmpty ? nil : .array(companions.map(\.json)),
      "unsynced": isSynced ? nil : true,
    ]
  }

  package init?(_ json: JSON) {
    guard let path = json["path"].flatMap(FilePath.init),
      let device = json["device"]?.stringValue.flatMap({ UInt64($0) }),
      let inode = json["inode"]?.stringValue.flatMap({ UInt64($0) }),
      let size = json["size"]?.integerValue, let arrived = json["arrived"]?.integerValue,
      let completeness = json["completeness"]?.stringValue.flatMap(Completeness.init)
    else { return nil }
    self.init(
      path: path, device: device, inode: inode, size: size,
      modifiedSeconds: Int64(json["modifiedSeconds"]?.integerValue ?? 0),
      modifiedNanoseconds: Int64(json["modifiedNanoseconds"]?.integerValue ?? 0),
      arrived: Int64(arrived), completeness: completeness,
      isFolder: json["folder"]?.boolValue ?? false,
      companions: (json["companions"]?.arrayValue ?? []).compactMap(FilePath.init),
      isSynced: json["unsynced"]?.boolValue != true)
  }
}

/// A file that was renamed away from its producers and belongs to one job.
package struct ClaimedFile: Sendable, Equatable {
  package var job: String
  package var arrival: Arrival
  /// Absolute path of the bytes that the job works on, hashes and archives.
  package var source: FilePath
  /// Whether these bytes are a private copy, because somebody else could still write to the
  /// original.
  package var isCopy: Bool
  package var bytes: Int
  package var sha256: String
  /// The files of a folder that is one document, in the order of their pages; empty for a file.
  package var members: [Member]
  /// What came with a file.
  package var companions: [Member]
  /// When what came had been changed last as it was read, nanoseconds since 1970; nil of what is no single file.
  package var modified: Int64?
  /// What tells this content from others: the SHA-256 of the file, or that of those of the file
  /// and its companions in their order.
  package var identity: String

  /// A file of a folder.
  package struct Member: Sendable, Equatable {
    package var name: FilePath
    package var source: FilePath
    package var bytes: Int
    package var sha256: String

    package init(name: FilePath, source: FilePath, bytes: Int, sha256: String) {
      (self.name, self.source) = (name, source)
      (self.bytes, self.sha256) = (bytes, sha256)
    }
  }

  package init(
    job: String, arrival: Arrival, source: FilePath, isCopy: Bool, bytes: Int, sha256: String,
    members: [Member] = [], companions: [Member] = [], identity: String? = nil,
    modified: Int64? = nil
  ) {
    self.modified = modified
    self.members = members
    self.companions = companions
    self.identity = identity ?? sha256
    self.job = job
    self.arrival = arrival
    self.source = source
    self.isCopy = isCopy
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// A file whose kind is known.
package struct ProbedFile: Sendable {
  package var claimed: ClaimedFile
  package var mime: String
  /// Every type that some probe gave, the chosen one first.
  package var candidates: [String]
  /// What the probe found: `pages`, `pagesWithoutText`, `width`, `height`, `endMark` …
  package var facts: JSON

  package init(claimed: ClaimedFile, mime: String, candidates: [String], facts: JSON) {
    self.claimed = claimed
    self.mime = mime
    self.candidates = candidates
    self.facts = facts
  }

  package var routingFacts: RoutingFacts {
    var facts = RoutingFacts(
      mime: mime, candidates: candidates, name: claimed.arrival.name.repaired.text,
      path: claimed.arrival.path.repaired.text, size: claimed.bytes,
      isFolder: claimed.arrival.isFolder,
      companions: claimed.companions.map(\.name.repaired.text))
    // File systems keep times that no calendar has.
    let calendar: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    facts.modified =
      min(max(claimed.arrival.modifiedSeconds, calendar.lowerBound), calendar.upperBound) * 1000
    facts.arrived = claimed.arrival.arrived
    return facts
  }
}
