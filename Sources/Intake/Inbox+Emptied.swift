package import Files
internal import Pipelines
package import SystemPackage

extension Inbox {
  /// Removes sub-folders that have been empty for as long as the configuration says, with those that are empty then.
  /// A folder that somebody puts a file into at that moment stays: the kernel removes empty ones only.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: what was removed, below the inbox, and what the system said of the first that could not be.
  package func removeEmptyFolders(
    at now: Int64
  ) throws(FileError) -> (removed: [FilePath], failure: FileError?) {
    guard settings.recursive, let pause = settings.removeEmpty else { return ([], nil) }
    let root = try root()
    var waiting: [FilePath] = [""], rested: [FilePath] = []
    // Folders before what is in them. What cannot be looked into was told of by the scan before.
    while let path = waiting.popLast() {
      guard let folder = path.isEmpty ? root : try? root.folder(path, .guarded),
        let names = try? folder.names()
      else { continue }
      for name in names {
        guard let component = name.lastComponent, let status = try? folder.status(name),
          status.kind == .folder, !isOurs(status), !Folder.isOwnName(name),
          ignoringPattern(of: path.appending(component).appending("_")) == nil
        else { continue }
        let below = path.appending(component)
        waiting.append(below)
        if now - status.changed.milliseconds >= pause { rested.append(below) }
      }
    }
    var removed: [FilePath] = [], failure: FileError?
    for path in rested.reversed() {
      guard let name = path.lastComponent else { continue }
      let parent = path.removingLastComponent()
      do throws(FileError) {
        let folder = parent.isEmpty ? root : try root.folder(parent, .guarded)
        if try folder.removeEmptyFolder(FilePath(name: name)) { removed.append(path) }
      } catch { failure = failure ?? error }
    }
    return (removed, failure)
  }
}
