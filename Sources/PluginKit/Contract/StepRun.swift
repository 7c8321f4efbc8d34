internal import Confinement
public import SystemPackage

/// A file that a step reads.
public struct StepInput: Sendable, Equatable {
  /// Absolute path; may be opened read-only. Its names are bytes: those of a gathered folder's files need be no
  /// UTF-8.
  public var path: FilePath
  /// Its media type, as the probe or the step that made the file told.
  public var mime: String
  /// Its size in bytes.
  public var bytes: Int
  /// SHA-256 of its content in hexadecimal digits; nil where it was not computed.
  public var sha256: String?
  /// The name that people know the file by, where it is one of several.
  public var name: String?
  /// The step that made it, such as `ocr.tesseract`; nil of what came into the inbox.
  public var madeBy: String?

  /// A file by its path, its media type and its size in bytes.
  public init(
    path: FilePath, mime: String, bytes: Int, sha256: String? = nil, name: String? = nil,
    madeBy: String? = nil
  ) {
    (self.name, self.madeBy) = (name, madeBy)
    self.path = path
    self.mime = mime
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// One run of a step: what to read, how, and where to write.
public struct StepRun: Sendable {
  /// Unique per attempt.
  public var id: String
  /// The name of the step, for plugins that have several; see ``StepManifest/name``.
  public var step: String
  /// The job, the same for each attempt; a step with a state folder must give the same for it each
  /// time.
  public var job: String
  /// Counted from 1.
  public var attempt: Int
  /// The files by role; `source` is the job's primary file unless the pipeline says otherwise.
  public var inputs: [String: [StepInput]]
  /// The name of the source as its producer gave it, for titles.
  public var sourceName: String
  /// Checked against the step's manifest, with defaults filled in.
  public var options: Options
  /// An empty folder of this run alone; artifacts go below `out/` in it.
  public var workFolder: String
  /// The folder of the plugin that outlasts a run, where the step's manifest asks for one.
  public var stateFolder: String?
  /// For steps that are split by page: which part of how many, and whether this run joins them.
  public var part: Part?
  /// What pages, pixels and bytes the run may take.
  public var limits: StepLimits

  /// Which pages of a document a run does, where several runs share it.
  public struct Part: Sendable, Equatable {
    /// The first and the last page that this run is to do, counted from 1; 0 for the one that joins.
    public var page: Int
    /// The last page, included; the same as ``page`` where it is one.
    public var last: Int
    /// The pages of the document.
    public var of: Int
    /// Whether this run joins the parts, which are its inputs in the role `parts`, in order.
    public var join: Bool

    /// The run of some pages that follow one another.
    public init(pages: ClosedRange<Int>, of: Int) {
      (page, last, self.of, join) = (pages.lowerBound, pages.upperBound, of, false)
    }

    /// The run that joins what the others gave.
    public init(joining of: Int) { (page, last, self.of, join) = (0, 0, of, true) }
  }

  /// A run without a state folder; the host sets ``stateFolder`` where the step asks for one.
  public init(
    id: String, step: String, job: String, attempt: Int, inputs: [String: [StepInput]],
    sourceName: String, options: Options, workFolder: String, part: Part? = nil,
    limits: StepLimits = StepLimits()
  ) {
    self.id = id
    self.step = step
    self.job = job
    self.attempt = attempt
    self.inputs = inputs
    self.sourceName = sourceName
    self.options = options
    self.workFolder = workFolder
    self.part = part
    self.limits = limits
  }

  /// How much address space it may take, in bytes: the inputs are mapped as a whole, which is no use of memory.
  package var addressSpace: Int {
    inputs.values.joined().reduce(limits.memory) { sum, input in
      let (more, isTooLarge) = sum.addingReportingOverflow(max(0, input.bytes))
      return isTooLarge ? .max : more
    }
  }

  /// The primary input of a step that reads one file.
  ///
  /// - Throws: an `options` failure where there are several: all but the first would be lost.
  public func source() throws(PluginFailure) -> StepInput {
    if let count = inputs["source"]?.count, count > 1 {
      throw PluginFailure(
        .options, "step.inputs", "\(step) reads one file, and was given \(count)",
        hint:
          "Let it read the file before another step, such as pages.split, makes several of it; or have it run for each"
          + " of them, with \"each\": true.")
    }
    if let source = inputs["source"]?.first { return source }
    guard let first = inputs.values.first?.first else {
      throw PluginFailure(.internal, "plugin.input", "the step was given no file to read")
    }
    return first
  }

  /// Writes one artifact into `out/` of the work folder.
  ///
  /// - Parameters:
  ///   - role: one of the roles of the step's outputs.
  ///   - name: the file name inside `out/`; must be new.
  ///   - mime: its media type.
  ///   - bytes: the whole content.
  /// - Throws: a `transient` failure when the disk is full or fails, else an `internal` one.
  public func write(
    role: String, name: String, mime: String, bytes: [UInt8]
  ) throws(PluginFailure) -> Artifact {
    let file = try ResultFile("\(workFolder)/out/\(name)")
    try file.write(bytes)
    try file.close()
    return Artifact(role: role, path: "out/\(name)", mime: mime)
  }
}

/// The limits that a step keeps itself, because only it knows pages and pixels.
public struct StepLimits: Sendable, Equatable {
  /// Pages of a document; one with more is refused by the step.
  public var pages = 2000
  /// Pixels of one image or page.
  public var pixels = 250_000_000
  /// Bytes of address space.
  public var memory = Int(ResourceLimits.usualMemory)
  /// Bytes of all artifacts together.
  public var output = 1 << 30
  /// The limits that hold unless a pipeline says otherwise.
  public init() {}
}

/// A file that a step made; counts only when the step ended well.
public struct Artifact: Sendable, Equatable {
  /// One of the roles of the step's outputs, ``OutputManifest/role``.
  public var role: String
  /// Relative to the work folder.
  public var path: String
  /// Its media type; `application/octet-stream` stands for the one that the step's manifest
  /// declares.
  public var mime: String
  /// What tells it from others of its role, one short line: the place `{label}` of its name.
  public var label: String?
  /// A file that exists already; ``StepRun/write(role:name:mime:bytes:)`` makes both.
  public init(role: String, path: String, mime: String, label: String? = nil) {
    self.role = role
    self.path = path
    self.mime = mime
    self.label = label
  }
}

/// What a step gives back.
public struct StepOutput: Sendable {
  /// What the run made, each a regular file of its own below the work folder.
  public var artifacts: [Artifact]
  /// Observations for later steps' conditions and for the report; an object.
  public var facts: JSON
  /// Whether only part of the input could be read.
  public var partial: Bool
  /// An output that is complete, unless `partial` says otherwise.
  public init(artifacts: [Artifact] = [], facts: JSON = [:], partial: Bool = false) {
    self.artifacts = artifacts
    self.facts = facts
    self.partial = partial
  }
}
