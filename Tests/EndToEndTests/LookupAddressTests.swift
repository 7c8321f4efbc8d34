import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd lookup --in` an address: no configuration, a real web server.
@Suite(.serialized) struct LookupAddressTests {
  private let place = TemporaryFolder()

  private func lookup(_ number: String, _ url: String) throws -> Programs.Result {
    try Programs.run(
      "procd", ["lookup", number, "--in", url], in: place.path,
      environment: ["XDG_CACHE_HOME": place("cache").string])
  }

  private func sample(_ name: String, on server: WebServer) throws {
    let path = Programs.repository.appending("docs/samples/\(name)").string
    try server.place.write(try #require(FileManager.default.contents(atPath: path)), to: name)
  }

  private static let headers: JSON = ["ETag": "\"one\""]

  @Test func `a number is looked up at an address, and the next time nothing is sent`() throws {
    let server = try WebServer()
    try sample("status-2012-06-01.pdf", on: server)
    try server.plan(["/s.pdf": ["file": "status-2012-06-01.pdf", "headers": Self.headers]])
    let url = server.url("/s.pdf")
    let first = try lookup("24300117018", url)
    #expect(first.status == 0 && first.output.contains("documents requested"), "\(first.errors)")
    let again = try lookup("24300117018", url)
    #expect(again.status == 0 && again.output == first.output && again.errors == "")
    #expect(try lookup("24300117081", url).status == 1)
    #expect(server.requests("/s.pdf").map(\.status) == [200, 304, 304])
    #expect(place.files().allSatisfy { $0.hasPrefix("cache/procd/") })
  }

  @Test func `the row of a number is told as soon as its part of the list has come`() throws {
    let server = try WebServer()
    let rows = (0..<4_000).map {
      "\(20_120_000_000 + 37 * $0) \($0 % 3 == 0 ? "issued" : "refused") 01.06.2012"
    }
    let pages = stride(from: 0, to: rows.count, by: 40).map {
      PDFBuilder.lines(Array(rows[$0..<($0 + 40)]))
    }
    let list = PDFBuilder.pages(pages)
    try server.place.write(Data(list), to: "long.pdf")
    try server.plan(["/s.pdf": ["file": "long.pdf", "holdAt": .integer(list.count / 2)]])
    let asked = try Programs.start(
      "/bin/sh",
      [
        "-c", "exec \"$0\" lookup 20120000111 --in \"$1\" > said 2> told",
        Programs.folder.appending("procd").string, server.url("/s.pdf"),
      ],
      in: place.path, environment: ["XDG_CACHE_HOME": place("cache").string])
    func text(_ name: String) -> String {
      String(decoding: place.read(name) ?? Data(), as: UTF8.self)
    }
    #expect(Programs.wait { text("told").contains(": 20120000111  issued") }, "\(text("told"))")
    #expect(asked.isRunning && text("said") == "")
    try server.place.write("", to: "go")
    #expect(asked.wait() == 0)
    #expect(text("said").contains("4,000 numbers"), "\(text("said"))")
  }

  @Test func `where the address fails, what the list said last is told, with its age`() throws {
    let server = try WebServer()
    try sample("status-2012-06-01.pdf", on: server)
    let file: JSON = ["file": "status-2012-06-01.pdf", "headers": Self.headers]
    try server.plan([
      "/s.pdf": [file, ["status": 500], ["file": "page.html"]],
      "/gone.pdf": ["status": 500],
    ])
    try server.place.write("<!doctype html><title>Down for maintenance</title>", to: "page.html")
    let url = server.url("/s.pdf")
    #expect(try lookup("24300117018", url).status == 0)
    let failed = try lookup("24300117018", url)
    #expect(failed.status == 0 && failed.output.contains("documents requested"))
    #expect(failed.errors.contains("[net.server]"), "\(failed.errors)")
    #expect(failed.errors.contains("less than a minute ago"))
    let other = try lookup("24300117018", url)
    #expect(other.status == 0 && other.errors.contains("a web page"), "\(other.errors)")
    let never = try lookup("24300117018", server.url("/gone.pdf"))
    #expect(never.status == 75 && never.output == "", "\(never.output)")
    #expect(never.errors.contains("[net.server]"))
  }

  @Test func `a copy that is damaged is fetched anew in full`() throws {
    let server = try WebServer()
    try sample("status-2012-06-01.pdf", on: server)
    var damaged = try #require(server.place.read("status-2012-06-01.pdf"))
    let place = try #require(damaged.range(of: Data("[3 0 R]/Count 1".utf8)))
    damaged.replaceSubrange(place, with: Data("[3 0 R 9 0 R]/Count 2".utf8))
    try server.place.write(damaged, to: "damaged.pdf")
    let whole: JSON = ["file": "status-2012-06-01.pdf", "headers": Self.headers]
    // The server knows of nothing: it has had the whole file all the time.
    try server.plan(["/s.pdf": [["file": "damaged.pdf", "headers": Self.headers], whole]])
    let first = try lookup("24300117018", server.url("/s.pdf"))
    #expect(first.status == 0 && first.output.contains("Only part of this list"), "\(first)")
    #expect(server.requests("/s.pdf").map(\.status) == [200])
    let second = try lookup("24300117018", server.url("/s.pdf"))
    #expect(second.status == 0 && !second.output.contains("Only part of"), "\(second)")
    #expect(server.requests("/s.pdf").map(\.status) == [200, 304, 200])
    #expect(try lookup("24300117018", server.url("/s.pdf")).output == second.output)
    #expect(server.requests("/s.pdf").map(\.status) == [200, 304, 200, 304])
  }

  @Test func `a named host may be private, one that it leads on to may not`() throws {
    let server = try WebServer()
    try sample("status-2012-06-01.pdf", on: server)
    let target = server.url("/s.pdf", host: "localhost")
    try server.plan([
      "/s.pdf": ["file": "status-2012-06-01.pdf"],
      "/away.pdf": ["status": 302, "headers": ["Location": .string(target)]],
    ])
    #expect(try lookup("24300117018", target).status == 0)
    let away = try lookup("24300117018", server.url("/away.pdf"))
    #expect(away.status == 75 && away.errors.contains("[net.private]"), "\(away.errors)")
  }
}
