package import Files
internal import Pipelines
internal import SystemPackage

/// A procd that waits for a disk at its start. It has no spool yet that it could hold, and so holds the file of its
/// configuration until the disk is there.
package enum WaitingRun {
  /// Says that this process waits, for as long as somebody knows the file. Where it cannot be held, nobody sees that
  /// it waits; it waits all the same.
  package static func begin(_ active: ActiveConfiguration) -> OpenFile? {
    let file = file(of: active)
    return file?.lock() == true ? file : nil
  }

  /// The process that waits with a configuration; nil where none does, or none that this process may see.
  package static func process(of active: ActiveConfiguration) -> Int32? {
    guard let holder = file(of: active)?.lockHolder(),
      processName(holder)?.hasPrefix("procd") == true
    else { return nil }
    return holder
  }

  private static func file(of active: ActiveConfiguration) -> OpenFile? {
    guard let path = active.file, let name = path.lastComponent else { return nil }
    return try? Folder.open(path.removingLastComponent()).following(FilePath(name: name))
  }
}
