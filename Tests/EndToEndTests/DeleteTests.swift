import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Documents that are deleted, by the command and on the page, and brought back.
struct DeleteTests {
  private static let places = ["outbox", "archive", "quarantine"]

  /// All files of the places with their content, without folders of procd's own.
  private func standing(_ site: Site) -> [String: Data] {
    var found: [String: Data] = [:]
    for place in Self.places {
      for name in site.place.files(below: place) where !name.hasPrefix(".procd") {
        found["\(place)/\(name)"] = site.place.read("\(place)/\(name)")
      }
    }
    return found
  }

  private func processed(_ samples: [String], _ change: (String) -> String = { $0 }) throws -> Site
  {
    let site = try Site(change)
    for sample in samples { try site.put(sample: sample) }
    _ = try site.run("run", "--once")
    return site
  }

  @Test(arguments: [false, true])
  func `a deleted document is gone with its results, and comes back whole`(
    hasFolders: Bool
  ) throws {
    let site = try processed(["report-mixed.pdf", "letter-photo.jpg"]) {
      hasFolders
        ? $0.replacing(
          #""outbox": "outbox""#, with: #""outbox": { "path": "outbox", "layout": "folder" }"#) : $0
    }
    let before = standing(site)
    let told = try site.run("delete", "report-mixed.pdf")
    #expect(told.status == 0 && told.output.contains("is deleted; procd delete --undo"), "\(told)")
    #expect(!standing(site).keys.contains { $0.contains("report-mixed") })
    #expect(standing(site).keys.contains { $0.contains("letter-photo") })
    let verified = try site.run("verify")
    #expect(verified.status == 0, "\(verified)")
    #expect(try site.run("status", "report-mixed.pdf").output.contains("procd delete --undo"))
    #expect(try site.run("delete", "--list").output.contains("report-mixed.pdf"))
    #expect(try site.run("delete", "report-mixed.pdf").status == 65)
    #expect(
      try site.run("delete", "nothing.pdf").errors.contains("nothing is known of nothing.pdf"))
    let back = try site.run("delete", "--undo", "report-mixed.pdf")
    #expect(back.status == 0 && back.output == "report-mixed.pdf is back\n", "\(back)")
    #expect(standing(site) == before)
    #expect(try site.run("verify").status == 0)
    #expect(try site.run("delete", "--list").output.hasPrefix("no deleted document"))
    #expect(try site.run("delete", "--undo", "report-mixed.pdf").status == 65)
  }

  @Test func `a file in quarantine goes with its note and comes back with it`() throws {
    let site = try processed(["locked.pdf"])
    let before = standing(site)
    #expect(before.keys.contains("quarantine/locked.pdf.why.txt"))
    #expect(try site.run("delete", "locked.pdf").status == 0)
    #expect(standing(site).keys.filter { $0.hasPrefix("quarantine") }.isEmpty)
    #expect(try site.run("jobs", "--quarantined").output.contains("holds no file"))
    #expect(try site.run("verify").status == 0)
    #expect(try site.run("delete", "--undo", "locked.pdf").status == 0)
    #expect(standing(site) == before)
    #expect(try site.run("jobs", "--quarantined").output.contains("locked.pdf"))
  }

  @Test func `what somebody changed stays, and what is there again is not written over`() throws {
    let site = try processed(["report-mixed.pdf"])
    try site.place.write("mine", to: "outbox/report-mixed.txt")
    let told = try site.run("delete", "report-mixed.pdf")
    #expect(
      told.status == 65
        && told.errors.contains("report-mixed.txt was changed or cannot be moved, and stays"))
    #expect(site.place.read("outbox/report-mixed.txt") == Data("mine".utf8))
    #expect(!site.place.exists("archive/report-mixed.pdf"))
    try site.place.write("another", to: "archive/report-mixed.pdf")
    let hindered = try site.run("delete", "--undo", "report-mixed.pdf")
    #expect(hindered.status == 65 && hindered.errors.contains("is there again"), "\(hindered)")
    #expect(site.place.read("archive/report-mixed.pdf") == Data("another".utf8))
    #expect(try site.run("delete", "--list").output.contains("report-mixed.pdf"))
    try FileManager.default.removeItem(atPath: site.place("archive/report-mixed.pdf").string)
    #expect(try site.run("delete", "--undo", "report-mixed.pdf").status == 0)
    #expect(site.place.exists("archive/report-mixed.pdf"))
  }

  @Test func `killed at any moment, nothing of a document is lost`() throws {
    let site = try processed(["report-mixed.pdf"])
    let before = standing(site)
    for moment in 0..<16 {
      for words in [["delete", "report-mixed.pdf"], ["delete", "--undo", "report-mixed.pdf"]] {
        let running = try Programs.start("procd", words, in: site.place.path)
        usleep(useconds_t(moment * 2_000))
        running.signal(SIGKILL)
        _ = running.wait()
      }
      // Whatever was reached: the rest is deleted, and all of it comes back.
      _ = try site.run("delete", "report-mixed.pdf")
      #expect(standing(site).isEmpty, "\(moment)")
      #expect(try site.run("delete", "--undo", "report-mixed.pdf").status == 0)
      #expect(standing(site) == before, "\(moment)")
    }
    #expect(try site.run("verify").status == 0)
  }

  @Test func `deleted documents are removed when their time is over`() throws {
    let site = try processed(["report-mixed.pdf"]) {
      $0.replacing(#""version": 1,"#, with: #""version": 1, "keepDeleted": "1s","#)
    }
    #expect(try site.run("delete", "report-mixed.pdf").status == 0)
    let daemon = try site.watch()
    #expect(
      Programs.wait {
        (try? site.run("delete", "--list").output.hasPrefix("no deleted document")) == true
      })
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    #expect(!site.place.files().contains { $0.contains("deleted/") })
    #expect(try site.run("verify").status == 0)
  }

  @Test func `the page deletes a document, finds it no more, and brings it back`() throws {
    let client = try PageClient()
    #expect(try client.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let job = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    let text = try client.get("jobs/\(job)/text?page=1").json?["text"]?.stringValue ?? ""
    let word = try #require(text.components(separatedBy: .letters.inverted).first { $0.count > 5 })
    try #require(client.wait("find?q=\(word)") { $0["total"] == 1 })
    let body = #"{"jobs":["\#(job)"]}"#
    let deleted = try client.post("delete", json: body)
    #expect(deleted.json?["changed"]?.arrayValue?.count == 1, "\(deleted)")
    let shown = try client.get("jobs/\(job)").json
    #expect(shown?["isDeleted"] == true && shown?["original"]?["stands"] == false)
    #expect(client.wait("find?q=\(word)") { $0["total"] == 0 })
    #expect(try client.get("deleted").json?["total"] == 1)
    let again = try client.post("delete", json: body).json
    #expect(again?["refused"]?.arrayValue?.count == 1, "\(again as Any)")
    #expect(try client.post("restore", json: body).json?["changed"]?.arrayValue?.count == 1)
    #expect(try client.get("jobs/\(job)").json?["isDeleted"] == false)
    #expect(client.wait("find?q=\(word)") { $0["total"] == 1 })
    #expect(
      try client.post("delete", json: #"{"jobs":["../../etc"]}"#).json?["changed"]?.arrayValue == []
    )
  }
}
