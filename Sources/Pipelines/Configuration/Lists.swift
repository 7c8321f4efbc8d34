package import PluginKit

/// A file on the network, or a folder of files, that is asked for again and again; what is new is handed
/// into the inbox.
package struct Source: Sendable, Equatable {
  package var id: String
  /// Of a `SourceScheme`.
  package var url: String
  /// Milliseconds between two questions.
  package var every: Int
  /// The sub-folder of the inbox that it is put into; empty for the inbox itself.
  package var to: String
  /// Whether hosts of private networks may be asked.
  package var allowsPrivate: Bool
  /// What the files of a folder are called that are wanted; all where there are no patterns.
  package var names: [String] = []
  /// Where the password of the user, or of the key, is kept.
  package var password: JSON?
  /// The path of a private key.
  package var key: String?
  /// How the server is known, `SHA256:…`.
  package var hostKey: String?

  /// Whether the files of a folder are asked for, or the mails of a mailbox.
  package var isFolder: Bool {
    guard let scheme = SourceScheme(url: url), !scheme.isWeb else { return false }
    return url.hasSuffix("/") || isMailbox
  }

  /// Whether that is a mailbox.
  package var isMailbox: Bool { SourceScheme(url: url) == .imaps }

  package init(
    id: String, url: String, every: Int, to: String = "", allowsPrivate: Bool = false
  ) {
    (self.id, self.url, self.every) = (id, url, every)
    (self.to, self.allowsPrivate) = (to, allowsPrivate)
  }
}

/// Somebody to be told when something happens.
package struct NotifyTarget: Sendable {
  /// How the news goes there.
  package enum Way: Sendable {
    /// A program and its arguments; what happened stands in its environment.
    case command([String])
    /// An HTTP address that news is posted to.
    case webhook(url: String, body: Body, secret: JSON?, allowsPrivate: Bool)
    /// The addresses that sendmail is given.
    case mail([String])
    /// The log of the daemon.
    case log
  }

  /// The form of what is posted.
  package enum Body: String, Sendable, CaseIterable { case json, text }

  /// Names the target among the others, for what was told already: its place in the file.
  package var id: String
  /// Names it for people, who count from one.
  package var place: String {
    let number = Int(id.split(separator: "-").last ?? "").map { $0 + 1 }
    return number.map { "entry \($0) of notify" } ?? id
  }
  package var events: Set<Notice.Event>
  /// The series whose numbers it is told of; all where there are none.
  package var series: [String]
  /// Milliseconds in which news is collected into one message; news of numbers is not held back.
  package var every: Int
  package var way: Way

  package init(
    id: String, events: Set<Notice.Event>, series: [String] = [], every: Int, way: Way
  ) {
    (self.id, self.events, self.series) = (id, events, series)
    (self.every, self.way) = (every, way)
  }
}
