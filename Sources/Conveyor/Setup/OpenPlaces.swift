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
  private let places: Mutex<Places>

  init(_ places: Places, at paths: [Place: FilePath]) {
    self.paths = paths
    self.places = Mutex(places)
  }

  var now: Places { places.withLock { $0 } }

  /// Opens those anew that are no longer at their paths, and makes those that are missing.
  ///
  /// - Returns: which were.
  func renew() throws(FileError) -> [Place] {
    var renewed: [Place] = []
    for (place, path) in paths {
      let old = try now[place].status()
      if let standing = try Folder.standing(path), try standing.status().isSameFile(as: old) {
        continue
      }
      let folder = try Folder.make(path)
      places.withLock { $0[place] = folder }
      renewed.append(place)
    }
    return renewed
  }
}
