import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `metrics` of a configuration, with real runs.
@Suite(.serialized) struct MetricsTests {
  private func site(_ file: String = "procd.prom") throws -> Site {
    try Site {
      $0.replacing(
        "\"version\": 1,",
        with: #""version": 1, "duplicates": "report", "metrics": { "file": "\#(file)" },"#)
    }
  }

  private func samples(_ site: Site, _ name: String = "procd.prom") throws -> [String: Double] {
    let text = String(decoding: try #require(site.place.read(name)), as: UTF8.self)
    return try PrometheusText.read(text).values.reduce(into: [:]) {
      $0.merge($1.samples) { first, _ in first }
    }
  }

  @Test func `outcomes are counted by pipeline, over runs`() throws {
    let site = try site()
    let done = #"procd_files_total{outcome="done",pipeline="pdf-text"}"#
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    try site.place.write(Site.pdf("two"), to: "inbox/two.pdf")
    try site.put(sample: "locked.pdf")
    try site.place.write("nothing that a rule takes\u{0}\u{1}", to: "inbox/odd.bin")
    #expect(try site.run("run", "--once").status == 65)
    let first = try samples(site)
    #expect(first[done] == 2)
    #expect(first[#"procd_files_total{outcome="quarantined",pipeline="pdf-text"}"#] == 1)
    #expect(first[#"procd_files_total{outcome="quarantined",pipeline=""}"#] == 1)
    #expect(first[#"procd_files_total{outcome="done",pipeline="batch-status"}"#] == 0)
    #expect(first["procd_inbox_files"] == 0)
    #expect(first["procd_workers_busy"] == 0)
    #expect(first["procd_intake_paused"] == 0)
    let attempts = try #require(first[#"procd_attempts_total{result="done"}"#])
    #expect(attempts > 2)
    var status = stat()
    #expect(stat(site.place("procd.prom").string, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644)

    try site.place.write(Site.pdf("three"), to: "inbox/three.pdf")
    try site.place.write(Site.pdf("one"), to: "inbox/again.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let second = try samples(site)
    #expect(second[done] == 3)
    #expect(second[#"procd_files_total{outcome="duplicate",pipeline="pdf-text"}"#] == 1)
    #expect(try #require(second[#"procd_attempts_total{result="done"}"#]) > attempts)
  }

  @Test func `a socket answers with the figures of the moment`() throws {
    let site = try Site {
      $0.replacing(
        "\"version\": 1,", with: #""version": 1, "metrics": { "socket": "figures" },"#)
    }
    let curl = try #require(Programs.find("curl"))
    func asked() throws -> [String: Double] {
      let result = try Programs.run(
        curl, ["-sf", "--unix-socket", "figures", "http://procd/metrics"], in: site.place.path)
      return try PrometheusText.read(result.output).values.reduce(into: [:]) {
        $0.merge($1.samples) { first, _ in first }
      }
    }
    let done = #"procd_files_total{outcome="done",pipeline="pdf-text"}"#
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { (try? asked()[done]) == 0 })
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    #expect(Programs.wait { (try? asked()[done]) == 1 })
    daemon.signal(SIGTERM)
    #expect(Programs.wait { !site.place.exists("figures") })
  }

  @Test func `a file that stands where the socket is to be stays`() throws {
    let site = try Site {
      $0.replacing(
        "\"version\": 1,", with: #""version": 1, "metrics": { "socket": "figures" },"#)
    }
    try site.place.write("mine", to: "figures")
    let result = try site.run("run", "--once")
    #expect(result.errors.contains("metrics socket cannot be opened"), "\(result.errors)")
    #expect(site.place.read("figures") == Data("mine".utf8))
  }

  @Test func `a watching procd writes from the start, and once more at its end`() throws {
    let site = try site()
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { site.place.exists("procd.prom") })
    #expect(try samples(site)["procd_workers"] ?? 0 > 0)
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    #expect(Programs.wait { site.place.exists("archive/one.pdf") })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(try samples(site)[#"procd_files_total{outcome="done",pipeline="pdf-text"}"#] == 1)
    #expect(!site.place.exists("procd.prom.new"))
  }

  @Test func `a folder that the unit makes at its start is no mistake while it is stopped`() throws
  {
    let site = try Site {
      $0.replacing(
        "\"version\": 1,",
        with: #""version": 1, "status": { "socket": "/run/procd-not-there/status" },"#)
    }
    let check = try site.run("check")
    #expect(check.status == 0 && check.errors.contains("note[env.metrics]"), "\(check)")
    #expect(check.errors.contains("procd's unit makes it when it starts"), "\(check)")
    #expect(check.output.contains("all is well"), "\(check)")
  }

  @Test func `a file that cannot be written stops nothing, and check tells of it`() throws {
    let site = try site("missing/procd.prom")
    let check = try site.run("check")
    #expect(check.status == 78)
    #expect(check.errors.contains("env.metrics"))
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.exists("archive/one.pdf"))
  }

  @Test func `inside a folder of ours it would be taken for a file`() throws {
    let site = try site("inbox/procd.prom")
    let check = try site.run("check")
    #expect(check.status == 78)
    #expect(check.errors.contains("place.overlap"))
  }
}
