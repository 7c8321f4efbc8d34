internal import Files
internal import Pipelines
internal import PluginKit
package import SystemPackage

extension Workbench {
  /// A result that may take its place.
  package struct Placing: Sendable {
    fileprivate var folder: Folder
    fileprivate var staged: FilePath
    fileprivate var target: Folder
    fileprivate var name: FilePath
  }

  /// Makes sure that a staged result may go to its place below the results folder.
  ///
  /// - Parameters:
  ///   - inputs: files that are not to be replaced by what was made of them.
  ///   - isLast: whether all results of an input stand after this one. Until then the others are older
  ///     than any input, so that a run that is cut off between two makes them again.
  package func placing(
    _ staged: FilePath, at path: FilePath, sparing inputs: [FilePath], replaces: Replacing = .all,
    origin: ResultOrigin? = nil, isLast: Bool
  ) throws(WorkbenchFailure) -> Placing {
    guard let stagedName = staged.lastComponent, let name = path.lastComponent else {
      throw WorkbenchFailure(FileError("place", path, .invalidArgument))
    }
    var replacesInput = false, isTaken = false
    let placing: Placing
    do throws(FileError) {
      let folder = try Folder.open(staged.removingLastComponent())
      let target = try base.makeFolders(path.removingLastComponent())
      placing = Placing(
        folder: folder, staged: FilePath(name: stagedName), target: target,
        name: FilePath(name: name))
      let file = try folder.reading(placing.staged)
      try file.setMode(0o666 & ~currentMask())
      if !isLast { try file.setModified(FileTime(seconds: 0, nanoseconds: 0)) }
      origin?.note(on: file)
      // Found empty after a power cut, it would count as done.
      try file.sync()
      if let standing = try target.status(placing.name), standing.kind == .regular {
        replacesInput = inputs.contains { input in
          (try? Folder.open(input.removingLastComponent())).flatMap { parent in
            input.lastComponent.flatMap { try? parent.following(FilePath(name: $0)).status() }
          }?.isSameFile(as: standing) ?? false
        }
        if replaces != .all {
          let before = try target.reading(placing.name)
          // Where results cannot say what they were made of, any may be one.
          let isMute = ResultOrigin(of: file) == nil
          let known = ResultOrigin(of: before)
          let isOwn =
            replaces == .own
            && (known.map { $0.name == origin?.name || isLeftAlone(standing, $0, beside: inputs) }
              ?? isMute)
          // What an earlier run made of the same file is the same.
          if !isOwn { isTaken = try file.digest().sha256 != before.digest().sha256 }
        }
      }
    } catch { throw WorkbenchFailure(error) }
    guard !isTaken else {
      throw WorkbenchFailure(
        PluginFailure(
          .options, "result.exists", "\(path.printable) is there already, with other content",
          hint: "--overwrite replaces it, or -o names another folder"))
    }
    guard !replacesInput else {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "file.input", "the result would replace the file that it was made of",
          hint: "name another folder with -o"))
    }
    return placing
  }

  /// Moves a result to its place, over what stands there: a second run over the same inputs gives the same files, and
  /// one that is cut off leaves the old or the new one.
  package func place(_ placing: Placing) throws(WorkbenchFailure) {
    do throws(FileError) {
      try placing.folder.rename(placing.staged, over: placing.name, in: placing.target)
    } catch { throw WorkbenchFailure(error) }
  }

  /// Whether the file that a result was made of is gone, and nobody has changed the result: another file of that name
  /// has taken its place.
  private func isLeftAlone(
    _ result: FileStatus, _ origin: ResultOrigin, beside inputs: [FilePath]
  ) -> Bool {
    guard let input = inputs.first, origin.size == nil || origin.size == Int(result.size),
      let folder = try? Folder.open(input.removingLastComponent())
    else { return false }
    // What cannot be looked at counts as there: the result stays, and the user is told that it stands there.
    return origin.stands(in: folder) == false
  }

  /// All results of an input stand: now they are newer than it.
  package func finish(_ paths: [FilePath]) throws(WorkbenchFailure) {
    let now = wallTime()
    let time = FileTime(seconds: now / 1000, nanoseconds: now % 1000 * 1_000_000)
    do throws(FileError) {
      for path in paths { try base.reading(path).setModified(time) }
    } catch { throw WorkbenchFailure(error) }
  }
}

/// Which files are replaced that stand where results go.
package enum Replacing: Sendable {
  /// None.
  case none
  /// Results of a file of the same name or of one that is gone, and those of which nothing is known.
  case own
  case all
}
