import Foundation
import SystemPackage
import TestSupport
import Testing

/// A real server of mail on loopback, Dovecot, with one user `ada` whose password is `word`.
final class MailServer {
  let place = TemporaryFolder()
  private let port: Int
  private var process: Programs.Running?

  private static let dovecot = "/usr/sbin/dovecot"
  /// Whose mail it is: Dovecot reads none as root.
  private static let user: uid_t = 65_534
  /// Its processes change their user, which root alone may let them.
  static let isUsable = FileManager.default.isExecutableFile(atPath: dovecot) && getuid() == 0

  init() throws {
    port = try #require(Programs.freePort())
    for folder in ["run", "mail", "mail/cur", "mail/new", "mail/tmp"] {
      try FileManager.default.createDirectory(
        atPath: place(folder).string, withIntermediateDirectories: true)
      if folder != "run" { try #require(chown(place(folder).string, Self.user, Self.user) == 0) }
    }
    try FileServer.makeCertificate(in: place)
    // The processes that answer before the login have another user.
    try #require(chmod(place.path.string, 0o755) == 0)
    try place.write("word\n", to: "password")
    try place.write(try configuration(), to: "dovecot.conf")
    process = try Programs.start(
      Self.dovecot, ["-F", "-c", place("dovecot.conf").string], in: place.path)
    let port = port
    let answers = Programs.wait { FileServer.answers(port) }
    try #require(answers, "\(place.read("log").map { String(decoding: $0, as: UTF8.self) } ?? "")")
  }

  /// Returns the configuration for the installed version: 2.4 renamed most settings and refuses the old names.
  private func configuration() throws -> String {
    let version = try Programs.run(Self.dovecot, ["--version"]).output
    let numbers = version.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    let key = place("key.pem").string, mail = place("mail").string, home = place.path.string
    let settings =
      numbers.lexicographicallyPrecedes([2, 4])
      ? """
      ssl_cert = <\(certificate)
      ssl_key = <\(key)
      mail_location = maildir:\(mail)
      passdb {
        driver = static
        args = user=ada password=word
      }
      userdb {
        driver = static
        args = uid=\(Self.user) gid=\(Self.user) home=\(home)
      }
      """
      : """
      dovecot_config_version = 2.4.0
      dovecot_storage_version = 2.4.0
      ssl_server_cert_file = \(certificate)
      ssl_server_key_file = \(key)
      mail_driver = maildir
      mail_path = \(mail)
      passdb static {
        password = word
        fields {
          user = ada
        }
      }
      userdb static {
        fields {
          uid = \(Self.user)
          gid = \(Self.user)
          home = \(home)
        }
      }
      """
    return """
      \(settings)
      base_dir = \(place("run").string)
      log_path = \(place("log").string)
      protocols = imap
      listen = 127.0.0.1
      ssl = required
      first_valid_uid = 0
      service imap-login {
        chroot =
        inet_listener imap {
          port = 0
        }
        inet_listener imaps {
          port = \(port)
          ssl = yes
        }
      }
      """
  }

  deinit { process?.signal(SIGTERM) }

  var certificate: String { place("certificate.pem").string }

  /// The members of a source that asks for a mailbox.
  func source(_ mailbox: String, user: String = "ada") -> String {
    #""url": "imaps://\#(user)@localhost:\#(port)/\#(mailbox)", "private": true, "password": { "file": "\#(place("password").string)" }"#
  }

  /// Puts a mail into the inbox, as what delivers mail does.
  func deliver(_ mail: String, as name: String) throws {
    try place.write(mail, to: "mail/tmp/\(name)")
    try FileManager.default.moveItem(
      atPath: place("mail/tmp/\(name)").string, toPath: place("mail/new/\(name)").string)
  }
}
