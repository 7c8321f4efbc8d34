package import Files
internal import Glibc
package import Pipelines
internal import PlainText
package import PluginKit
package import SystemPackage

/// An artifact in the daemon's own hands: copied while it was hashed, out of reach of its maker.
package struct CollectedArtifact: Sendable, Equatable {
  package var role: String
  package var mime: String
  package var fileExtension: String
  /// In the job's folder of seals.
  package var name: FilePath
  /// Absolute.
  package var path: FilePath
  package var bytes: Int
  package var sha256: String
  /// What tells it from others of its role, for its name.
  package var label: String?
  /// What it is called in `emit`, `STEP.ROLE`, once it is emitted; nil where procd made it or kept it.
  package var from: String?
  /// Where the file lay that it was made of; nil where its step did not run once for each file.
  package var madeOf: FilePath?

  package init(
    role: String, mime: String, fileExtension: String, name: FilePath, path: FilePath, bytes: Int,
    sha256: String, label: String? = nil, from: String? = nil
  ) {
    self.role = role
    self.from = from
    self.mime = mime
    self.fileExtension = fileExtension
    self.name = name
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.label = label
  }
}

/// Takes what a step has made.
package struct Collector: Sendable {
  package let places: Places
  package let limit: Int
  package let files: Int

  package init(places: Places, limit: Int, files: Int) {
    self.places = places
    self.limit = limit
    self.files = files
  }

  /// Copies the artifacts that a step named from its work folder into the job's folder of seals.
  ///
  /// - Parameter isPart: whether the run was of some pages only, whose results are the step's own affair.
  /// - Throws: `PluginFailure` when the step named what it may not: a link, a fifo, something
  ///   outside its folder or beyond its limits; `FileError` when our own disk fails.
  package func collect(
    _ artifacts: [Artifact], of step: Pipeline.Step, from work: Folder, job: String,
    isPart: Bool = false
  ) throws -> [CollectedArtifact] {
    guard artifacts.count <= files else {
      throw Self.refused("limit.output", "the step gave more than \(files) artifacts")
    }
    let roles = step.manifest.outputs.map(\.role)
    if !isPart, let stray = artifacts.first(where: { !roles.contains($0.role) }) {
      let declared = roles.isEmpty ? "none" : roles.joined(separator: ", ")
      throw PluginFailure(
        .internal, "plugin.artifact",
        "the step \(step.use) gave a result with the role \"\(stray.role.prefix(100))\", which its"
          + " plugin does not declare; declared: \(declared)",
        hint:
          "the plugin is wrong, not the file: declare the role in \"outputs\" of its plugin.json,"
          + " or give the result one that is declared")
    }
    try places.seals.makeFolder(FilePath(job), mode: 0o700)
    let seal = try places.seals.folder(FilePath(job))
    var total = 0
    return try artifacts.enumerated().map { index, artifact in
      let file = try Self.open(artifact, in: work, limit: limit - total)
      let name = FilePath("\(step.id).\(index)")
      try seal.remove(name)
      let copy = try seal.creating(name)
      let digest = try file.copy(to: copy, limit: limit - total)
      total += digest.bytes
      let declared = step.manifest.outputs.first { $0.role == artifact.role }
      let label = Self.label(artifact)
      let ownExtension = artifact.path.split(separator: ".").last.map(String.init)
      return CollectedArtifact(
        role: artifact.role,
        mime: artifact.mime == "application/octet-stream"
          ? declared?.mime ?? artifact.mime : artifact.mime,
        fileExtension: Self.labeledExtension(artifact.label?.plain, declared) ?? declared?
          .fileExtension
          ?? ownExtension ?? artifact.role, name: name,
        path: seal.path.appending(name.components), bytes: digest.bytes, sha256: digest.sha256,
        label: label)
    }
  }

  /// Where a result may be of any type, its own name tells how it ends; nil otherwise.
  private static func labeledExtension(_ label: String?, _ declared: OutputManifest?) -> String? {
    guard declared?.isOfAnyType == true, let label,
      let ending = FilePath(label.replacing("/", with: "_")).extension?.lowercased(),
      ending.utf8.count <= 10,
      ending.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
    else { return nil }
    return ending
  }

  /// A step's words on one short line; nil where it has none.
  private static func label(_ artifact: Artifact) -> String? {
    guard let label = artifact.label, !label.isEmpty else { return nil }
    return String(label.unicodeScalars.prefix(80)).plain
  }

  /// Opens what a step named, without following it out of its folder.
  ///
  /// - Parameter limit: bytes that it may have.
  /// - Throws: as ``collect(_:of:from:job:)``.
  package static func open(
    _ artifact: Artifact, in work: Folder, limit: Int
  ) throws -> OpenFile {
    let file: OpenFile
    do throws(FileError) {
      let relative = FilePath(artifact.path)
      guard relative.isRelative else {
        throw FileError("open", relative, .improperLink)
      }
      file = try work.open(
        relative, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW, resolution: .guarded)
    } catch {
      // What this process lacks is not the step's fault.
      if error.mayPass { throw error }
      throw refused(
        "plugin.artifact",
        "the artifact \(artifact.role) cannot be taken: "
          + (error.errno == .improperLink
            ? "its path leads out of the folder that the step works in" : "\(error.errno)"))
    }
    let status = try file.status()
    guard status.kind == .regular, status.links == 1 else {
      throw refused(
        "plugin.artifact", "the artifact \(artifact.role) is no regular file of its own")
    }
    guard status.size <= limit else {
      throw refused("limit.output", "the artifacts are larger than limits.output allows")
    }
    return file
  }

  /// Copies a job's own file into its folder of seals, to be published as it came.
  ///
  /// - Parameter number: the place of the result among those of the job.
  package func keep(
    _ claimed: ClaimedFile, as role: String, mime: String, number: Int = 0
  ) throws(FileError) -> CollectedArtifact {
    try copy(
      CollectedArtifact(
        role: role, mime: mime, fileExtension: claimed.arrival.name.extension ?? "", name: "",
        path: claimed.source, bytes: claimed.bytes, sha256: claimed.sha256),
      number, job: claimed.job)
  }

  /// Copies an artifact that is a result twice: each is published by a rename of its own.
  package func copy(
    _ artifact: CollectedArtifact, _ number: Int, job: String
  ) throws(FileError) -> CollectedArtifact {
    try places.seals.makeFolder(FilePath(job), mode: 0o700)
    let seal = try places.seals.folder(FilePath(job))
    let parent = try Folder.open(artifact.path.removingLastComponent())
    guard let last = artifact.path.lastComponent else {
      throw FileError("open", artifact.path, .noSuchFileOrDirectory)
    }
    // No step's artifacts are called so: theirs have a number behind a dot.
    let name = FilePath("kept-\(number)")
    try seal.remove(name)
    let digest = try parent.reading(FilePath(name: last)).copy(to: try seal.creating(name))
    var copy = artifact
    (copy.name, copy.path) = (name, seal.path.appending(name.components))
    (copy.bytes, copy.sha256) = (digest.bytes, digest.sha256)
    return copy
  }

  private static func refused(_ code: String, _ message: String) -> PluginFailure {
    PluginFailure(code == "limit.output" ? .input : .internal, code, message)
  }

  /// Makes a folder for one attempt, never used before, with `out/` in it.
  package func makeWorkFolder(job: String) throws(FileError) -> Folder {
    let random = JobIdentifiers.random(10)
    let name = FilePath("\(job).\(random)")
    guard try !places.work.exists(name) else {
      throw FileError("make", name, .fileExists)
    }
    // Nothing in it must survive a crash, so it is not synced.
    let result = unsafe name.withPlatformString {
      unsafe mkdirat(places.work.descriptor, $0, 0o700)
    }
    guard result == 0 else { throw FileError("make", name, Errno(rawValue: errno)) }
    let folder = try places.work.folder(name)
    guard unsafe mkdirat(folder.descriptor, "out", 0o700) == 0 else {
      throw FileError("make", "out", Errno(rawValue: errno))
    }
    return folder
  }

  /// Whether the disk that steps write to takes writes.
  ///
  /// - Throws: `FileError` where it does not.
  package func tryDisk() throws(FileError) {
    let trial = FilePath("disk-trial.\(JobIdentifiers.random(10))")
    defer { _ = try? places.work.remove(trial) }
    let file = try places.work.creating(trial)
    // Some MiB: a disk with a few free blocks is full to a step.
    let block = [UInt8](repeating: 0x55, count: 1 << 20)
    for _ in 0..<4 { try file.write(block.span) }
    try file.sync()
  }

  /// Puts a work folder out of sight; it is deleted from the trash.
  package func discard(_ folder: Folder) {
    guard let name = folder.path.lastComponent.map({ FilePath(name: $0) }) else { return }
    // What cannot be discarded now is discarded at the next start.
    guard (try? places.work.rename(name, to: places.trash, as: name)) == .done else { return }
    try? places.trash.removeTree(name)
  }
}
