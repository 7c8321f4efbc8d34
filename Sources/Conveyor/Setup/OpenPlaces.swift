internal import Files
internal import Outbox
internal import Pipelines
internal import Synchronization
internal import SystemPackage

/// The open folders that results and originals go to. A folder that is held open is still there for its
/// holder when it was removed or moved away, but for nobody else: before something is put into one it is
/// made sure that it is the one at its path.
final class OpenPlaces: Sendable {
  private let paths: [Place: FilePath]
  /// Whether what is sealed waits in a folder of the outbox.
  private let sealsInOutbox: Bool
  private let places: Mutex<Places>
  /// Where another file system is mounted now, or none any more, it is waited for, rather than filling what
  /// lies below the mount.
  let mounts: Mounts

  init(
    _ places: Places, at paths: [Place: FilePath], sealsInOutbox: Bool, _ mounts: Mounts
  ) {
    self.mounts = mounts
    self.paths = paths
    self.sealsInOutbox = sealsInOutbox
    self.places = Mutex(places)
  }

  var now: Places { places.withLock { $0 } }

  /// Opens again those of some places that are no longer at their paths, and makes those that are missing.
  ///
  /// - Returns: which were.
  /// - Throws: where another file system stands in the place of one.
  func renew(_ needed: Set<Place>) throws(FileError) -> [Place] {
    var renewed: [Place] = []
    for (place, path) in paths where needed.contains(place) {
      // One whose server or device is gone has no status any more.
      if (try? now[place].isAtItsPath()) == true { continue }
      switch mounts.trouble() {
      case nil: break
      case .waits(let why), .appeared(let why), .returned(let why):
        throw FileError("use", path, .operationNotSupportedByDevice, reason: why)
      }
      let folder = try Folder.make(path, like: now[place])
      let seals = place == .outbox && sealsInOutbox ? try Spool.own("seal", in: folder) : nil
      places.withLock {
        $0[place] = folder
        if let seals { $0.seals = seals }
      }
      renewed.append(place)
    }
    return renewed
  }
}
