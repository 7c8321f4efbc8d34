internal import Glibc
package import SystemPackage

/// A folder of our own among the temporary ones: below TMPDIR where that is an absolute path, else
/// below /tmp. Only this user can look into it.
package struct ScratchFolder: Sendable {
  package let folder: Folder
  package var path: FilePath { folder.path }

  /// - Parameter purpose: a word for its name, so that people see whose it is.
  package init(for purpose: String) throws(FileError) {
    let wanted = unsafe getenv("TMPDIR").map { unsafe FilePath(String(cString: $0)) }
    let place = wanted.flatMap { $0.isAbsolute ? $0 : nil } ?? "/tmp"
    var template = Array(place.appending("procd-\(purpose)-XXXXXX").string.utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw FileError("make a temporary folder in", place, Errno(rawValue: errno))
    }
    folder = try Folder.open(FilePath(platformString: template))
  }

  /// Removes it with all that is in it. What cannot be removed is in nobody's way there.
  package func remove() {
    try? folder.removeContents()
    unsafe rmdir(path.string)
  }
}
