import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// A real web server on loopback that does what the test plans, and notes what it was asked.
final class WebServer {
  let place = TemporaryFolder()
  let port: String
  private let process: Programs.Running

  /// What is wrong with the TLS of a server.
  enum Fault: String, CaseIterable, Sendable { case expired, notYetValid, otherHost, oldVersion }

  /// - Parameter isSafe: whether it speaks TLS, with the certificate `certificate` of its own.
  init(isSafe: Bool = false, fault: Fault? = nil) throws {
    try place.write("{}", to: "plan.json")
    let script = Programs.repository.appending("Tests/Fixtures/server/server.py").string
    var arguments = [script, place.path.string]
    if isSafe {
      try Self.certify(fault, in: place)
      arguments += [place("certificate.pem").string, place("key.pem").string]
      if fault == .oldVersion { arguments.append("TLSv1.1") }
    }
    let python = try #require(Programs.find("python3"))
    let process = try Programs.start(python, arguments, in: place.path)
    let place = place
    let started = Programs.wait { place.exists("port") }
    self.process = process
    port = String(decoding: place.read("port") ?? Data(), as: UTF8.self)
    try #require(started)
  }

  /// Makes a certificate of the server's own, and its key. Only `openssl ca` takes any dates.
  private static func certify(_ fault: Fault?, in place: TemporaryFolder) throws {
    let host = fault == .otherHost ? "other.test" : "localhost"
    try place.write(
      """
      [ca]
      default_ca = own
      [own]
      database = index.txt
      serial = serial
      new_certs_dir = .
      default_md = sha256
      policy = any
      x509_extensions = names
      [any]
      commonName = supplied
      [names]
      subjectAltName = DNS:\(host)
      """, to: "ca.cnf")
    try place.write("", to: "index.txt")
    try place.write("01\n", to: "serial")
    let years: (Int, Int) =
      fault == .expired ? (2010, 2020) : fault == .notYetValid ? (2098, 2099) : (2020, 2099)
    for arguments in [
      [
        "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(host)", "-keyout",
        "key.pem",
        "-out", "request.pem",
      ],
      [
        "ca", "-batch", "-notext", "-selfsign", "-config", "ca.cnf", "-keyfile", "key.pem", "-in",
        "request.pem", "-startdate", "\(years.0)0101000000Z", "-enddate", "\(years.1)0101000000Z",
        "-out", "certificate.pem",
      ],
    ] {
      let made = try Programs.run("/usr/bin/openssl", arguments, in: place.path)
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  deinit { process.signal(SIGKILL) }

  func url(_ path: String, host: String = "127.0.0.1", scheme: String = "http") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  /// What is done with each path.
  func plan(_ plan: JSON) throws {
    try place.write(String(decoding: plan.text, as: UTF8.self), to: "plan.tmp")
    try #require(rename(place("plan.tmp").string, place("plan.json").string) == 0)
  }

  struct Request {
    var method: String
    var path: String
    var status: Int
    var body: String
    var headers: JSON
    func header(_ name: String) -> String? { headers[name]?.stringValue }
  }

  func requests(_ path: String) -> [Request] {
    let text = String(decoding: place.read("requests.jsonl") ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      guard let json = try? JSONReader.read(String(line)).value,
        json["path"]?.stringValue == path
      else { return nil }
      return Request(
        method: json["method"]?.stringValue ?? "", path: path,
        status: json["status"]?.integerValue ?? 0, body: json["body"]?.stringValue ?? "",
        headers: json["headers"] ?? [:])
    }
  }
}
