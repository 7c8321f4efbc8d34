import Conveyor
import Files
import Intake
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// A file on its way into the inbox: it appears there whole, under its name, or not at all.
struct HandIn {
  private let base: Folder
  private let name: FilePath
  private let temporary: FilePath
  private let target: OpenFile

  private static let start = ".procd-add-"

  /// - Parameters:
  ///   - base: where its bytes are collected, on the mount of the inbox.
  ///   - name: the one wanted; where it is taken the file gets one with a number.
  ///   - way: a word for the name that it has until then, which no inbox takes.
  init(to base: Folder, as name: FilePath, way: String = "") throws(FileError) {
    (self.base, self.name) = (base, name)
    temporary = FilePath(Self.start + way + JobIdentifiers.random(12))
    target = try base.creating(temporary, mode: 0o666)
  }

  /// Removes what ones of a way left that were killed.
  static func removeLeft(in base: Folder, way: String) {
    for name in (try? base.names()) ?? [] where name.string.hasPrefix(start + way) {
      _ = try? base.remove(name)
    }
  }

  /// Where its bytes are until it is handed in.
  var path: FilePath { base.path.appending(temporary.components) }

  func write(_ bytes: [UInt8]) throws(FileError) { try target.write(bytes.span) }

  func copy(_ file: OpenFile) throws(FileError) { _ = try file.copy(to: target) }

  /// Gives the file its name, or where that is taken one with a number.
  ///
  /// - Parameter folder: below the base; the base itself where it is left out.
  /// - Returns: the name that it got.
  func finish(in folder: Folder? = nil) throws(FileError) -> FilePath {
    var candidate = name, number = 1
    while try !finish(in: folder ?? base, exactly: candidate) {
      number += 1
      let (stem, ending) = name.stemAndEnding
      candidate = FilePath(bytes: stem + Array("~\(number)".utf8) + ending)
    }
    return candidate
  }

  /// Gives the file this name and no other.
  ///
  /// - Returns: whether it was free.
  func finish(in folder: Folder, exactly name: FilePath) throws(FileError) -> Bool {
    try target.sync()
    switch try base.rename(temporary, to: folder, as: name) {
    case .done:
      try folder.sync()
      return true
    case .taken: return false
    case .missing: throw FileError("rename", path, .noSuchFileOrDirectory)
    case .otherMount:
      throw FileError("rename", path, .improperLink, reason: "the folder is on another mount")
    }
  }

  /// Undoes that.
  ///
  /// - Throws: also where somebody has taken it.
  func takeBack(_ name: FilePath, from folder: Folder) throws(FileError) {
    guard case .done = try folder.rename(name, to: base, as: temporary) else {
      throw FileError("take back", folder.path.appending(name.components), .noSuchFileOrDirectory)
    }
  }

  /// Leaves a wish for the file, which has all its bytes by now.
  func leave(_ wish: Wish, in spool: FilePath) throws(FileError) {
    try wish.leave(for: target.status(), in: spool)
  }

  /// Removes what was written.
  func giveUp() throws(FileError) { try base.remove(temporary) }
}
