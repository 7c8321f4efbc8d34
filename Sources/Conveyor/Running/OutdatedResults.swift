internal import Files
internal import Pipelines
package import SystemPackage

/// What an earlier `convert` made of a file that has changed since, and the present one does not make any longer: with
/// it, results of two editions would stand under one name.
package struct OutdatedResults: Sendable {
  /// Came together with one that was replaced now, and were removed. Relative to the folder of results.
  package var removed: [FilePath] = []
  /// Came alone: other rules may have made them, and they stay.
  package var left: [FilePath] = []

  package init() {}
}

extension Workbench {
  /// What an earlier call made together with the results that stand at these paths, of the same file.
  package func madeTogether(with paths: [FilePath], of origin: ResultOrigin) -> Set<FilePath> {
    var names: Set<FilePath> = []
    for path in paths {
      guard let folder = (try? base.standing(path.removingLastComponent())) ?? nil,
        let last = path.lastComponent, let file = try? folder.reading(FilePath(name: last)),
        let earlier = ResultOrigin(of: file), earlier.name == origin.name, !earlier.isOf(origin)
      else { continue }
      names.formUnion(earlier.names)
    }
    return names
  }

  /// - Parameters:
  ///   - stem: the path of the results without what follows the stem of their names.
  ///   - placed: those that stand there now.
  ///   - endings: what may follow the stem.
  ///   - before: what came together with results that were replaced now.
  ///   - removes: whether they are removed, as results of before are replaced; else they are told alone.
  package func clearOutdated(
    at stem: FilePath, placed: [FilePath], endings: Set<String>, before: Set<FilePath>,
    of origin: ResultOrigin, removes: Bool
  ) throws(WorkbenchFailure) -> OutdatedResults {
    var outdated = OutdatedResults()
    let new = Set(placed.compactMap { $0.lastComponent.map { FilePath(name: $0) } })
    let newNames = Set(new.map(\.printable))
    guard let last = stem.lastComponent else { return outdated }
    var waiting = Set(endings.map { FilePath(bytes: FilePath(name: last).bytes + Array($0.utf8)) })
    waiting.formUnion(before)
    var seen = new
    do throws(FileError) {
      guard let folder = try base.standing(stem.removingLastComponent()) else { return outdated }
      while let name = waiting.popFirst() {
        // A name that would be too long has nobody.
        guard seen.insert(name).inserted, let status = (try? folder.status(name)) ?? nil,
          status.kind == .regular, let file = try? folder.reading(name),
          let earlier = ResultOrigin(of: file), earlier.name == origin.name, !earlier.isOf(origin)
        else { continue }
        waiting.formUnion(earlier.names)
        let path = name.lastComponent.map { stem.removingLastComponent().appending($0) } ?? name
        // One that somebody has edited is not ours alone any more.
        guard removes, earlier.role == origin.role, earlier.size == status.size,
          earlier.results.contains(where: newNames.contains)
        else {
          outdated.left.append(path)
          continue
        }
        try folder.remove(name)
        outdated.removed.append(path)
      }
    } catch { throw WorkbenchFailure(error) }
    return outdated
  }
}
