package import Files
package import SystemPackage

/// Makes results ready: whole, durable, with their modes and times, still out of sight.
package struct Sealer: Sendable {
  package static let reportName = FilePath("report.json")
  package static let whyName = FilePath("why.txt")
  package static let reportCopyName = FilePath("report-copy.json")
  package static let folderName = FilePath("folder")

  package let places: Places
  package init(places: Places) { self.places = places }

  /// The job's folder of seals, made where it is missing.
  package func folder(job: String) throws(FileError) -> Folder {
    try places.seals.makeFolder(FilePath(job), mode: 0o700)
    return try places.seals.folder(FilePath(job))
  }

  /// Who may read and write what procd makes, where nothing else is asked for.
  package static let usualMode: UInt32 = 0o660

  /// What results get.
  package struct Attributes: Sendable {
    /// That of their source; nil for the time at which they were made.
    package var modified: FileTime?
    package var access: PlaceAccess
    package init(modified: FileTime?, access: PlaceAccess) {
      self.modified = modified
      self.access = access
    }
  }

  /// Gives collected artifacts their final mode, group and time, and syncs them.
  package func seal(
    _ names: [FilePath], job: String, _ attributes: Attributes
  ) throws(FileError) {
    let folder = try folder(job: job)
    for name in names {
      let file = try folder.reading(name)
      try give(attributes.access, to: file)
      if let modified = attributes.modified { try file.setModified(modified) }
      try file.sync()
    }
  }

  /// Writes a file of ours (report, why.txt) into the seal, synced.
  package func write(
    _ bytes: [UInt8], as name: FilePath, job: String, _ access: PlaceAccess
  ) throws(FileError) {
    let folder = try folder(job: job)
    try folder.remove(name)
    try make(name, of: bytes, in: folder, access)
  }

  private func give(_ access: PlaceAccess, to file: OpenFile) throws(FileError) {
    // Where the group cannot be given, ours stands: a matter of rights, not of the result.
    if let group = access.group { _ = file.setGroup(group) }
    try file.setMode(access.mode ?? Self.usualMode)
  }

  /// Writes a file of ours anew where it still waits in the seal: at every instant the old one or the new
  /// one stands there, because one that is missing counts as published.
  package func rewrite(
    _ bytes: [UInt8], as name: FilePath, job: String
  ) throws(FileError) {
    let folder = try folder(job: job)
    guard let standing = try folder.status(name) else { return }
    let temporary = FilePath("\(name.string).new")
    try folder.remove(temporary)
    let access = PlaceAccess(mode: standing.mode & 0o777, group: standing.group)
    try make(temporary, of: bytes, in: folder, access)
    try folder.replace(name, by: temporary)
  }

  private func make(
    _ name: FilePath, of bytes: [UInt8], in folder: Folder, _ access: PlaceAccess
  ) throws(FileError) {
    let file = try folder.creating(name)
    try file.write(bytes.span)
    try give(access, to: file)
    try file.sync()
  }

  /// Gathers the named files into a folder that is published by one rename.
  package func gather(
    _ files: [(name: FilePath, as: FilePath)], job: String, _ access: PlaceAccess
  ) throws(FileError) {
    let folder = try folder(job: job)
    let inner = try folder.makeFolders(
      Self.folderName, mode: 0o770, exactly: access.folderMode, group: access.group)
    for (name, newName) in files { _ = try folder.rename(name, to: inner, as: newName) }
    try inner.sync()
  }

  /// Makes the seal's entries durable; after this the ledger may say `publishing`.
  package func finish(job: String) throws(FileError) {
    try folder(job: job).sync()
    try places.seals.sync()
  }

  /// Throws a seal away.
  package func discard(job: String) throws(FileError) {
    let name = FilePath(job)
    guard try places.seals.exists(name) else { return }
    try places.seals.removeTree(name)
  }
}
