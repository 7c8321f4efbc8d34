import Files
import Foundation
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// What lies in the inbox: links, empty files, days and spellings of names.
@Suite(.serialized) struct InboxEntryTests {
  /// Another attempt would find both as they are, and cron would mail each of them.
  @Test func `what is no file is left in the inbox and is no reason to try again`() throws {
    let site = try Site()
    let inbox = site.place("inbox").string
    try #require(symlink("/etc/hostname", "\(inbox)/link.txt") == 0)
    try #require(symlink("/nowhere", "\(inbox)/dangling.pdf") == 0)
    try #require(mkfifo("\(inbox)/pipe", 0o600) == 0)
    try site.place.write(Site.pdf("x"), to: "inbox/x.pdf")
    let run = try site.run("run", "--once")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(site.place.exists("outbox/x.txt"))
    let status = try site.run("status")
    #expect(status.output.contains("link.txt: is a symbolic link"), "\(status)")
  }

  @Test func `an empty file waits as one that seems cut off does`() throws {
    let site = try Site {
      $0.replacing(#""settleEndMark": "200ms""#, with: #""settleEndMark": "20s""#)
    }
    try site.place.write("", to: "inbox/placeholder.pdf")
    let run = try Programs.start("procd", ["run", "--once"], in: site.place.path)
    try #require(
      Programs.wait {
        (try? site.run("status").output.contains("placeholder.pdf: seems cut off")) == true
      })
    try site.place.write(Site.pdf("Scanned"), to: "inbox/placeholder.pdf")
    #expect(run.wait() == 0)
    #expect(site.place.exists("outbox/placeholder.txt"))
  }

  /// Kiritimati is 14 hours ahead of UTC and Pago Pago 11 behind, so at any time one of them has another day than UTC.
  @Test(arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
  func `the day of a name is that of the zone`(zone: String) throws {
    let site = try Site {
      $0.replacing(#""version": 1,"#, with: #""version": 1, "timeZone": "\#(zone)","#)
        .replacing(
          #""text.text", "#, with: #"{ "from": "text.text", "as": "{yyyy}-{mm}-{dd}.txt" }, "#)
    }
    try site.place.write(Site.pdf("x"), to: "inbox/x.pdf")
    let hours = zone.hasSuffix("ti") ? 14.0 : -11
    func day() -> String {
      Date(timeIntervalSinceNow: hours * 3600).formatted(.iso8601.year().month().day())
    }
    let before = day()
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run)")
    let names = [before, day()].map { "outbox/\($0).txt" }
    #expect(names.contains { site.place.exists($0) }, "\(site.place.files(below: "outbox"))")
  }

  @Test func `a zone that nobody knows is a mistake in the configuration`() throws {
    let site = try Site {
      $0.replacing(#""version": 1,"#, with: #""version": 1, "timeZone": "Mars/Olympus","#)
    }
    let check = try site.run("check")
    #expect(check.status == 78 && check.errors.contains("[zone.unknown]"), "\(check)")
  }

  /// The file systems of Macs and what people type differ in how they write letters with marks.
  @Test func `a name is found in whichever normal form it is typed`() throws {
    let site = try Site()
    let composed = "Mu\u{308}ller.pdf".precomposedStringWithCanonicalMapping
    let decomposed = composed.decomposedStringWithCanonicalMapping
    try site.place.write(Site.pdf("x"), to: "inbox/sub/\(composed)")
    try site.place.write(Data("%PDF-1.4 nothing %%EOF".utf8), to: "inbox/bad \(decomposed)")
    _ = try site.run("run", "--once")
    for name in [composed, decomposed] {
      for typed in [name, "sub/\(name)", "inbox/sub/\(name)"] {
        #expect(try site.run("status", typed).status == 0, "\(typed)")
      }
      let result = name.replacing(".pdf", with: ".txt")
      #expect(try site.run("status", "outbox/sub/\(result)").status == 0)
    }
    let retry = try site.run("retry", "bad \(composed)")
    #expect(retry.status == 0, "\(retry)")
  }
}
