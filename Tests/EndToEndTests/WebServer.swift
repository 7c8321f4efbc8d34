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

  /// - Parameter isSafe: whether it speaks TLS, with the certificate `certificate` of its own.
  init(isSafe: Bool = false) throws {
    try place.write("{}", to: "plan.json")
    let script = Programs.repository.appending("Tests/Fixtures/server/server.py").string
    var arguments = [script, place.path.string]
    if isSafe {
      let made = try Programs.run(
        "/usr/bin/openssl",
        [
          "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
          "-addext", "subjectAltName=DNS:localhost", "-keyout", place("key.pem").string, "-out",
          place("certificate.pem").string,
        ])
      try #require(made.status == 0, "\(made.errors)")
      arguments += [place("certificate.pem").string, place("key.pem").string]
    }
    let python = try #require(Programs.find("python3"))
    let process = try Programs.start(python, arguments, in: place.path)
    let place = place
    let started = Programs.wait { place.exists("port") }
    self.process = process
    port = String(decoding: place.read("port") ?? Data(), as: UTF8.self)
    try #require(started)
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
