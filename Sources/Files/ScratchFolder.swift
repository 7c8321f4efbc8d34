internal import Glibc
package import SystemPackage

/// A folder of our own, among the temporary ones unless another place is named: below TMPDIR where that is an
/// absolute path, else below /tmp. Only this user can look into it.
package struct ScratchFolder: Sendable {
  package let folder: Folder
  package var path: FilePath { folder.path }

  /// - Parameters:
  ///   - purpose: a word for its name, so that people see whose it is.
  ///   - folder: where it is made, absolute; among the temporary ones when left out.
  package init(for purpose: String, in folder: FilePath? = nil) throws(FileError) {
    let wanted = folder ?? (unsafe getenv("TMPDIR").map { unsafe FilePath(String(cString: $0)) })
    let place = wanted.flatMap { $0.isAbsolute ? $0 : nil } ?? "/tmp"
    var template = Array(place.appending("procd-\(purpose)-XXXXXX").string.utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw FileError("make a temporary folder in", place, Errno(rawValue: errno))
    }
    self.folder = try Folder.open(FilePath(platformString: template))
  }

  /// Removes what earlier runs that were killed left in a folder; what a run that goes on has there is locked.
  ///
  /// - Parameters:
  ///   - purpose: as when they were made.
  ///   - age: seconds that one must not have changed: one that was just made may not be locked yet.
  package static func removeLeft(
    by purpose: String, in folder: FilePath, age: Int = 60
  ) throws(FileError) {
    let place = try Folder.open(folder)
    for name in try place.names() where name.string.hasPrefix("procd-\(purpose)-") {
      guard let left = try? place.folder(name), left.lock(),
        try left.status().modified.seconds < Int64(time(nil)) - Int64(age)
      else { continue }
      try place.removeTree(name)
    }
  }

  /// Removes it with all that is in it. What cannot be removed is in nobody's way there.
  package func remove() {
    try? folder.removeContents()
    unsafe rmdir(path.string)
  }
}
