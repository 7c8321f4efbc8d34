import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// A site whose page is open, and a client of it: curl, with the cookie of the link.
final class PageClient {
  let site: Site
  let port: Int
  private(set) var daemon: Programs.Running
  let link: String
  private let jar: String

  struct Answer {
    var status: Int
    var headers: String
    var body: Data
    var json: JSON? { try? JSONReader.read(Array(body)).value }
    var code: String? { json?["code"]?.stringValue }
  }

  init(_ change: (String) -> String = { $0 }) throws {
    let port = try #require(Programs.freePort())
    self.port = port
    site = try Site {
      change($0.replacing(#""version": 1,"#, with: #""version": 1, "web": "127.0.0.1:\#(port)","#))
    }
    daemon = try site.watch()
    jar = site.place("jar").string
    var link = ""
    let site = site
    try #require(
      Programs.wait {
        link = ((try? site.run("web", "open"))?.output ?? "").trimmingCharacters(in: .newlines)
        return !link.isEmpty && (try? Self.curl(["http://127.0.0.1:\(port)/"]).status) == 200
      })
    self.link = link
    let answer = try Self.curl(["-c", jar, link])
    #expect(answer.status == 303, "\(answer.headers)")
  }

  deinit {
    daemon.signal(SIGTERM)
    _ = daemon.wait()
  }

  static func curl(_ arguments: [String]) throws -> Answer {
    let place = TemporaryFolder()
    let result = try Programs.run(
      try #require(Programs.find("curl")),
      ["-s", "-S", "--max-time", "60", "-o", place("body").string, "-D", place("head").string]
        + ["-w", "%{http_code}"] + arguments, in: place.path)
    return Answer(
      status: Int(result.output) ?? 0,
      headers: String(decoding: place.read("head") ?? Data(), as: UTF8.self),
      body: place.read("body") ?? Data())
  }

  func api(_ path: String) -> String { "http://127.0.0.1:\(port)/api/v1/\(path)" }

  func get(_ path: String, _ more: String...) throws -> Answer {
    try Self.curl(["-b", jar] + more + [api(path)])
  }

  func post(_ path: String, json: String, _ more: String...) throws -> Answer {
    try Self.curl(
      ["-b", jar, "-X", "POST", "-H", "Content-Type: application/json", "--data-binary", json]
        + more + [api(path)])
  }

  func upload(_ file: FilePath, _ query: String, to path: String = "uploads") throws -> Answer {
    try Self.curl(
      [
        "-b", jar, "-X", "POST", "-H", "Content-Type: application/octet-stream", "--data-binary",
        "@\(file.string)", api("\(path)?\(query)"),
      ])
  }

  /// Waits until something holds of what an address answers.
  func wait(_ path: String, until holds: (JSON) -> Bool) -> Bool {
    Programs.wait { (try? get(path).json).flatMap { $0 }.map(holds) ?? false }
  }

  static func sample(_ name: String) -> FilePath {
    Programs.repository.appending("docs/samples/\(name)")
  }
}
