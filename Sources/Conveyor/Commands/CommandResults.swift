internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// The files that a command was asked to write: it writes into its own folder, and they appear at
/// their places whole, by a rename, once it has ended well. They take the place of no file with other content, unless
/// that is asked for, and of no file that the command reads, unless it is there to change it.
struct CommandResults {
  /// Whether results take the place of other files.
  var replaces = false
  /// Whether they take the place of those that the command reads.
  var changesInputs = false
  struct Result {
    /// Below the command's folder.
    var scratch: FilePath
    var target: FilePath
    /// Whether it takes the place of a file with other content.
    var replaces: Bool
  }

  private(set) var results: [Result] = []

  /// Takes note of a file to be written.
  ///
  /// - Returns: where the command writes it, below its folder.
  mutating func add(_ target: FilePath) throws(CommandFailure) -> FilePath {
    let shown = target.printable
    guard let name = target.lastComponent else {
      throw CommandFailure(message: "\(shown) cannot be written", status: .resultPlace)
    }
    let folder = target.removingLastComponent()
    guard folder.allows(W_OK | X_OK) else {
      throw CommandFailure(
        message: "\(shown) cannot be written: \(folder.printable): \(Errno(rawValue: errno))",
        status: .resultPlace)
    }
    // The rename would put a file in the place of a link or device.
    if let kind = try existing(target)?.kind, kind != .regular {
      throw CommandFailure(
        message: "\(shown) cannot be written: it is no regular file", status: .resultPlace)
    }
    let scratch = FilePath("out/\(results.count)").appending(name)
    results.append(Result(scratch: scratch, target: target, replaces: replaces))
    return scratch
  }

  private func existing(_ target: FilePath) throws(CommandFailure) -> FileStatus? {
    guard let name = target.lastComponent else { return nil }
    do throws(FileError) {
      return try Folder.open(target.removingLastComponent()).status(FilePath(root: nil, [name]))
    } catch {
      throw CommandFailure(message: "\(error)", status: .resultPlace)
    }
  }

  /// Refuses results in the place of files that the command reads, as `extract` does, or lets them take it.
  ///
  /// - Parameters:
  ///   - arguments: which it may be there to change.
  ///   - opened: those that options name, which it only reads.
  mutating func check(arguments: [FilePath], opened: [FilePath]) throws(CommandFailure) {
    let changed = arguments.compactMap(Self.status), others = opened.compactMap(Self.status)
    for index in results.indices {
      let target = results[index].target
      guard let standing = try existing(target),
        (changed + others).contains(where: standing.isSameFile)
      else { continue }
      guard changesInputs, !others.contains(where: standing.isSameFile) else {
        throw CommandFailure(
          message:
            "\(target.printable) is an input, and no result takes its place; nothing was done",
          status: .usage)
      }
      results[index].replaces = true
    }
  }

  /// Of the file that a path leads to, by links too.
  private static func status(_ path: FilePath) -> FileStatus? {
    path.lastComponent.flatMap { name in
      try? Folder.open(path.removingLastComponent()).following(FilePath(root: nil, [name]))
        .status()
    }
  }

  /// Makes the folders that the command writes into.
  func prepare(in work: Folder) throws(FileError) {
    for result in results { _ = try work.makeFolders(result.scratch.removingLastComponent()) }
  }

  /// Copies what the command wrote beside its places, makes all of it durable, then renames one
  /// after the other. What the command did not write is left alone.
  func place(from work: Folder) throws(CommandFailure) {
    var staged: [(folder: Folder, temporary: FilePath, name: FilePath)] = []
    var taken: FilePath?
    do throws(FileError) {
      for (index, result) in results.enumerated() {
        guard let name = result.target.lastComponent else { continue }
        let source: OpenFile
        do { source = try work.reading(result.scratch, .guarded) } catch
          where error.errno == .noSuchFileOrDirectory
        { continue }
        let status = try source.status()
        guard status.kind == .regular, status.links == 1 else {
          throw FileError("take", source.path, .invalidArgument)
        }
        let folder = try Folder.open(result.target.removingLastComponent())
        let temporary = FilePath(".procd-\(getpid())-\(index).part")
        let entry = FilePath(root: nil, [name])
        let present = try folder.status(entry)
        if present != nil, !result.replaces {
          // What an earlier call made of the same file is the same; one that cannot be read counts as another.
          let standing = try? folder.reading(entry).digest()
          guard try source.digest() == standing else {
            taken = result.target
            throw FileError("write", result.target, .fileExists)
          }
          continue
        }
        let copy = try folder.creating(temporary, mode: 0o666)
        staged.append((folder, temporary, entry))
        _ = try source.copy(to: copy)
        if let present { try copy.setMode(present.mode) }
        try copy.sync()
      }
      while let (folder, temporary, name) = staged.first {
        try folder.replace(name, by: temporary)
        staged.removeFirst()
      }
    } catch {
      // Removed as well as can be: the first failure is the one to tell.
      for (folder, temporary, _) in staged { _ = try? folder.remove(temporary) }
      if let taken {
        throw CommandFailure(
          message: "\(taken.printable) is there already, with other content;"
            + " \(CommandManifest.overwrite) replaces it", status: .resultPlace)
      }
      throw CommandFailure(message: "a result could not be written: \(error)", status: .results)
    }
  }
}
