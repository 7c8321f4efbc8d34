import Conveyor
import Files
import Intake
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// A file on its way into the inbox: it appears there whole, under its name, or not at all.
struct HandIn {
  private let folder: Folder
  private let base: Folder
  private let name: FilePath
  private let temporary: FilePath
  private let target: OpenFile

  /// - Parameters:
  ///   - folder: of the inbox, or below it.
  ///   - name: the one wanted; where it is taken the file gets one with a number.
  ///   - base: where its bytes are collected, on the same mount; the folder itself where it is left out.
  ///   - way: a word for the name that it has until then, which no inbox takes.
  init(
    to folder: Folder, as name: FilePath, by base: Folder? = nil, way: String = ""
  ) throws(FileError) {
    (self.folder, self.base, self.name) = (folder, base ?? folder, name)
    temporary = FilePath(Self.start + way + JobIdentifiers.make(at: 0).suffix(12))
    target = try self.base.creating(temporary, mode: 0o666)
  }

  private static let start = ".procd-add-"

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

  /// Gives the file its name.
  ///
  /// - Returns: the name that it got.
  func finish() throws(FileError) -> FilePath {
    try target.sync()
    var candidate = name, number = 1
    while true {
      let result = try base.rename(temporary, to: folder, as: candidate)
      if result == .done { break }
      guard result == .taken else {
        throw FileError("rename", path, .improperLink, reason: "the folder is on another mount")
      }
      number += 1
      let (stem, suffix) = name.stemAndSuffix
      candidate = FilePath(bytes: stem + Array("~\(number)".utf8) + suffix)
    }
    try folder.sync()
    return candidate
  }

  /// Removes what was written.
  func giveUp() throws(FileError) { try base.remove(temporary) }
}
