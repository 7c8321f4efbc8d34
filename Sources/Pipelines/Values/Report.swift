package import PluginKit
internal import SystemPackage

/// The report of one file: what came in, what was done, what came out. Fields may be added, never
/// renamed.
package struct Report: Sendable {
  package enum Outcome: String, Sendable, CaseIterable { case done, quarantined, duplicate }

  package var job: String
  package var outcome: Outcome
  package var source: Source
  package var pipeline: String?
  package var configuration: String?
  package var arrived: Int64
  package var finished: Int64
  package var completeness: Arrival.Completeness
  package var steps: [StepReport] = []
  package var artifacts: [ArtifactReport] = []
  package var original: String?
  package var error: PluginFailure?
  package var reusedFrom: String?
  package var partial = false
  package var notes: [String] = []
  /// What the file changed as an edition of a list.
  package var edition: JSON?
  /// What was found in the document for names, by name.
  package var texts: JSON?

  package init(
    job: String, outcome: Outcome, source: Source, arrived: Int64, finished: Int64,
    completeness: Arrival.Completeness
  ) {
    self.job = job
    self.outcome = outcome
    self.source = source
    self.arrived = arrived
    self.finished = finished
    self.completeness = completeness
  }

  package struct Source: Sendable, Equatable {
    package var name: String
    package var nameBytes: String?
    package var path: String
    package var bytes: Int
    package var sha256: String
    package var mime: String?
    /// Whether a password is needed to open it.
    package var isLocked = false
    /// When it was last changed, seconds since 1970; not in the report.
    package var modified: Int64
    /// Of a folder: its files in the order of their pages.
    package var files: [ClaimedFile.Member]
    /// What came with a file and was taken together with it.
    package var companions: [ClaimedFile.Member]

    package init(_ claimed: ClaimedFile, mime: String?) {
      files = claimed.members
      companions = claimed.companions
      let name = claimed.arrival.name.repaired
      self.name = name.text
      nameBytes = name.base64
      path = claimed.arrival.path.repaired.text
      bytes = claimed.bytes
      sha256 = claimed.sha256
      modified = claimed.arrival.modifiedSeconds
      self.mime = mime
    }
  }

  /// Why something failed, as all that programs read tells it.
  package static func json(_ error: PluginFailure) -> JSON {
    [
      "class": .string(error.class.rawValue), "code": .string(error.code),
      "message": .string(error.message), "page": error.page.map { .integer($0) },
      "hint": error.hint.map { .string($0) },
    ]
  }

  package var json: JSON {
    [
      "version": 1, "job": .string(job), "outcome": .string(outcome.rawValue),
      "source": [
        "name": .string(source.name), "nameBytes": source.nameBytes.map { .string($0) },
        "path": .string(source.path), "bytes": .integer(source.bytes),
        "sha256": .string(source.sha256), "mime": source.mime.map { .string($0) },
        "locked": source.isLocked ? true : nil,
        "files": source.files.isEmpty ? nil : .array(source.files.map(\.json)),
      ],
      "companions": source.companions.isEmpty ? nil : .array(source.companions.map(\.json)),
      "pipeline": pipeline.map { .string($0) }, "config": configuration.map { .string($0) },
      "reusedFrom": reusedFrom.map { .string($0) },
      "arrived": .string(timestamp(arrived)), "finished": .string(timestamp(finished)),
      "completeness": .string(completeness.rawValue), "partial": partial ? true : nil,
      "error": error.map(Self.json),
      "edition": edition, "texts": texts, "steps": .array(steps.map(\.json)),
      "artifacts": .array(artifacts.map(\.json)),
      "original": original.map { .string($0) },
      "notes": notes.isEmpty ? nil : .array(notes.map { .string($0) }),
    ]
  }

  package static var shape: Shape {
    let source = ObjectShape(
      "source",
      [
        Field("name", .text, "The file's name, repaired where it is no UTF-8", required: true),
        Field("nameBytes", .text, "The name's bytes in base64, where it is no UTF-8"),
        Field("path", .text, "Its path below the inbox", required: true),
        Field("bytes", .integer(0 ... .max), "Its size", required: true),
        Field("sha256", .text, "The SHA-256 of its content", required: true),
        Field("mime", .text, "Its media type, where it could be told"),
        Field("locked", .boolean, "Whether a password is needed to open it"),
        Field(
          "files", .list(.object(ClaimedFile.Member.shape)),
          "The files of a folder that was taken as one document, in the order of their pages"),
      ], open: true)
    let error = ObjectShape(
      "error",
      [
        Field(
          "class", .oneOf(PluginFailure.Class.allCases.map(\.rawValue)), "What kind of fault",
          required: true),
        Field("code", .text, "A stable code", required: true),
        Field("message", .text, "One sentence", required: true),
        Field("page", .integer(1 ... .max), "The page at fault"),
        Field("hint", .text, "What to do next"),
      ], open: true)
    return .object(
      ObjectShape(
        "report",
        [
          Field("version", .integer(1...1), "The version of this format", required: true),
          Field("job", .text, "The job's identifier", required: true),
          Field(
            "outcome", .oneOf(Outcome.allCases.map(\.rawValue)), "How it ended", required: true),
          Field("source", .object(source), "The file that came in", required: true),
          Field(
            "companions", .list(.object(ClaimedFile.Member.shape)),
            "The files that came with it and were taken together with it"),
          Field("pipeline", .text, "The rule that was taken"),
          Field("config", .text, "The hash of that rule as meant, plugin versions included"),
          Field("reusedFrom", .text, "The job whose results were taken"),
          Field("arrived", .text, "When it was found complete, UTC", required: true),
          Field("finished", .text, "When it was done, UTC", required: true),
          Field(
            "completeness", .oneOf(["lease", "quiet"]), "How it was found complete",
            required: true),
          Field("partial", .boolean, "Whether only part of the input could be read"),
          Field("error", .object(error), "Why it was quarantined"),
          Field(
            "edition", .map(.any),
            "Of a list that is kept: its series, date, standing, and how many numbers were added,"
              + " removed and changed"),
          Field(
            "texts", .map(.text), "What was found in the document for names of results, by name"),
          Field("steps", .list(.object(StepReport.shape)), "What was done", required: true),
          Field(
            "artifacts", .list(.object(ArtifactReport.shape)), "What came out", required: true),
          Field("original", .text, "Where the original lies now"),
          Field("notes", .list(.text), "What else is worth knowing"),
        ], open: true))
  }
}

extension ClaimedFile.Member {
  /// Members as a report lists them; their bytes lie nowhere that is known here.
  package static func list(_ json: JSON?) -> [ClaimedFile.Member] {
    (json?.arrayValue ?? []).compactMap { file in
      guard let name = file["name"]?.stringValue, let bytes = file["bytes"]?.integerValue,
        let sha256 = file["sha256"]?.stringValue
      else { return nil }
      return ClaimedFile.Member(
        name: file["nameBytes"].flatMap { FilePath(["bytes": $0]) } ?? FilePath(name),
        source: FilePath(), bytes: bytes, sha256: sha256)
    }
  }

  fileprivate var json: JSON {
    let name = name.repaired
    return [
      "name": .string(name.text), "nameBytes": name.base64.map { .string($0) },
      "bytes": .integer(bytes), "sha256": .string(sha256),
    ]
  }

  fileprivate static let shape = ObjectShape(
    "file of a folder",
    [
      Field("name", .text, "Its name, repaired where it is no UTF-8", required: true),
      Field("nameBytes", .text, "The name's bytes in base64, where it is no UTF-8"),
      Field("bytes", .integer(0 ... .max), "Its size", required: true),
      Field("sha256", .text, "The SHA-256 of its content", required: true),
    ], open: true)
}

/// What one step did.
package struct StepReport: Sendable {
  package enum Outcome: String, Sendable, CaseIterable { case done, skipped, failed }
  package var id: String
  package var use: String
  package var plugin: String
  /// Charged attempts, the successful one included.
  package var attempts: Int
  package var outcome: Outcome
  package var wallMilliseconds = 0
  package var cpuMilliseconds = 0
  package var peakMemory = 0
  package var isolation: JSON?
  /// Where it ran; nil for this machine alone.
  package var machine: String?
  package var facts: JSON = [:]
  package var notes: [String] = []

  package init(id: String, use: String, plugin: String, attempts: Int, outcome: Outcome) {
    self.id = id
    self.use = use
    self.plugin = plugin
    self.attempts = attempts
    self.outcome = outcome
  }

  package var json: JSON {
    [
      "id": .string(id), "use": .string(use), "plugin": .string(plugin),
      "attempts": .integer(attempts), "outcome": .string(outcome.rawValue),
      "wallMs": .integer(wallMilliseconds), "cpuMs": .integer(cpuMilliseconds),
      "peakMemory": .integer(peakMemory), "isolation": isolation,
      "machine": machine.map { .string($0) }, "facts": facts,
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  static var shape: ObjectShape {
    ObjectShape(
      "step",
      [
        Field("id", .text, "The step's id in the pipeline", required: true),
        Field("use", .text, "The plugin's step", required: true),
        Field("plugin", .text, "Plugin and version", required: true),
        Field("attempts", .integer(0 ... .max), "Charged attempts", required: true),
        Field(
          "outcome", .oneOf(Outcome.allCases.map(\.rawValue)), "How it ended", required: true),
        Field("wallMs", .integer(0 ... .max), "Milliseconds it took"),
        Field("cpuMs", .integer(0 ... .max), "Milliseconds of processor time"),
        Field("peakMemory", .integer(0 ... .max), "Bytes of memory at most"),
        Field("isolation", .any, "Profile, Landlock version, and what was not in force"),
        Field(
          "machine", .text,
          "The machines of the fleet that ran it, with a comma between; this one is not named"),
        Field("facts", .any, "What the step found"),
        Field("notes", .list(.string), "What the step noted"),
      ], open: true)
  }
}

/// A result as the outbox holds it.
package struct ArtifactReport: Sendable, Equatable {
  package var role: String
  /// Relative to the report.
  package var path: String
  package var mime: String
  package var bytes: Int
  package var sha256: String
  /// What tells it from others of its role.
  package var label: String?
  /// What it is called in `emit`: `STEP.ROLE`; nil where procd made it or kept it.
  package var from: String?

  /// As it is told to people: the way up to a folder that all share tells them nothing.
  package static func shown(_ path: String) -> String {
    String(path.trimmingPrefix(#/(\.\.\/)+/#))
  }

  package init(
    role: String, path: String, mime: String, bytes: Int, sha256: String, label: String? = nil,
    from: String? = nil
  ) {
    self.role = role
    self.from = from
    self.path = path
    self.mime = mime
    self.bytes = bytes
    self.sha256 = sha256
    self.label = label
  }

  package var json: JSON {
    [
      "role": .string(role), "from": from.map { .string($0) }, "label": label.map { .string($0) },
      "path": .string(path),
      "mime": .string(mime), "bytes": .integer(bytes), "sha256": .string(sha256),
    ]
  }

  package init?(_ json: JSON) {
    guard let role = json["role"]?.stringValue, let path = json["path"]?.stringValue,
      let mime = json["mime"]?.stringValue, let bytes = json["bytes"]?.integerValue,
      let sha256 = json["sha256"]?.stringValue
    else { return nil }
    self.init(
      role: role, path: path, mime: mime, bytes: bytes, sha256: sha256,
      label: json["label"]?.stringValue, from: json["from"]?.stringValue)
  }

  static var shape: ObjectShape {
    ObjectShape(
      "artifact",
      [
        Field("role", .text, "What it is", required: true),
        Field("from", .text, "The step that gave it, and its role: what emit names"),
        Field("label", .text, "What tells it from others of its role"),
        Field("path", .text, "Where it is, relative to the report", required: true),
        Field("mime", .text, "Its media type", required: true),
        Field("bytes", .integer(0 ... .max), "Its size", required: true),
        Field("sha256", .text, "The SHA-256 of its content", required: true),
      ], open: true)
  }
}
