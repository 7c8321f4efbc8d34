package import Files
internal import Intake
package import Pipelines
internal import PluginKit
package import SystemPackage

/// The folder of one source below the spool: its state, and what is being downloaded. Who changes
/// something there holds its lock, so that daemon and `procd fetch` never ask at once.
package struct SourceFolder: Sendable {
  let source: Source
  let folder: Folder

  private static let stateName = FilePath("state.json")
  static let bodyName = FilePath(NetRequest.Fetch.bodyName)
  private static let partialName = FilePath(NetRequest.Fetch.partialName)
  static let top = FilePath("fetch")

  /// Makes the folder where it is missing.
  init(_ source: Source, spool: FilePath) throws(FileError) {
    self.source = source
    folder = try Folder.make(spool, mode: 0o700)
      .makeFolders(Self.top.appending(source.id), mode: 0o700)
  }

  private init(_ source: Source, folder: Folder) { (self.source, self.folder) = (source, folder) }

  /// For looking only; nil where there is none yet.
  package static func existing(_ source: Source, spool: FilePath) -> SourceFolder? {
    let path = spool.appending(top.components).appending(source.id)
    return (try? Folder.open(path)).map { SourceFolder(source, folder: $0) }
  }

  /// False where another process has it.
  package func lock() -> Bool { folder.lock() }

  /// Returns what is known of the source, or nil if nothing is.
  ///
  /// - Throws: if it is damaged: without it every file would come once more.
  package func state() throws(FileError) -> SourceState? {
    do throws(FileError) {
      return try folder.record(Self.stateName, limit: 16 << 20, as: SourceState.init)
    } catch {
      guard error.errno == .illegalByteSequence else { throw error }
      throw FileError(
        error.operation, error.path, error.errno,
        reason:
          "it is damaged; if you remove it, all files of the source \(source.id) are fetched again")
    }
  }

  func save(_ state: SourceState) throws(FileError) {
    try folder.writeDurably(state.json.text, as: Self.stateName)
  }

  /// How far a download is; the total where the server said it.
  package func progress() -> (done: Int, total: Int?)? {
    guard let text = try? folder.reading(Self.partialName).readAll(limit: 1 << 16), !text.isEmpty,
      let notes = try? JSONReader.read(text).value,
      let status = try? folder.status(Self.bodyName)
    else { return nil }
    return (status.size, notes["total"]?.integerValue)
  }

  /// The content of the file that came.
  func digest() throws(FileError) -> ContentDigest { try folder.reading(Self.bodyName).digest() }

  func discardBody() throws(FileError) { try folder.remove(Self.bodyName) }

  // MARK: - Kept here

  private static let keptName = FilePath("list.pdf")

  var keptPath: FilePath { folder.path.appending(Self.keptName.components) }

  func hasKept() throws(FileError) -> Bool { try folder.exists(Self.keptName) }

  /// Keeps the file that came, instead of the one kept so far.
  func keep(_ received: NetAnswer.Received, at now: Int64) throws(FileError) {
    try prepare(folder.reading(Self.bodyName), received, at: now)
    try folder.replace(Self.keptName, by: Self.bodyName)
  }

  // MARK: - Into the inbox

  /// Brings the file into the inbox: there whole or not at all, and once, also when it is repeated
  /// after a crash. Where it stands there already, nothing is done.
  ///
  /// - Returns: the name that it got.
  func handIn(
    _ file: SourceState.HandingIn, inbox: FilePath, at now: Int64
  ) throws(FileError) -> String {
    let target = try Folder.make(inbox).makeFolders(FilePath(source.to))
    let carried = FilePath(".procd-fetch-\(source.id)")
    if let body = try folder.status(Self.bodyName), body.size == file.received.bytes {
      try prepare(folder.reading(Self.bodyName), file.received, at: now)
      if let name = try place(Self.bodyName, from: folder, in: target, as: file.name) {
        try folder.sync()
        return name
      }
      // Another mount: a copy that counts from the moment when the original is gone.
      try target.remove(carried)
      let copy = try target.creating(carried)
      _ = try folder.reading(Self.bodyName).copy(to: copy)
      try prepare(copy, file.received, at: now)
      try target.sync()
      try folder.remove(Self.bodyName)
      try folder.sync()
    }
    return try place(carried, from: target, in: target, as: file.name) ?? file.name
  }

  private func prepare(
    _ file: OpenFile, _ received: NetAnswer.Received, at now: Int64
  ) throws(FileError) {
    try file.setMode(0o666 & ~currentMask())
    if let seconds = received.modifiedSeconds, Int64(seconds) * 1000 <= now {
      try file.setModified(FileTime(seconds: Int64(seconds), nanoseconds: 0))
    }
    try file.sync()
  }

  /// Gives the file its name, or one with a number where that is taken; nil where a rename does not
  /// reach there, or nothing is there to be renamed.
  private func place(
    _ from: FilePath, from folder: Folder, in target: Folder, as name: String
  ) throws(FileError) -> String? {
    let wanted = FilePath(name)
    var candidate = wanted, number = 1
    while true {
      switch try folder.rename(from, to: target, as: candidate) {
      case .done:
        try target.sync()
        return candidate.string
      case .otherMount, .missing: return nil
      case .taken:
        number += 1
        let (stem, ending) = wanted.stemAndEnding
        candidate = FilePath(bytes: stem + Array("-\(number)".utf8) + ending)
      }
    }
  }
}
