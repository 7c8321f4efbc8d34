package import SystemPackage

/// A place where something may have happened. A hint only: what is there is found out by looking.
package enum Hint: Sendable, Hashable {
  /// Something happened to one file, by its path relative to the inbox.
  case file(FilePath)
  /// Entries of a folder changed, relative to the inbox; with all below if it is new.
  case folder(FilePath, recursive: Bool)
  /// Events were lost, or the inbox itself was moved or removed.
  case everything

  var path: FilePath {
    switch self {
    case .file(let path), .folder(let path, _): path
    case .everything: ""
    }
  }
}

/// Hints that wait to be followed, each once, the oldest first.
struct HintQueue {
  private var hints: [Hint] = []
  private var known: Set<Hint> = []

  /// Files are named one by one up to here, in about 10 MB; past it their folders are, which are looked at as a whole.
  /// What a folder may hold is of this order, so such a look costs no more than the hints it stands for.
  private static let mostFiles = 1 << 16

  mutating func add(_ hint: Hint) {
    if known.contains(.everything) { return }
    if hint == .everything { self = HintQueue() }
    if known.insert(hint).inserted { hints.append(hint) }
  }

  /// Notes that something happened to a file.
  mutating func add(file path: FilePath) {
    add(
      hints.count < Self.mostFiles
        ? .file(path) : .folder(path.removingLastComponent(), recursive: false))
  }

  mutating func take(atMost limit: Int) -> [Hint] {
    let taken = Array(hints.prefix(limit))
    hints.removeFirst(taken.count)
    known.subtract(taken)
    return taken
  }
}
