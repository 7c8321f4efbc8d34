import Foundation
import SystemPackage
import TestSupport
import Testing

/// A real server of files on loopback: OpenSSH for sftp, ProFTPD for ftps and ftpes. Its user is whoever
/// runs the tests (sftp), or `ada` with the password `word`.
final class FileServer {
  let place = TemporaryFolder()
  private let scheme: String
  private let port: Int
  private var process: Programs.Running?

  /// The programs that tests need.
  static let isInstalled =
    FileManager.default.isExecutableFile(atPath: sshd)
    && FileManager.default.isExecutableFile(atPath: proftpd)
    && FileManager.default.fileExists(atPath: "/usr/lib/proftpd/mod_tls.so")

  private static let sshd = "/usr/sbin/sshd", proftpd = "/usr/sbin/proftpd"

  init(_ scheme: String) throws {
    self.scheme = scheme
    port = try #require(Programs.freePort())
    try FileManager.default.createDirectory(
      atPath: place("files").string, withIntermediateDirectories: true)
    process = scheme == "sftp" ? try startSSH() : try startFTP()
    let port = port
    try #require(Programs.wait { Self.answers(port) })
  }

  deinit { process?.signal(SIGTERM) }

  private func startSSH() throws -> Programs.Running {
    for key in ["hostkey", "id", "other"] {
      let made = try Programs.run(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", place(key).string])
      try #require(made.status == 0, "\(made.errors)")
    }
    // Where sshd is started as root, it wants its empty folder.
    if getuid() == 0 {
      try FileManager.default.createDirectory(
        atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    try place.write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(place("hostkey").string)
      AuthorizedKeysFile \(place("id.pub").string)
      PidFile none
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PermitRootLogin yes
      Subsystem sftp internal-sftp
      LogLevel VERBOSE
      """, to: "sshd.conf")
    return try Programs.start(
      Self.sshd, ["-D", "-f", place("sshd.conf").string, "-E", place("log").string],
      in: place.path)
  }

  private func startFTP() throws -> Programs.Running {
    try Self.makeCertificate(in: place)
    let hash = try Programs.run("/usr/bin/openssl", ["passwd", "-6", "word"]).output
    try place.write(
      "ada:\(hash.prefix { $0 != "\n" }):\(getuid()):\(getgid()):ada:\(place("files").string):/bin/false\n",
      to: "users")
    for name in ["users", "key.pem"] {
      try #require(chmod(place(name).string, 0o600) == 0)
    }
    try place.write(
      """
      ServerType standalone
      ModulePath /usr/lib/proftpd
      \(modules.map { "LoadModule \($0).c" }.joined(separator: "\n"))
      ServerName test
      DefaultAddress 127.0.0.1
      Port \(port)
      UseIPv6 off
      UseReverseDNS off
      WtmpLog off
      PidFile \(place("pid").string)
      ScoreboardFile \(place("scoreboard").string)
      SystemLog \(place("log").string)
      AuthUserFile \(place("users").string)
      AuthOrder mod_auth_file.c
      RequireValidShell off
      RootLogin on
      User \(NSUserName())
      TLSEngine on
      TLSRequired on
      TLSRSACertificateFile \(certificate)
      TLSRSACertificateKeyFile \(place("key.pem").string)
      \(scheme == "ftps" ? "TLSOptions UseImplicitSSL" : "")
      """, to: "proftpd.conf")
    return try Programs.start(
      Self.proftpd, ["--nodaemon", "--quiet", "--config", place("proftpd.conf").string],
      in: place.path)
  }

  /// The modules that ProFTPD needs here; some versions have the second and third built in.
  private var modules: [String] {
    ["mod_tls", "mod_ls", "mod_xfer"]
      .filter { FileManager.default.fileExists(atPath: "/usr/lib/proftpd/\($0).so") }
  }

  var certificate: String { place("certificate.pem").string }

  /// The hash of the server's key, as people compare it.
  func hostKey() throws -> String {
    let shown = try Programs.run("/usr/bin/ssh-keygen", ["-lf", place("hostkey.pub").string])
    return String(try #require(shown.output.split(separator: " ").dropFirst().first))
  }

  /// The members of a source that asks for a path below the server's folder `files`.
  func source(_ path: String, more: String = "") throws -> String {
    let login =
      scheme == "sftp"
      ? #""key": "\#(place("id").string)", "hostKey": "\#(try hostKey())""#
      : #""password": { "file": "\#(place("password").string)" }"#
    if scheme != "sftp" { try place.write("word\n", to: "password") }
    return #""url": "\#(url(path))", "private": true, \#(login)\#(more)"#
  }

  func url(_ path: String) -> String {
    scheme == "sftp"
      ? "sftp://\(NSUserName())@localhost:\(port)\(place("files").string)/\(path)"
      : "\(scheme)://ada@localhost:\(port)/\(path)"
  }

  var log: String { String(decoding: place.read("log") ?? Data(), as: UTF8.self) }

  /// Makes `certificate.pem` for localhost, and `key.pem`.
  static func makeCertificate(in place: TemporaryFolder) throws {
    let made = try Programs.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", place("key.pem").string,
        "-out", place("certificate.pem").string,
      ])
    try #require(made.status == 0, "\(made.errors)")
  }

  static func answers(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
