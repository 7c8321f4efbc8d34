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

  /// How the wanted results end; empty for all.
  private let endings: Set<String>

  /// - Parameter endings: extensions of the results that are wanted; any will do where there are none.
  init(below output: FilePath, endings: Set<String> = []) {
    (self.output, self.endings) = (output, endings)
  }

  /// Whether a result of a file is there that is not older than the file.
  mutating func hasResult(of file: ConvertInputs.File) -> Bool {
    open(file.folder)
    guard let folder, let base = file.base.lastComponent, let last = file.path.lastComponent,
      let parent = try? Folder.open(file.path.removingLastComponent()),
      let modified = Self.modified(FilePath(name: last), in: parent)
    else { return false }
    func isLater(_ name: [UInt8]) -> Bool {
      guard
        endings.isEmpty
          || endings.contains(where: { name.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8) }
          )
      else { return false }
      guard let status = try? folder.status(FilePath(bytes: name)) else { return false }
      return status.kind == .regular && status.modified >= modified
    }
    // Kept as it came, a file without an extension has its own name.
    let own = FilePath(name: base).bytes
    if base == last, isLater(own) { return true }
    let start = own + [UInt8(ascii: ".")]
    var index = firstIndex(notBefore: start)
    while index < names.count, names[index].starts(with: start) {
      let name = names[index]
      index += 1
      if !belongs(name, after: start.count, toNeighbourOf: file), isLater(name) { return true }
    }
    return false
  }

  private static func modified(_ name: FilePath, in folder: Folder) -> FileTime? {
    guard let status = try? folder.status(name) else { return nil }
    guard status.kind == .link else { return status.modified }
    return try? folder.following(name).status().modified
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
