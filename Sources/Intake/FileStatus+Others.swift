internal import Files
internal import Glibc

extension FileStatus {
  /// Whether somebody else may change what was claimed without a way to its name: by a second name, as its
  /// owner, or because its mode lets him. Who had a file open for reading, or a folder, before it was claimed
  /// can open it anew by that (`/proc/self/fd`), and only the mode refuses it then. The members of this process'
  /// own group are no strangers.
  var mayBeWrittenByOthers: Bool {
    if owner != getuid() || mode & 0o002 != 0 { return true }
    if mode & 0o020 != 0, group != getegid() || kind == .folder { return true }
    return kind == .regular && links > 1
  }

  /// Whether a job works on a copy: others may change it, or not even its owner may read it, as the workers
  /// do, who have no other right.
  var needsCopy: Bool { mayBeWrittenByOthers || mode & 0o400 == 0 }
}
