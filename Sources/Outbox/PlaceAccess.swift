internal import Files
internal import SystemPackage

/// Who may do what with the files of a place.
package struct PlaceAccess: Sendable, Equatable {
  /// Permission bits; nil where files keep what they have.
  package var mode: UInt32?
  /// The number of a group; nil where files keep theirs.
  package var group: UInt32?

  package init(mode: UInt32? = nil, group: UInt32? = nil) {
    self.mode = mode
    self.group = group
  }

  /// The permissions of its folders: whoever may read a file there may enter.
  var folderMode: UInt32? { mode.map { $0 | ($0 & 0o444) >> 2 } }

  /// Gives an original what is asked for. What this process may not give is left as it is: a matter of
  /// rights, which `procd check` tells, not of the file.
  ///
  /// - Parameter name: a file, or a folder of files, in `folder`.
  func apply(to name: FilePath, in folder: Folder) throws(FileError) {
    guard mode != nil || group != nil, let status = try folder.status(name) else { return }
    switch status.kind {
    case .regular: try apply(to: folder.reading(name), mode)
    case .folder:
      let inner = try folder.folder(name)
      for file in try inner.names() where try inner.status(file)?.kind == .regular {
        try apply(to: inner.reading(file), mode)
      }
      try apply(to: folder.reading(name), folderMode)
    case .link, .other: break
    }
  }

  private func apply(to file: OpenFile, _ mode: UInt32?) throws(FileError) {
    if let group { _ = file.setGroup(group) }
    guard let mode else { return }
    do { try file.setMode(mode) } catch {
      // Not the owner, or a file system without permissions.
      let harmless: [Errno] = [.notPermitted, .permissionDenied, .notSupportedOnSocket]
      guard harmless.contains(error.errno) else { throw error }
    }
  }
}
