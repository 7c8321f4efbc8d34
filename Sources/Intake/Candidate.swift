internal import Files
internal import SystemPackage

/// What stands in the inbox and is taken as one: a file, a folder that is one document, or a file with those that came
/// with it.
struct Candidate {
  enum Kind { case file, folder, set }

  let kind: Kind
  /// That of the folder, or of the file that the others came with.
  let name: FilePath
  /// The folder out of which it is renamed.
  let parent: Folder
  /// The folder that its files lie in.
  let holder: Folder
  /// Its files; of a set the one that the others came with is the first.
  let members: [GatheredFolder.Member]
  /// Stands for all: identity of the file or folder, size of the files together, newest times.
  let status: FileStatus

  /// A file by itself.
  init(file name: FilePath, _ status: FileStatus, in parent: Folder) {
    (kind, self.name, self.parent, holder) = (.file, name, parent, parent)
    (members, self.status) = ([GatheredFolder.Member(name: name, status: status)], status)
  }

  init(folder name: FilePath, _ folder: Folder, _ content: GatheredFolder, in parent: Folder) {
    (kind, self.name, self.parent, holder) = (.folder, name, parent, folder)
    (members, status) = (content.members, content.status)
  }

  /// A file together with others of its folder.
  init(_ file: Candidate, with companions: [GatheredFolder.Member]) {
    (kind, name, parent, holder) = (.set, file.name, file.parent, file.holder)
    members = file.members + companions
    var whole = file.status
    for companion in companions {
      whole.size += companion.status.size
      whole.modified = max(whole.modified, companion.status.modified)
    }
    status = whole
  }

  var companions: [FilePath] { kind == .set ? members.dropFirst().map(\.name) : [] }

  /// Whether a job works on a copy of it.
  var needsCopy: Bool {
    kind == .folder && status.needsCopy
      || members.contains { $0.status.needsCopy }
  }

  /// Whether what was renamed is what was looked at, in the same state.
  func isSame(_ claimed: Folder, _ inbox: Inbox) throws(FileError) -> Bool {
    switch kind {
    case .file:
      let moved = try claimed.status(Claims.sourceName)
      return moved.map { $0.kind == .regular && $0.isSameContent(as: status) } ?? false
    case .folder:
      let moved = try? inbox.gather(claimed.folder(Claims.sourceName))
      return moved.map { GatheredFolder.isSame($0.members, members) } ?? false
    case .set:
      let moved = try claimed.folder(Claims.sourceName)
      for member in members {
        guard try moved.status(member.name)?.isSameContent(as: member.status) == true else {
          return false
        }
      }
      return true
    }
  }
}
