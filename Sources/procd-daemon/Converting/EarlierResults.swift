import Conveyor
import Files
import Pipelines
import SystemPackage

/// Results of earlier runs, for `--update`. Each folder of results is read once.
struct EarlierResults {
  private let output: FilePath
  private var known: FilePath?
  private var folder: Folder?
  /// The names in that folder, sorted by their bytes.
  private var names: [[UInt8]] = []

  /// The role that is wanted; nil for all.
  private let role: String?
  /// How the wanted results end; empty for all.
  private let endings: Set<String>
  /// What tells the options of this call from those of others.
  private let options: String?

  /// - Parameter endings: extensions of the results that are wanted; any will do where there are none.
  init(
    below output: FilePath, role: String? = nil, endings: Set<String> = [], options: String? = nil
  ) {
    (self.output, self.role, self.endings) = (output, role, endings)
    self.options = options
  }

  /// Whether all results of a file are there, made of what it is now. Where a result does not say what it was made of,
  /// it counts as one of it if it is not older.
  mutating func hasResult(of file: ConvertInputs.File) -> Bool {
    open(file.folder)
    guard let folder, let base = file.base.lastComponent, let last = file.path.lastComponent,
      let now = Self.status(of: file.path)
    else { return false }
    let origin = ResultOrigin(file.path, now, role: role)
    // What cannot be looked at is made again, which tells what stands in its way.
    let results = names(of: file, base, last).filter { isWanted($0.bytes) }
      .compactMap { name -> (name: FilePath, modified: FileTime, origin: ResultOrigin?)? in
        guard let status = try? folder.status(name), status.kind == .regular else { return nil }
        return (name, status.modified, Self.origin(of: name, in: folder))
      }
    // Where one says that it was made of this file, those that say nothing are somebody else's.
    let own = results.filter { $0.origin?.name == origin.name }
    guard !own.isEmpty else {
      return results.contains { $0.origin == nil && $0.modified >= now.modified }
    }
    return own.contains { _, _, known in
      guard let known, known.isOf(origin), known.options == options,
        known.role == nil || known.role == role
      else {
        return false
      }
      let all = results.count {
        $0.origin?.cameWith(known) == true && known.results.contains($0.name.printable)
      }
      return all >= known.results.count { isWanted(Array($0.utf8)) }
    }
  }

  /// Whether a result says that it was made of what a file is now. So it need not be found out again that some rule
  /// takes that.
  ///
  /// - Parameter output: the folder of its results, below that of all.
  mutating func isKnown(_ path: FilePath, in output: FilePath) -> Bool {
    open(output)
    guard let folder, let now = Self.status(of: path) else { return false }
    let origin = ResultOrigin(path, now, role: role)
    let start = Array((path.stem ?? "unnamed").utf8)
    return names[firstIndex(notBefore: start)...].prefix { $0.starts(with: start) }.contains {
      name in
      guard isWanted(name), let known = Self.origin(of: FilePath(bytes: name), in: folder) else {
        return false
      }
      return known.isOf(origin) && known.role == role && known.options == options
    }
  }

  /// The names in the folder that results of a file may have.
  private func names(
    of file: ConvertInputs.File, _ base: FilePath.Component, _ last: FilePath.Component
  ) -> [FilePath] {
    // Kept as it came, a file without an extension has its own name.
    let own = FilePath(name: base).bytes
    var found = base == last ? [FilePath(bytes: own)] : []
    let start = own + [UInt8(ascii: ".")]
    for name in names[firstIndex(notBefore: start)...] {
      guard name.starts(with: start) else { break }
      if !belongs(name, after: start.count, toNeighbourOf: file) {
        found.append(FilePath(bytes: name))
      }
    }
    return found
  }

  /// Whether a name ends as results that are wanted do.
  private func isWanted(_ name: [UInt8]) -> Bool {
    endings.isEmpty
      || endings.contains { name.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) }
  }

  private static func origin(of name: FilePath, in folder: Folder) -> ResultOrigin? {
    (try? folder.reading(name)).flatMap { ResultOrigin(of: $0) }
  }

  /// What a file is; of links, what they lead to.
  static func status(of path: FilePath) -> FileStatus? {
    guard let last = path.lastComponent,
      let parent = try? Folder.open(path.removingLastComponent()),
      let status = try? parent.status(FilePath(name: last))
    else { return nil }
    return status.kind == .link ? try? parent.following(FilePath(name: last)).status() : status
  }

  private mutating func open(_ path: FilePath) {
    guard known != path else { return }
    known = path
    folder = try? Folder.open(output.appending(path.components))
    names = ((try? folder?.names()) ?? []).map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func firstIndex(notBefore start: [UInt8]) -> Int {
    var low = 0, high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle].lexicographicallyPrecedes(start) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// `a.b.txt` is a result of `a.b.pdf` where there is one, not of `a.pdf`.
  private func belongs(
    _ name: [UInt8], after start: Int, toNeighbourOf file: ConvertInputs.File
  ) -> Bool {
    name.indices.dropFirst(start).contains { index in
      name[index] == UInt8(ascii: ".")
        && FilePath(bytes: Array(name[..<index])).lastComponent.map {
          file.neighbours.names.contains($0)
        } ?? false
    }
  }
}
