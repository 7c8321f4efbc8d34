package import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

/// Whether inbox, outbox, archive and quarantine are still what they were at the start: a disk may be mounted
/// late, or go away, and what is written meanwhile would lie below it or be the wrong disk's.
struct Mounts: Sendable {
  /// What stands in the way, and what to do about it.
  enum Trouble: Equatable {
    /// To be waited for; one sentence.
    case waits(String)
    /// Something was mounted over a folder, with what lies there: procd is to begin anew with it.
    case appeared(String)
    /// The same file system was mounted again: the same, once the spool is back too.
    case returned(String)
  }

  private struct Known: Sendable {
    let name: String
    let path: FilePath
    let marker: String?
    let chain: [Mount]
    /// Nil where nothing was there.
    let place: PathPlace?
  }

  private let known: [Known]

  init(_ active: ActiveConfiguration) throws(FileError) {
    var known: [Known] = []
    for (name, path, marker) in active.markedFolders {
      known.append(
        Known(
          name: name, path: path, marker: marker, chain: try Mount.chain(of: path),
          place: try PathPlace(path)))
    }
    self.known = known
  }

  /// What is other than at the start; nil where all is as it was.
  func trouble() -> Trouble? {
    var appeared: Trouble?, missing: [String] = [], gone: [Known] = []
    // What does not answer is reported for that.
    let silent = FolderProbe.shared.silent(of: known.map(\.path))
    for place in known where !silent.contains(place.path) {
      do throws(FileError) {
        if let lack = Self.missing(place.name, place.path, marker: place.marker) {
          missing.append(lack)
          continue
        }
        let chain = try Mount.chain(of: place.path)
        if chain == place.chain { continue }
        if chain.count > place.chain.count, chain.suffix(place.chain.count) == place.chain[...] {
          appeared = .appeared(
            "something was mounted at the \(place.name), \(place.path.printable)")
        } else if let before = place.place, try PathPlace(place.path)?.isSame(as: before) == true {
          // What is open of it here kept its numbers from going to another.
          appeared = .returned("the disk of the \(place.name) was mounted again")
        } else if place.marker != nil {
          appeared = .appeared("another disk was mounted at the \(place.name), with its marker")
        } else {
          gone.append(place)
        }
      } catch {
        missing.append("the \(place.name) cannot be read: \(error)")
      }
    }
    if let first = gone.first {
      let others = gone.dropFirst().map(\.name).joined(separator: ", ")
      missing.append(
        "the disk of the \(first.name) is gone\(others.isEmpty ? "" : " (so are \(others))"): what stands at"
          + " \(first.path.printable) is not on the file system that was there at the start; mount it again, or"
          + " restart procd to use what is there now")
    }
    return missing.isEmpty ? appeared : .waits(missing.joined(separator: "; "))
  }

  /// Why a folder is not there, as its marker tells; nil where it is, or where it has none.
  static func missing(_ name: String, _ path: FilePath, marker: String?) -> String? {
    guard let marker else { return nil }
    let file = path.appending(marker)
    do throws(FileError) {
      return try PathPlace(file) == nil
        ? "the \(name) is not there: its marker \(file.printable) is missing" : nil
    } catch { return "the \(name) cannot be read: \(error)" }
  }
}

extension ActiveConfiguration {
  /// The folders that may lie on disks of their own, with the names of their markers.
  var markedFolders: [(name: String, path: FilePath, marker: String?)] {
    [("inbox", inbox, configuration.inbox.marker)]
      + Place.allCases.map { ($0.rawValue, folder($0), configuration.access($0).marker) }
  }

  /// Which folders procd has no right to use, or that are mounted read-only; nil where it may use all.
  package func refusedPlaces() -> String? {
    let silent = FolderProbe.shared.silent(of: markedFolders.map(\.path))
    let told = markedFolders.compactMap { name, path, _ -> String? in
      if silent.contains(path) { return nil }
      if let reason = (try? Self.noFolder(path)) ?? nil {
        return "the \(name), \(path.printable), \(reason); cure: put a folder there"
      }
      let result = unsafe path.withPlatformString {
        unsafe faccessat(AT_FDCWD, $0, R_OK | W_OK | X_OK, AT_EACCESS)
      }
      switch result == 0 ? 0 : errno {
      case EROFS: return "the disk of the \(name) is mounted read-only: \(path.printable)"
      case EACCES, EPERM:
        return
          "user \(Accounts.currentUser) may not read and write the \(name), \(path.printable); cure: chown or chmod it,"
          + " or the folders above it"
      // What is not there, and what cannot be looked at, is told by who needs it.
      default: return nil
      }
    }
    return told.isEmpty ? nil : told.joined(separator: "; ")
  }

  /// The folder of procd's that a path is in; nil where it is in none.
  func folderOfDisk(_ path: FilePath) -> (name: String, path: FilePath)? {
    var folders = [(name: "spool", path: spool)]
    for (name, path, _) in markedFolders { folders.append((name, path)) }
    // The innermost one: the spool may hold the archive.
    return folders.filter { path.starts(with: $0.path) }
      .max { $0.path.components.count < $1.path.components.count }
  }

  /// What a disk refuses, as people read it: which of procd's folders lies on it, and what is the matter.
  package func diskSentence(_ error: FileError) -> String {
    guard let (name, path) = folderOfDisk(error.path) else { return "\(error)" }
    switch error.errno {
    case .noSpace:
      // Not yet, but what procd keeps free for its ledger has no room.
      let least = error.path.lastComponent == Reserve.name.lastComponent
      return
        "the disk of the \(name) is full\(least ? Reserve.upTo : ""); make room at \(path.printable)"
    case .diskQuotaExceeded:
      return "the quota on the disk of the \(name) is used up; make room at \(path.printable)"
    case .readOnlyFileSystem:
      return "the disk of the \(name) is mounted read-only: \(path.printable)"
    default: return "\(error)"
    }
  }

  /// Returns why a folder cannot be used yet: it does not answer, or its marker is missing. Nil if all can.
  package var missingPlace: String? {
    if let silent = silentFolders().first(where: { folder in
      markedFolders.contains { $0.path == folder.path }
    }) {
      return silent.sentence
    }
    return markedFolders.lazy.compactMap { Mounts.missing($0.name, $0.path, marker: $0.marker) }
      .first
  }

  /// Places where no folder can be, and folders that would have to be made together with those above them, each
  /// with a sentence: more often than not the path is mistyped, or its disk is not mounted.
  package func placesInNowhere() -> [(name: String, message: String)] {
    (markedFolders.map { ($0.name, $0.path) } + [("spool", spool)]).compactMap { name, path in
      let parent = path.removingLastComponent()
      do throws(FileError) {
        // One that is not there is made in the one above it.
        for place in [path, parent] where try PathPlace(place) != nil {
          let reason = try Self.noFolder(place)
          return reason.map { (name, "\(name): \(place.printable) \($0); name another place") }
        }
      } catch {
        let why =
          switch error.errno {
          case .notDirectory:
            "\(path.printable) lies below \(Self.file(above: path).printable), which is no folder; name another place"
          case .permissionDenied:
            "user \(Accounts.currentUser) may not see \(path.printable); be the user who runs procd, or give the right"
              + " to see it on the folders above it"
          default: "\(path.printable) cannot be a folder: \(error)"
          }
        return (name, "\(name): \(why)")
      }
      return (
        name,
        "\(name): \(path.printable) is not there, nor is \(parent.printable) above it; mend the path,"
          + " make the folder, or have procd make both by `procd run --create`"
      )
    }
  }

  /// What stands where a folder above a path would have to be.
  private static func file(above path: FilePath) -> FilePath {
    var place = path.removingLastComponent()
    // Below a file there is nothing to be looked at.
    while place.components.count > 1, (try? PathPlace(place)) == nil { place.removeLastComponent() }
    return place
  }

  /// Why what stands at a path cannot be one of procd's folders; nil where it can.
  private static func noFolder(_ path: FilePath) throws(FileError) -> String? {
    let folder: Folder
    do throws(FileError) { folder = try Folder.open(path) } catch {
      guard error.errno == .notDirectory else { return nil }
      return "is no folder"
    }
    func device(_ path: FilePath) -> UInt64? { (try? Folder.open(path).status())?.device }
    // Where it is no mount of its own, it is a folder like any other.
    if let devices = device("/dev"), devices != device("/"), try folder.status().device == devices {
      return "holds devices, and nothing else outlives a start of the machine"
    }
    return noFiles.contains(folder.fileSystemType()) ? "holds no files" : nil
  }

  /// File systems that hold no files of anybody (linux/magic.h): proc, sysfs, cgroup, cgroup2, devpts, debugfs, tracefs,
  /// securityfs.
  private static let noFiles: Set<UInt64> = [
    0x9fa0, 0x6265_6572, 0x27_e0eb, 0x6367_7270, 0x1cd1, 0x6462_6720, 0x7472_6163, 0x7363_6673,
  ]

  /// Which two folders are one, or lie inside each other, whatever they are called: by a link, or by a
  /// second mount. Nil where each is its own.
  package func overlap() throws(FileError) -> String? {
    let silent = FolderProbe.shared.silent(of: markedFolders.map(\.path))
    let folders =
      markedFolders.map { ($0.name, $0.path) }.filter { !silent.contains($0.1) }
      + [("spool", spool)]
    for (index, (name, path)) in folders.enumerated() {
      for (other, otherPath) in folders[..<index] {
        var isShared = try PathPlace.lies(path, in: otherPath)
        if !isShared { isShared = try PathPlace.lies(otherPath, in: path) }
        guard isShared else { continue }
        return "\(other) and \(name) are one folder or lie inside each other, by a link or a mount:"
          + " \(otherPath.printable) and \(path.printable)"
      }
    }
    return nil
  }
}
