internal import Files
internal import Pipelines
internal import SystemPackage

/// Goes through a place and tells what stands there and belongs to no job.
struct Walk {
  private let verification: Verification
  private let place: Place

  init(_ verification: Verification, _ place: Place) {
    self.verification = verification
    self.place = place
  }

  func run() throws {
    guard let root = verification.folder(place) else { return }
    var waiting: [FilePath] = [""]
    while let path = waiting.popLast() {
      guard let folder = try? root.folder(path) else {
        tell(.unreadable, path, "the folder cannot be read")
        continue
      }
      try folder.forEachName { name in
        let full = path.appending(name.components)
        // What waits is ours alone: `SpoolCheck` looks there.
        if path.isEmpty, name == ".procd" { return }
        if try verification.isKnown(place, full) { return }
        if path.isEmpty, isPage(name) { return }
        if name.string.hasPrefix(".procd") {
          return tell(.leftover, full, "a temporary file of procd's")
        }
        if try folder.status(name)?.kind == .folder {
          waiting.append(full)
        } else {
          tell(.extra, full, "no job in the ledger put it here")
        }
      }
    }
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

  func run(daemonRuns: Bool) throws {
    guard !daemonRuns else { return }
    let active = verification.active
    let spool = try? Folder.open(active.spool)
    let places: [(String, Folder?)] =
      [("spool", spool), ("inbox", own(of: active.inbox))]
      + Place.allCases.map { ($0.rawValue, own(of: active.folder($0))) }
    var claimed: Set<String> = []
    for (place, folder) in places {
      guard let folder else { continue }
      for name in try names(of: folder, "claimed") where try isClaim(folder, name) {
        claimed.insert(name.string)
        if !unfinished.contains(name.string) {
          tell(
            .unmatched, place, ["claimed", name],
            "a file in work that the ledger does not know; the next start of procd takes it up")
        }
      }
      for name in try names(of: folder, "seal") where !unfinished.contains(name.string) {
        tell(.leftover, place, ["seal", name], "a sealed result of no job in work")
      }
      for kind in [FilePath("work"), FilePath("trash")] {
        for name in try names(of: folder, kind) {
          tell(.leftover, place, [kind, name], "left by a run that was cut off")
        }
      }
      guard place != "spool" else { continue }
      try folder.forEachName { name in
        if try folder.status(name)?.kind == .regular || name.string.contains(".") {
          tell(.leftover, place, [".procd", name], "a temporary file of procd's")
        }
      }
    }
    for job in unfinished.subtracting(claimed).sorted() {
      verification.add(
        Difference(
          .unmatched, "ledger", FilePath(job), job: job,
          "the job is not done, and none of procd's folders holds its file"))
    }
  }

  private func own(of place: FilePath) -> Folder? {
    try? Folder.open(place).folder(".procd")
  }

  /// The names in a sub-folder; none where it is missing.
  private func names(of folder: Folder, _ name: FilePath) throws -> [FilePath] {
    guard let inner = try? folder.folder(name) else { return [] }
    return try inner.names().sorted { $0.string < $1.string }
  }

  private func isClaim(_ folder: Folder, _ name: FilePath) throws -> Bool {
    let claims = try folder.folder("claimed")
    return try claims.status(name)?.kind == .folder && claims.folder(name).exists("source")
  }

  private func tell(
    _ kind: Difference.Kind, _ place: String, _ path: [FilePath], _ message: String
  ) {
    let full = path.reduce(FilePath()) { $0.appending($1.components) }
    verification.add(Difference(kind, place, full, message))
  }
}
