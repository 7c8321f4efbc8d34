/// How the files of a source are asked for.
package enum SourceScheme: String, Sendable, CaseIterable {
  case http, https
  /// Files over SSH.
  case sftp
  /// FTP over TLS from the first byte on, on a port of its own.
  case ftps
  /// FTP that becomes TLS before the user is named (RFC 4217).
  case ftpes
  /// A mailbox by IMAP over TLS (RFC 8314).
  case imaps

  /// That of an address; nil where procd asks for none of its kind.
  package init?(url: String) {
    self.init(rawValue: String(url.prefix { $0 != ":" }).lowercased())
  }

  /// Whether servers tell of files by the heads of HTTP.
  package var isWeb: Bool { self == .http || self == .https }

  /// For people.
  package static let list = "http, https, sftp, ftps, ftpes and imaps"
}
