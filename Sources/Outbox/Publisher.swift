package import Files
internal import Glibc
package import Pipelines
package import SystemPackage

/// Carries out a publication. Every step may be repeated: what is done is recognized and left.
package struct Publisher: Sendable {
  package let places: Places
  /// What originals, and folders that are made for them or for results, get.
  package let access: [Place: PlaceAccess]

  package init(places: Places, access: [Place: PlaceAccess] = [:]) {
    self.places = places
    self.access = access
  }

  /// A name that somebody else took between reservation and publication, or that its file system does not
  /// take.
  package struct Taken: Error, Sendable, CustomStringConvertible {
    package var item: Publication.Item
    /// Whether the folder cannot be used, rather than the name in it.
    package var isFolder = false

    package var description: String {
      "neither \(item.path.printable) nor another name can be used in the \(item.place.rawValue)"
    }
  }

  /// What says that a name cannot be used, of a matter of the place or of rights: too long, not allowed there,
  /// or leading elsewhere.
  private static let faultsOfNames: Set<Errno> = [
    .fileNameTooLong, .invalidArgument, .illegalByteSequence, .tooManySymbolicLinkLevels,
    .notDirectory,
    .fileExists, .improperLink,
  ]

  /// Moves the sealed items out, in order, durably. A sealed file that is missing *is* published:
  /// a consumer may have taken it already.
  package func publish(_ publication: Publication, job: String) throws {
    let name = FilePath(job)
    // A file that is missing was published; a seal that is missing was not: it goes after the job.
    let seal = try places.seals.folder(name)
    try withdrawReport(publication, seal)
    var touched: [Folder] = []
    for (index, item) in publication.items.enumerated() {
      guard try seal.exists(item.sealed) else { continue }
      // The report says that all before it stands: it must not be durable earlier.
      if index == publication.items.count - 1 {
        for folder in touched { try folder.sync() }
        touched = []
      }
      touched.append(try move(from: seal, item, job: job))
    }
    for folder in touched { try folder.sync() }
    try seal.sync()
  }

  /// Takes away the report that is to be replaced before the results are: no report ever stands beside results
  /// that it does not tell of.
  private func withdrawReport(_ publication: Publication, _ seal: Folder) throws {
    guard let report = publication.items.last, report.replaces, try seal.exists(report.sealed),
      let last = report.path.lastComponent,
      let folder = try places[report.place].standing(report.path.removingLastComponent())
    else { return }
    let name = FilePath(name: last)
    guard try folder.status(name)?.kind == .regular else { return }
    if try folder.remove(name) { try folder.sync() }
  }

  /// Moves the original to its last place, with a copy of its report beside it where wanted.
  ///
  /// - Parameter source: the folder of the claim, and the name of the bytes in it.
  package func release(
    _ publication: Publication, from source: Folder, name: FilePath, job: String
  ) throws {
    if let report = publication.originalReport,
      let seal = try places.seals.standing(FilePath(job)), try seal.exists(report.sealed)
    {
      try move(from: seal, report, job: job).sync()
      try seal.sync()
    }
    guard try source.exists(name) else { return }
    var original = publication.original
    original.sealed = name
    // Before it can be seen.
    try access[original.place]?.apply(to: name, in: source)
    let folder = try move(from: source, original, job: job)
    try folder.sync()
    try source.sync()
  }

  /// Moves one file without replacing another; returns the folder it went to, not synced.
  private func move(from folder: Folder, _ item: Publication.Item, job: String) throws -> Folder {
    let root = places[item.place]
    guard let last = item.path.lastComponent else { throw Taken(item: item) }
    let name = FilePath(name: last)
    let target: Folder
    do throws(FileError) {
      let access = access[item.place]
      target = try root.makeFolders(
        item.path.removingLastComponent(), exactly: access?.folderMode, group: access?.group)
    } catch {
      guard Self.faultsOfNames.contains(error.errno) else { throw error }
      throw Taken(item: item, isFolder: true)
    }
    try inherit(from: target, to: item.sealed, in: folder, item)
    switch try put(item.sealed, of: folder, at: name, in: target, item) {
    case .done, .missing: return target
    case .taken:
      guard try isOne(folder, item.sealed, target, name) else { throw Taken(item: item) }
      try target.sync()
      try folder.remove(item.sealed)
      return target
    case .otherMount where try folder.status(item.sealed)?.kind == .folder:
      try copyFolderAcross(from: folder, item, to: target, name, root: root, job: job)
      return target
    case .otherMount:
      try copyAcross(from: folder, item, to: target, name, root: root, job: job)
      return target
    }
  }

  /// Gives a result the rights of files that are made in its folder, before it can be seen there. Originals keep theirs.
  private func inherit(
    from target: Folder, to name: FilePath, in folder: Folder, _ item: Publication.Item
  ) throws(FileError) {
    guard item.place == .outbox else { return }
    let chosen = access[item.place]
    try InheritedRights(from: target).give(
      to: name, in: folder, keepsGroup: chosen?.group != nil, keepsMode: chosen?.mode != nil)
  }

  /// Renames to the last name; one that its file system does not take is taken.
  private func put(
    _ sealed: FilePath, of folder: Folder, at name: FilePath, in target: Folder,
    _ item: Publication.Item
  ) throws -> Folder.RenameResult {
    do throws(FileError) {
      return try folder.rename(sealed, to: target, as: name, replacing: item.replaces)
    } catch {
      guard Self.faultsOfNames.contains(error.errno) else { throw error }
      throw Taken(item: item)
    }
  }

  /// Whether two names are one file: a move that a crash cut between its two folders, or between link
  /// and unlink where there is no rename that spares what stands.
  private func isOne(
    _ folder: Folder, _ name: FilePath, _ target: Folder, _ newName: FilePath
  ) throws(FileError) -> Bool {
    guard let old = try folder.status(name), let new = try target.status(newName) else {
      return false
    }
    return old.kind == .regular && old.isSameFile(as: new)
  }

  /// Between mounts: a copy under a name of ours, synced and compared, then renamed, then the
  /// source removed.
  private func copyAcross(
    from folder: Folder, _ item: Publication.Item, to target: Folder, _ name: FilePath,
    root: Folder, job: String
  ) throws {
    let own = try root.makeOwn()
    let temporary = FilePath("\(job).\(item.sealed.string)")
    try own.remove(temporary)
    let digest = try copy(item.sealed, of: folder, to: own, as: temporary)
    try inherit(from: target, to: temporary, in: own, item)
    switch try put(temporary, of: own, at: name, in: target, item) {
    case .done: break
    case .missing, .otherMount: throw FileError("rename", target.path, .improperLink)
    case .taken:
      // A crash between rename and unlink: the same bytes stand there already.
      let standing = try target.reading(name)
      guard try standing.digest() == digest else {
        try own.remove(temporary)
        throw Taken(item: item)
      }
      try own.remove(temporary)
    }
    try target.sync()
    try folder.remove(item.sealed)
  }

  /// Copies one file with its mode, group and time, synced and compared.
  private func copy(
    _ name: FilePath, of folder: Folder, to target: Folder, as newName: FilePath
  ) throws -> ContentDigest {
    let source = try folder.reading(name)
    let status = try source.status()
    let copy = try target.creating(newName)
    let digest = try source.copy(to: copy)
    try copy.setMode(status.mode & 0o777)
    _ = copy.setGroup(status.group)
    try copy.setModified(status.modified)
    try copy.sync()
    guard try copy.digest() == digest, digest.bytes == status.size else {
      throw FileError("copy", target.path, .ioError)
    }
    return digest
  }

  /// The same for a folder of files, of which only the whole appears under its name.
  private func copyFolderAcross(
    from folder: Folder, _ item: Publication.Item, to target: Folder, _ name: FilePath,
    root: Folder, job: String
  ) throws {
    let own = try root.makeOwn()
    let temporary = FilePath("\(job).\(item.sealed.string)")
    try own.removeTree(temporary)
    try own.makeFolder(temporary, mode: 0o770)
    let source = try folder.folder(item.sealed)
    let copies = try own.folder(temporary)
    var digests: [FilePath: ContentDigest] = [:]
    for file in try source.names() where try source.status(file)?.kind == .regular {
      digests[file] = try copy(file, of: source, to: copies, as: file)
    }
    try inherit(from: target, to: temporary, in: own, item)
    try copies.sync()
    switch try put(temporary, of: own, at: name, in: target, item) {
    case .done: break
    case .missing, .otherMount: throw FileError("rename", target.path, .improperLink)
    case .taken:
      // A crash before the source was removed: the same files stand there already.
      let standing = try target.folder(name)
      for (file, digest) in digests {
        guard try standing.exists(file), try standing.reading(file).digest() == digest else {
          try own.removeTree(temporary)
          throw Taken(item: item)
        }
      }
      try own.removeTree(temporary)
    }
    try target.sync()
    try folder.removeTree(item.sealed)
  }
}
