package import Files
package import Pipelines
package import SystemPackage

/// The open folders that results travel through.
package struct Places: Sendable {
  package var outbox: Folder
  package var archive: Folder
  package var quarantine: Folder
  /// On the mount of the outbox, ours alone: what is sealed and not yet published.
  package var seals: Folder
  /// Ours alone: folders that steps write to.
  package var work: Folder
  package var trash: Folder

  package init(
    outbox: Folder, archive: Folder, quarantine: Folder, seals: Folder, work: Folder, trash: Folder
  ) {
    self.outbox = outbox
    self.archive = archive
    self.quarantine = quarantine
    self.seals = seals
    self.work = work
    self.trash = trash
  }

  package subscript(place: Place) -> Folder {
    get {
      switch place {
      case .outbox: outbox
      case .archive: archive
      case .quarantine: quarantine
      }
    }
    set {
      switch place {
      case .outbox: outbox = newValue
      case .archive: archive = newValue
      case .quarantine: quarantine = newValue
      }
    }
  }

  /// Whether nothing stands at a path, nor anything but folders on the way to it.
  package func isFree(_ place: Place, _ path: FilePath) -> Bool {
    var folder = self[place]
    for component in path.removingLastComponent().components {
      let name = FilePath(name: component)
      guard let status = try? folder.status(name) else { return true }
      guard status.kind == .folder, let inner = try? folder.folder(name) else { return false }
      folder = inner
    }
    guard let last = path.lastComponent else { return false }
    do { return try !folder.exists(FilePath(name: last)) } catch { return false }
  }

  /// The folder that mirrors one of the inbox. Where a file stands in the way of a folder, the
  /// folder gets a tilde: a result may not become a parent.
  package func usableFolder(_ place: Place, _ path: FilePath) -> FilePath {
    var folder: Folder? = self[place]
    var usable = FilePath()
    for component in OutputName.folder(path).components {
      var name = FilePath(name: component)
      var serial = 0
      while let open = folder, let status = try? open.status(name), status.kind != .folder {
        serial += 1
        let suffix = serial == 1 ? "~" : "~\(serial)"
        name = OutputName.fitted(FilePath(name: component).bytes, Array(suffix.utf8))
      }
      usable = usable.appending(name.components)
      folder = folder.flatMap { try? $0.folder(name) }
    }
    return usable
  }
}
