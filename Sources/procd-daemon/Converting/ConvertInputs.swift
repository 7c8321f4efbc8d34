import Conveyor
import Files
import Pipelines
import SystemPackage

/// What is to be converted. Folders of several inputs whose results go to one place are gone through
/// together, so that the names of results depend on all inputs and on nothing else.
struct ConvertInputs: Sendable {
  struct File: Sendable {
    /// Absolute.
    var path: FilePath
    /// Below the output folder: the folder that mirrors the input's.
    var folder: FilePath
    /// Below the output folder: the path of the results without extension. The stem, or the whole name
    /// where two files of one folder give results and share a stem; with `~2` and so on where that is another's too.
    var base: FilePath
    /// The names of all files of that folder that give results, without extension as `base` has it.
    var neighbours: NameSet
  }

  /// Which files of folders are wanted, by their names.
  fileprivate struct NamePatterns: Sendable {
    var only: [String]
    var skip: [String]

    func hold(_ name: FilePath) -> Bool {
      func matches(_ patterns: [String]) -> Bool {
        patterns.contains { glob($0, matches: name.repaired.text, ignoresCase: true) }
      }
      return (only.isEmpty || matches(only)) && !matches(skip)
    }
  }

  /// Names of one folder, shared by all its files.
  final class NameSet: Sendable {
    let names: Set<FilePath.Component>
    init(_ names: Set<FilePath.Component>) { self.names = names }
  }

  private var files: [FilePath] = []
  private var folders: [FilePath] = []
  private let recursive: Bool
  private let spared: FilePath?
  private let wanted: NamePatterns
  /// Inputs that are not there, as they are shown.
  private(set) var missing: [String] = []

  /// - Parameters:
  ///   - inputs: absolute paths of files and folders.
  ///   - recursive: with all that lies below folders.
  ///   - output: a folder that is no input, wherever it lies.
  ///   - only: patterns of the names of files that are wanted of folders; all where there are none.
  ///   - skip: patterns of those that are not.
  init(
    _ inputs: [FilePath], recursive: Bool, sparing output: FilePath? = nil, only: [String] = [],
    skip: [String] = []
  ) {
    self.recursive = recursive
    wanted = NamePatterns(only: only, skip: skip)
    spared = output
    for input in inputs {
      if (try? Folder.open(input)) != nil {
        folders.append(input)
      } else if let parent = try? Folder.open(input.removingLastComponent()),
        let name = input.lastComponent, (try? parent.following(FilePath(name: name))) != nil
      {
        files.append(input)
      } else {
        missing.append(input.printable)
      }
    }
  }

  /// Whether one file is all there is.
  var isSingleFile: Bool { folders.isEmpty && files.count <= 1 }

  var hasFolders: Bool { !folders.isEmpty }

  /// Whether any of them is there.
  var hasSome: Bool { hasFolders || !files.isEmpty }

  /// From the first file on, in the order of their names, folder by folder.
  var walk: Walk {
    // Where results go is looked at now: it may have been made meanwhile.
    Walk(
      waiting: [.init(folder: "", sources: folders, files: files)], recursive, spared, wanted)
  }

  /// Goes through all files, or folder by folder. Holds the names of one folder and of folders that wait, nothing more.
  struct Walk: Sequence, IteratorProtocol {
    fileprivate struct Group {
      /// Below the output folder.
      var folder: FilePath
      /// Absolute paths of folders whose files go there.
      var sources: [FilePath]
      /// Files that were named one by one.
      var files: [FilePath] = []
    }

    private var waiting: [Group]
    private var current: ArraySlice<FilePath> = []
    private let recursive: Bool
    private let output: FilePath?
    private let spared: FileStatus?
    private let wanted: NamePatterns
    private(set) var unreadable: [FilePath] = []
    /// Folders that were not gone into, because only the files of the named ones are wanted.
    private(set) var foldersLeftOut = 0

    fileprivate init(
      waiting: [Group], _ recursive: Bool, _ output: FilePath?, _ wanted: NamePatterns
    ) {
      (self.waiting, self.recursive, self.output) = (waiting, recursive, output)
      spared = output.flatMap { path in try? Folder.open(path).status() }
      self.wanted = wanted
    }

    mutating func next() -> FilePath? {
      while current.isEmpty {
        guard let contents = nextFolder() else { return nil }
        current = contents.paths[...]
      }
      return current.popFirst()
    }

    mutating func nextFolder() -> Contents? { waiting.popLast().map { open($0) } }

    private mutating func open(_ group: Group) -> Contents {
      var files = group.files, below: [FilePath.Component: [FilePath]] = [:]
      for source in group.sources {
        guard let folder = try? Folder.open(source), let names = try? folder.names() else {
          unreadable.append(source)
          continue
        }
        let takesResults = isOfResults(folder, of: group)
        for name in names where !name.string.hasPrefix(".") {
          guard let component = name.lastComponent, let kind = kind(of: name, in: folder) else {
            continue
          }
          let path = source.appending(component)
          if kind == .folder {
            below[component, default: []].append(path)
          } else if wanted.hold(name), !takesResults || !isResult(name, in: folder) {
            files.append(path)
          }
        }
      }
      // The last one is taken first.
      for (name, sources) in below.sorted(by: { $0.key.string > $1.key.string }) {
        waiting.append(
          Group(
            folder: group.folder.appending(name),
            sources: sources.sorted(by: { $0.string < $1.string })))
      }
      return Contents(folder: group.folder, paths: files.sorted { $0.string < $1.string })
    }

    /// Whether the results of a folder go to that same folder.
    private func isOfResults(_ folder: Folder, of group: Group) -> Bool {
      guard let output, let source = try? folder.status(),
        let target = try? Folder.open(output.appending(group.folder.components)).status()
      else { return false }
      return target.isSameFile(as: source)
    }

    /// Whether a file says of itself that it was made of one that stands beside it.
    private func isResult(_ name: FilePath, in folder: Folder) -> Bool {
      guard let file = try? folder.reading(name), let origin = ResultOrigin(of: file) else {
        return false
      }
      return origin.stands(in: folder) == true
    }

    /// Nil for what is neither a file nor a folder to go into. A link to a file is a file, and so is one
    /// that leads nowhere: that is told like any file that cannot be read. Links to folders may lead in
    /// circles.
    private mutating func kind(of name: FilePath, in folder: Folder) -> FileStatus.Kind? {
      guard let status = try? folder.status(name) else { return nil }
      switch status.kind {
      case .regular: return .regular
      case .folder:
        if spared.map({ $0.isSameFile(as: status) }) ?? false { return nil }
        if !recursive { foldersLeftOut += 1 }
        return recursive ? .folder : nil
      case .link:
        do throws(FileError) {
          return try folder.following(name).status().kind == .regular ? .regular : nil
        } catch { return error.errno == .noSuchFileOrDirectory ? .regular : nil }
      case .other: return nil
      }
    }
  }

  /// The files whose results go to one folder.
  struct Contents: Sendable {
    /// Below the output folder.
    let folder: FilePath
    /// Sorted.
    let paths: [FilePath]

    /// Those that share their stem with others: whether these give results decides about their names.
    var rivals: [FilePath] {
      let counts = Self.counts(paths)
      return paths.filter { counts[Self.stem($0), default: 0] > 1 }
    }

    /// All of them with their names, those that give no result last: none of the others has another name because of
    /// them.
    func named(without idle: Set<FilePath>) -> [File] {
      let giving = paths.filter { !idle.contains($0) }, counts = Self.counts(giving)
      // Files of one name in two inputs, or a stem that is another's whole name.
      var taken: Set<FilePath.Component> = []
      func name(_ path: FilePath) -> FilePath.Component {
        let stem = Self.stem(path)
        let isAlone = counts[stem] == 1 && !idle.contains(path)
        let name =
          (isAlone ? FilePath(stem).lastComponent : path.lastComponent)
          ?? FilePath.Component("unnamed")
        var next = name, number = 1
        while !taken.insert(next).inserted {
          number += 1
          next = FilePath.Component("\(name.string)~\(number)") ?? next
        }
        return next
      }
      let names = giving.map(name), neighbours = NameSet(taken)
      let others = paths.filter(idle.contains)
      return zip(giving + others, names + others.map(name)).map { path, name in
        File(path: path, folder: folder, base: folder.appending(name), neighbours: neighbours)
      }
    }

    private static func stem(_ path: FilePath) -> String { path.stem ?? "unnamed" }

    private static func counts(_ paths: [FilePath]) -> [String: Int] {
      paths.reduce(into: [:]) { $0[stem($1), default: 0] += 1 }
    }
  }
}
