import Foundation
import Glibc
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

  /// Sends bytes over a connection of its own, which stays open.
  func send(_ text: String) throws -> RawConnection { try RawConnection(port, text) }

  /// The cookie of the session, as a header has it.
  var cookie: String {
    let lines = String(decoding: site.place.read("jar") ?? Data(), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t") }
    let fields = lines.filter { $0.count > 6 }.map { "\($0[5])=\($0[6])" }
    return "Cookie: \(fields.joined(separator: "; "))"
  }

  static func sample(_ name: String) -> FilePath {
    Programs.repository.appending("docs/samples/\(name)")
  }
}

/// A connection to this machine that sends what no HTTP client would.
final class RawConnection {
  private let descriptor: Int32

  init(_ port: Int, _ text: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
    send(text)
  }

  deinit { close(descriptor) }

  /// - Returns: whether the other end took it.
  @discardableResult func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// What has come until something holds of it, or until the other end closed.
  func read(until holds: (String) -> Bool = { _ in false }) -> String {
    var text = "", buffer = [UInt8](repeating: 0, count: 65_536)
    while !holds(text) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return text
  }

  /// The status of the answer.
  func status() -> Int {
    Int(read { $0.contains("\r\n") }.split(separator: " ").dropFirst().first ?? "") ?? 0
  }
}
