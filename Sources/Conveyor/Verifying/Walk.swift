internal import Files
internal import Pipelines
internal import SystemPackage

/// Goes through a place and tells what stands there and belongs to no job.
struct Walk {
  private let verification: Verification
  private let place: Place
  /// The name of the folder there that is ours alone.
  private let own: FilePath?
  /// The name of the file there that says that its disk is mounted.
  private let marker: String?

  init(_ verification: Verification, _ place: Place) {
    self.verification = verification
    self.place = place
    marker = verification.active.configuration.access(place).marker
    let own = (try? verification.folder(place)?.own()) ?? nil
    self.own = own?.path.lastComponent.map { FilePath(name: $0) }
  }

  func run() throws {
    guard let root = verification.folder(place) else { return }
    var waiting: [FilePath] = [""]
    while let path = waiting.popLast() {
      do {
        // One that is gone by now was taken.
        guard let folder = try root.standing(path) else { continue }
        try folder.forEachName { name in
          let full = path.appending(name.components)
          if try isToBeWalked(name, at: full, in: folder) { waiting.append(full) }
        }
      } catch let error as FileError { tell(.unreadable, path, "\(error)") }
    }
  }

  /// Looks at one entry and tells of it where it belongs to no job.
  ///
  /// - Returns: whether it is a folder that may hold both.
  private func isToBeWalked(
    _ name: FilePath, at path: FilePath, in folder: Folder
  ) throws -> Bool {
    let isAtTop = path.components.count == 1
    // What waits is ours alone: `SpoolCheck` looks there.
    if isAtTop, name == own { return false }
    if try verification.isKnown(place, path) { return false }
    if isAtTop, isPage(name) || name.string == marker { return false }
    if Folder.isOwnName(name) {
      tell(.leftover, path, "a temporary file of procd's, or somebody's under such a name")
      return false
    }
    if try folder.status(name)?.kind == .folder { return true }
    tell(.extra, path, "no job in the ledger put it here")
    return false
  }

  /// A page of a list, which is written over.
  private func isPage(_ name: FilePath) -> Bool {
    place == .outbox && name.string.hasSuffix(".status.html")
  }

  private func tell(_ kind: Difference.Kind, _ path: FilePath, _ message: String) {
    verification.add(Difference(kind, place.rawValue, path, message))
  }
}

/// Looks at what is ours alone: claims, seals, work folders, temporary names. While a daemon runs all of
/// it may be in use.
struct SpoolCheck {
  private let verification: Verification
  private let unfinished: Set<String>

  init(_ verification: Verification, _ unfinished: Set<String>) {
    self.verification = verification
    self.unfinished = unfinished
  }

  func run(daemonRuns: Bool) {
    guard !daemonRuns else { return }
    let active = verification.active
    var claimed: Set<String> = [], isWhole = true
    for (place, path) in [("spool", active.spool), ("inbox", active.inbox)]
      + Place.allCases.map({ ($0.rawValue, active.folder($0)) })
    {
      do {
        guard let folder = try Self.own(of: path, isSpool: place == "spool") else { continue }
        claimed.formUnion(try claims(of: folder, place))
        try look(into: folder, place)
      } catch {
        isWhole = false
        if !verification.isUnreadable(place) {
          tell(.unreadable, place, [".procd"], "\(error)")
        }
      }
    }
    // A claim may lie where nothing could be seen.
    guard isWhole else { return }
    for job in unfinished.subtracting(claimed).sorted() {
      verification.add(
        Difference(
          .unmatched, "ledger", FilePath(job), job: job,
          "the job is not done, and none of procd's folders holds its file"))
    }
  }

  /// The folder in a place that is ours alone; the spool is as a whole.
  private static func own(of place: FilePath, isSpool: Bool) throws(FileError) -> Folder? {
    let folder = try Folder.standing(place)
    return isSpool ? folder : try folder?.own()
  }

  /// The jobs whose files lie there.
  private func claims(of folder: Folder, _ place: String) throws(FileError) -> Set<String> {
    guard let claims = try folder.standing("claimed") else { return [] }
    var jobs: Set<String> = []
    for name in try claims.names().sorted(by: { $0.string < $1.string }) {
      guard try claims.status(name)?.kind == .folder, try claims.folder(name).exists("source")
      else { continue }
      jobs.insert(name.string)
      if !unfinished.contains(name.string) {
        tell(
          .unmatched, place, ["claimed", name],
          "a file in work that the ledger does not know; the next start of procd takes it up")
      }
    }
    return jobs
  }

  private func look(into folder: Folder, _ place: String) throws {
    for name in try names(of: folder, "seal") where !unfinished.contains(name.string) {
      tell(.leftover, place, ["seal", name], "a sealed result of no job in work")
    }
    for kind in [FilePath("work"), FilePath("trash")] {
      for name in try names(of: folder, kind) {
        tell(.leftover, place, [kind, name], "left by a run that was cut off")
      }
    }
    guard place != "spool" else { return }
    try folder.forEachName { name in
      if try folder.status(name)?.kind == .regular || name.string.contains(".") {
        tell(.leftover, place, [".procd", name], "a temporary file of procd's")
      }
    }
  }

  /// The names in a sub-folder; none where it is missing.
  private func names(of folder: Folder, _ name: FilePath) throws(FileError) -> [FilePath] {
    try folder.standing(name)?.names().sorted { $0.string < $1.string } ?? []
  }

  private func tell(
    _ kind: Difference.Kind, _ place: String, _ path: [FilePath], _ message: String
  ) {
    let full = path.reduce(FilePath()) { $0.appending($1.components) }
    verification.add(Difference(kind, place, full, message))
  }
}
