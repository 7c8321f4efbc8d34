import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Guide

/// Searches that a rule keeps, and the calendar of what they find.
@Suite struct SavedSearchTests {
  private func find(
    _ site: GuideSite, _ terms: String..., job: String, now: Int64 = GuideSite.noon - 6 * 3600
  ) throws -> (all: [String], new: [String]) {
    let store = try GuideStore.open(folder: site.folder.path.string)
    let found = try SavedSearches(terms: terms).run(store, now: now, job: job)
    return (found.programmes.map(\.title), found.new.map(\.title))
  }

  @Test func `what a search finds is new once, and for every attempt of that job`() throws {
    let site = GuideSite()
    try site.load(guide("a 1000 1100 Tatort", "a 1100 1200 News", "b 2015 2145 Star Trek"))
    let first = try find(site, "tatort", "star trek", job: "1")
    #expect(first.all == ["Tatort", "Star Trek"] && first.new == first.all)
    #expect(try find(site, "tatort", "star trek", job: "1").new == ["Tatort", "Star Trek"])
    #expect(try find(site, "tatort", "star trek", job: "2").new.isEmpty)
    // One that moves is the same; one on another channel is another.
    try site.load(
      guide(
        "a 1000 1030 Other", "a 1030 1130 Tatort", "b 2015 2145 Star Trek", "c 1800 1900 Tatort"))
    let later = try find(site, "tatort", "star trek", job: "3")
    #expect(later.all == ["Tatort", "Tatort", "Star Trek"] && later.new == ["Tatort"])
    #expect(try find(site, job: "4").all.isEmpty)
  }

  @Test func `a calendar is lines of at most 75 bytes with escaped text`() throws {
    let programme = FoundProgramme(
      channel: 3, channelName: "One; Two", start: GuideSite.noon, stop: GuideSite.noon + 5400,
      marks: [],
      work: 7, title: "A, B \\ C", subtitle: "Second\nline")
    let long = String(repeating: "Größe 漢字 ", count: 40) + "\u{1}\u{9B}END:VEVENT"
    let bytes = CalendarText(now: GuideSite.noon).calendar([programme]) { $0 == 7 ? long : nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.last == "")
    #expect(lines.filter { $0.hasPrefix("END:VEVENT") } == ["END:VEVENT"])
    let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
    #expect(unfolded.contains("\r\nSUMMARY:A\\, B \\\\ C (One\\; Two)\r\n"))
    #expect(unfolded.contains("\r\nDTSTART:20260105T120000Z\r\nDTEND:20260105T133000Z\r\n"))
    #expect(unfolded.contains("\r\nDESCRIPTION:Second\\nline\\nGröße 漢字"))
    #expect(!unfolded.unicodeScalars.contains { $0.value < 0x20 && $0 != "\r" && $0 != "\n" })
    #expect(CalendarText.time(-1) == "19691231T235959Z")
  }

  @Test func `a cut file replaces no programme by half of one`() throws {
    let whole = guide("a 1000 1100 One", "a 1100 1200 Two").replacing(
      "</title></programme>", with: "</title><desc>All of its description.</desc></programme>")
    let bytes = Array(whole.utf8)
    for end in stride(from: bytes.count - 1, to: 60, by: -1) {
      let site = GuideSite()
      try site.load(whole)
      // Where nothing is left of it, it is refused, which replaces nothing either.
      _ = try? site.load(Data(bytes[..<end]))
      let store = try site.store
      #expect(try site.listing() == ["a 10:00-11:00 One", "a 11:00-12:00 Two"], "\(end)")
      let halves = try store.number(
        "SELECT count(*) FROM work WHERE about != 'All of its description.'")
      #expect(halves == 0, "\(end)")
    }
  }
}
