internal import Files
package import Pipelines
package import SystemPackage

/// A folder of the configuration whose file system does not answer: its server or device is gone, or hangs.
package struct SilentFolder: Sendable, Equatable {
  /// What the documents call it.
  package var name: String
  package var path: FilePath

  /// What happened and what to do, one sentence without its stop.
  package var sentence: String {
    "the \(name), \(path.printable), does not answer: its server or device is gone or hangs;"
      + " bring that back, or unmount the folder (umount -l)"
  }

  /// The same as the error of a call that was not even made.
  var error: FileError { FileError("use", path, .timedOut, reason: sentence) }
}

extension ActiveConfiguration {
  /// Which folders are asked whether they answer.
  package enum ProbedFolders: Sendable {
    case all, inbox
    /// The inbox, and the folders in it that sources are fetched into.
    case sources
  }

  private func probed(_ folders: ProbedFolders) -> [SilentFolder] {
    var probed = [SilentFolder(name: "inbox", path: inbox)]
    if case .inbox = folders { return probed }
    for source in configuration.sources where !source.to.isEmpty {
      let path = inbox.appending(FilePath(source.to).components)
      probed.append(SilentFolder(name: "folder of the source \(source.id)", path: path))
    }
    guard case .all = folders else { return probed }
    probed += Place.allCases.map { SilentFolder(name: $0.rawValue, path: folder($0)) }
    if let file = metricsFile {
      probed.append(
        SilentFolder(name: "folder of the metrics", path: file.removingLastComponent()))
    }
    return probed
  }

  /// Returns the folders that do not answer, which must not be gone into: the call might never return.
  ///
  /// The spool is not among them: without its ledger procd can neither do nor say anything.
  package func silentFolders(_ folders: ProbedFolders = .all) -> [SilentFolder] {
    let probed = probed(folders)
    let silent = FolderProbe.shared.silent(of: probed.map(\.path))
    return probed.filter { silent.contains($0.path) }
  }

  /// Returns whether all the folders of some places answer.
  package func answer(_ places: Place...) -> Bool {
    FolderProbe.shared.silent(of: places.map(folder)).isEmpty
  }
}
