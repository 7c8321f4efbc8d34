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
  private let name: FilePath
  private let temporary: FilePath
  private let target: OpenFile

  /// - Parameters:
  ///   - folder: of the inbox, or below it.
  ///   - name: the one wanted; where it is taken the file gets one with a number.
  init(to folder: Folder, as name: FilePath) throws(FileError) {
    (self.folder, self.name) = (folder, name)
    temporary = FilePath(".procd-add-\(JobIdentifiers.make(at: 0).suffix(12))")
    target = try folder.creating(temporary, mode: 0o666)
  }

  /// Where its bytes are until it is handed in.
  var path: FilePath { folder.path.appending(temporary.components) }

  func write(_ bytes: [UInt8]) throws(FileError) { try target.write(bytes.span) }

  func copy(_ file: OpenFile) throws(FileError) { _ = try file.copy(to: target) }

  /// Gives the file its name.
  ///
  /// - Returns: the name that it got.
  func finish() throws(FileError) -> FilePath {
    try target.sync()
    var candidate = name, number = 1
    while try folder.rename(temporary, to: folder, as: candidate) == .taken {
      number += 1
      let (stem, suffix) = name.stemAndSuffix
      candidate = FilePath(bytes: stem + Array("~\(number)".utf8) + suffix)
    }
    try folder.sync()
    return candidate
  }

  /// Removes what was written.
  func giveUp() throws(FileError) { try folder.remove(temporary) }
}
