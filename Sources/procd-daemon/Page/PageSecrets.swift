import Files
import PageAPI
import PluginKit
import SystemPackage

/// The token and the password of the page, in the spool, which is closed to all but its owner.
struct PageSecrets {
  private let spool: Folder

  init(in spool: FilePath) throws(FileError) { self.spool = try Folder.make(spool, mode: 0o700) }

  private static let tokenName = FilePath("web-token")
  private static let passwordName = FilePath("web-password")
  private static let endedName = FilePath("web-ended.json")

  /// What the link has; made at the first time.
  func token() throws(FileError) -> String {
    if let text = try text(Self.tokenName), text.utf8.count == 64 { return text }
    // Two that start at once agree on one.
    let trial = FilePath("web-token.\(PasswordHash.makeToken().prefix(12))")
    try spool.writeDurably(Array(PasswordHash.makeToken().utf8), as: trial)
    if try spool.rename(trial, to: spool, as: Self.tokenName) != .done { try spool.remove(trial) }
    try spool.sync()
    guard let token = try text(Self.tokenName), token.utf8.count == 64 else {
      throw FileError("read", spool.path.appending(Self.tokenName.components), .invalidArgument)
    }
    return token
  }

  /// As ``PasswordHash`` writes it; nil where there is none.
  func password() throws(FileError) -> String? { try text(Self.passwordName) }

  func set(password: String?) throws(FileError) {
    guard let password else {
      try spool.remove(Self.passwordName)
      return
    }
    try spool.writeDurably(Array(password.utf8), as: Self.passwordName)
  }

  /// Another token: the links and sessions of before end when the page is started again.
  func renew() throws(FileError) { try spool.remove(Self.tokenName) }

  /// The sessions that were ended.
  func ended() throws(FileError) -> EndedSessions {
    guard let text = try text(Self.endedName) else { return EndedSessions() }
    guard let json = try? JSONReader.read(Array(text.utf8)).value, let ended = EndedSessions(json)
    else {
      throw FileError("read", spool.path.appending(Self.endedName.components), .invalidArgument)
    }
    return ended
  }

  func end(_ session: EndedSessions.Session, now: Int) throws(FileError) {
    var ended = try ended()
    ended.add(session, now: now)
    try spool.writeDurably(ended.json.line, as: Self.endedName)
  }

  private func text(_ name: FilePath) throws(FileError) -> String? {
    guard try spool.exists(name) else { return nil }
    let text = String(decoding: try spool.reading(name).readAll(limit: 128 << 10), as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
