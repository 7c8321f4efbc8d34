import Foundation
import SystemPackage
import TestSupport
import Testing

/// The programme guide, a foreign plugin that comes with procd, as users would have it.
@Suite struct GuidePluginTests {
  /// A folder with the plugin as it is installed, and a configuration that knows it.
  private func folder(emit: String = #""load.html", "load.json""#) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try ForeignPlugin.layOut("guide", of: "Guide", in: folder)
    try folder.write(
      """
      {
        "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [
          { "id": "guide", "match": { "name": "*.xml*" },
            "steps": [{ "id": "load", "use": "guide.load",
                        "with": { "channels": ["*.example"], "timeZone": "Europe/Berlin" } }],
            "emit": [\(emit)] }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  private func file(_ title: String) -> String {
    let format = DateFormatter()
    format.dateFormat = "yyyyMMddHHmmss"
    format.timeZone = TimeZone(identifier: "UTC")
    format.locale = Locale(identifier: "en_US_POSIX")
    let start = format.string(from: Date(timeIntervalSinceNow: -600))
    let stop = format.string(from: Date(timeIntervalSinceNow: 600))
    return """
      <?xml version="1.0"?><tv><channel id="one.example"><display-name>One</display-name></channel>
      <programme start="\(start) +0000" stop="\(stop) +0000" channel="one.example"><title>\(title)</title>
      <desc>Of lighthouses.</desc></programme>
      <programme start="\(start) +0000" channel="other"><title>Left out</title></programme></tv>
      """
  }

  @Test func `one page and one calendar are renewed, and what a search finds is told once`() throws
  {
    let folder = try folder(
      emit:
        #"{ "from": "load.html", "as": "guide.html" }, { "from": "load.calendar", "as": "guide.ics" }"#
    )
    let configuration = String(decoding: try #require(folder.read("pipelines.json")), as: UTF8.self)
    try folder.write(
      configuration.replacing("\"timeZone\"", with: "\"searches\": [\"sea\"], \"timeZone\"")
        .replacing("\"emit\"", with: "\"onClash\": \"replace\", \"emit\"")
        .replacing(
          "\"plugins\":",
          with: #""notify": [{ "on": "news", "every": "100ms", "command": "./tell" }], "plugins":"#),
      to: "pipelines.json")
    try folder.write("#!/bin/sh\necho \"$PROCD_SUBJECT|$PROCD_TEXT\" >> told\n", to: "tell")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder("tell").string)
    for (name, title) in [
      ("a.xml", "Stories of the Sea"), ("b.xml", "Stories of the Sea"), ("c.xml", "Mountains"),
    ] {
      try folder.write(file(title) + "<!-- \(name) -->", to: "inbox/\(name)")
      let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    let pages = folder.files().filter { $0.hasPrefix("outbox/guide") }
    #expect(pages.sorted() == ["outbox/guide.html", "outbox/guide.ics"])
    // The last file says that something else runs.
    let calendar = String(decoding: try #require(folder.read("outbox/guide.ics")), as: UTF8.self)
    #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n") && !calendar.contains("Sea"))
    let told = String(decoding: folder.read("told") ?? Data(), as: UTF8.self)
    #expect(told.hasPrefix("guide: ") && told.contains("|"), "\(told)")
    // Once in the subject and once in the text.
    let places = told.split(separator: "|").map { $0.contains("Stories of the Sea") }
    #expect(places == [true, true], "\(told)")
    #expect(told.components(separatedBy: "Stories of the Sea").count == 3, "\(told)")
    let tonight = try Programs.run("procd", ["guide", "tonight", "--calendar"], in: folder.path)
    #expect(tonight.status == 0 && tonight.output.hasPrefix("BEGIN:VCALENDAR"), "\(tonight.errors)")
  }

  @Test func `a guide that is dropped can be looked at and searched`() throws {
    let folder = try folder()
    try folder.write(file("Stories of the Sea"), to: "inbox/tv.xml")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(folder.read("outbox/tv.xml.report.json"), "\(folder.files())")
    let json = try #require(try JSONSerialization.jsonObject(with: report) as? [String: Any])
    let step = try #require((json["steps"] as? [[String: Any]])?.first)
    let facts = try #require(step["facts"] as? [String: Int])
    #expect(facts["programmes"] == 1 && facts["leftOut"] == 1 && facts["added"] == 1)
    let page = try #require(folder.read("outbox/tv.html"))
    #expect(String(decoding: page.prefix(15), as: UTF8.self) == "<!doctype html>")
    #expect(folder.exists("archive/tv.xml") && folder.exists("outbox/tv.json"))

    let now = try Programs.run("procd", ["guide", "now"], in: folder.path)
    #expect(now.output.contains("Stories of the Sea"), "\(now.errors)")
    let found = try Programs.run(
      "procd", ["guide", "search", "lighthouse", "story", "--all", "--json"], in: folder.path)
    let programmes = try #require(
      try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]])
    let identifier = try #require(programmes.first?["id"] as? String)
    let shown = try Programs.run("procd", ["guide", "show", identifier], in: folder.path)
    #expect(shown.output.contains("Of lighthouses."), "\(shown.errors)")

    try folder.write(file("Changed"), to: "files/later.xml")
    let loaded = try Programs.run("procd", ["guide", "load", "files/later.xml"], in: folder.path)
    #expect(loaded.status == 0, "\(loaded.errors)")
    #expect(loaded.output.hasPrefix("later.xml: 2 programmes on 2 channels"), "\(loaded.output)")
    let made = try Programs.run("procd", ["guide", "page", "-o", "guide.html"], in: folder.path)
    #expect(made.status == 0 && folder.exists("guide.html"), "\(made.errors)")

    let plugins = try Programs.run("procd", ["plugins"], in: folder.path)
    #expect(plugins.output.contains("guide.load"))
    // Without it all else goes on.
    try FileManager.default.removeItem(atPath: folder("plugins/guide/procd-guide").string)
    let without = try Programs.run("procd", ["jobs"], in: folder.path)
    #expect(without.status == 0, "\(without.errors)")
  }

  @Test func `what is no guide goes to the quarantine, with the reason`() throws {
    let folder = try folder(emit: #""load.json""#)
    try folder.write("<rss><channel/></rss>", to: "inbox/news.xml")
    let run = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(run.status == 65)
    #expect(run.errors.contains("[guide.xml]"), "\(run.errors)")
    let empty = try Programs.run("procd", ["guide", "now"], in: folder.path)
    #expect(empty.status == 0 || empty.status == 65)
    let typed = try Programs.run("procd", ["guide", "serch"], in: folder.path)
    #expect(typed.status == 64, "\(typed.errors)")
  }
}
