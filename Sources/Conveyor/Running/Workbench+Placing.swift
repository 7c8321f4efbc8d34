internal import Files
internal import Pipelines
internal import PluginKit
package import SystemPackage

extension Workbench {
  /// Moves a staged result to its place below the results folder, over what stands there: a second run
  /// over the same inputs gives the same files, and one that is cut off leaves the old or the new one.
  ///
  /// - Parameters:
  ///   - inputs: files that are not to be replaced by what was made of them.
  ///   - isLast: whether all results of an input stand after this one. Until then the others are older
  ///     than any input, so that a run that is cut off between two makes them again.
  package func place(
    _ staged: FilePath, at path: FilePath, sparing inputs: [FilePath], replaces: Replacing = .all,
    origin: ResultOrigin? = nil, isLast: Bool
  ) throws(WorkbenchFailure) {
    var replacesInput = false, isTaken = false
    do throws(FileError) {
      guard let stagedName = staged.lastComponent, let name = path.lastComponent else { return }
      let folder = try Folder.open(staged.removingLastComponent())
      let target = try base.makeFolders(path.removingLastComponent())
      let file = try folder.reading(FilePath(name: stagedName))
      try file.setMode(0o666 & ~currentMask())
      if !isLast { try file.setModified(FileTime(seconds: 0, nanoseconds: 0)) }
      origin?.note(on: file)
      // Found empty after a power cut, it would count as done.
      try file.sync()
      if let standing = try target.status(FilePath(name: name)), standing.kind == .regular {
        replacesInput = inputs.contains { input in
          (try? Folder.open(input.removingLastComponent())).flatMap { parent in
            input.lastComponent.flatMap { try? parent.following(FilePath(name: $0)).status() }
          }?.isSameFile(as: standing) ?? false
        }
        if replaces != .all {
          let before = try target.reading(FilePath(name: name))
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
      if !replacesInput, !isTaken {
        try folder.rename(FilePath(name: stagedName), over: FilePath(name: name), in: target)
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
