import Foundation
import Testing

@testable import Guide

extension GuideTests {
  @Suite struct MendingTests {
    @Test func `overlaps are shortened, ends that are missing come from what follows`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide(
          "a 1000 1130 One", "a 1100 1200 Two", "a 1200 - Three", "a 1230 1230 Four",
          "a 1300 - Last", "b 1000 - Alone"))
      #expect(
        try site.listing() == [
          "a 10:00-11:00 One", "a 11:00-12:00 Two", "a 12:00-12:30 Three", "a 12:30-13:00 Four",
          "a 13:00-13:30 Last", "b 10:00-10:30 Alone",
        ])
      #expect(summary.repaired == .init(doubled: 0, overlaps: 1, stopsAdded: 4))
      #expect(summary.programmes == 6 && summary.added == 6)
    }

    @Test func `an end before the start, or days later, is no end`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide("a 1000 0900 Back", "a 1100 1200 Next").replacing(
          "</tv>",
          with:
            "<programme start=\"20260106100000 +0000\" stop=\"20270106100000 +0000\" channel=\"a\"/></tv>"
        ))
      #expect(summary.repaired.stopsAdded == 2)
      #expect(try site.listing().first == "a 10:00-11:00 Back")
      #expect(try site.listing().count == 3)
    }

    @Test func `entries given twice are one, the later of the file`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide("a 1000 1100 Same", "a 1000 1100 Same", "a 1100 1200 Wrong", "a 1100 1200 Right"))
      #expect(try site.listing() == ["a 10:00-11:00 Same", "a 11:00-12:00 Right"])
      #expect(summary.repaired.doubled == 2)
    }

    @Test func `the order of the file does not matter`() throws {
      let site = GuideSite()
      try site.load(guide("b 1100 1200 B2", "a 1100 1200 A2", "b 1000 1100 B1", "a 1000 - A1"))
      #expect(try site.listing().count == 4)
      #expect(try site.listing().contains("a 10:00-11:00 A1"))
    }

    @Test func `the same file again changes nothing`() throws {
      let site = GuideSite()
      let file = guide("a 1000 1100 One", "a 1100 - Two", "b 1000 1100 One")
      try site.load(file)
      let before = try site.listing()
      let summary = try site.load(file)
      #expect(summary.added == 0 && summary.replaced == 0 && summary.unchanged == 3)
      #expect(try site.listing() == before)
      #expect(try site.store.number("SELECT count(*) FROM work") == 2)
    }

    @Test func `a later file takes the place of what it contradicts, and leaves the rest`() throws {
      let site = GuideSite()
      try site.load(
        guide("a 1000 1100 Early", "a 1100 1200 Moved", "a 1200 1300 Stays", "b 1100 1200 Other"))
      let summary = try site.load(guide("a 1030 1115 New", "a 1115 1200 Moved"))
      #expect(
        try site.listing() == [
          "a 10:00-10:30 Early", "a 10:30-11:15 New", "a 11:15-12:00 Moved", "a 12:00-13:00 Stays",
          "b 11:00-12:00 Other",
        ])
      #expect(summary.added == 2 && summary.replaced == 1)
      #expect(try site.titles("other") == ["Other"])
    }

    @Test func `texts that nothing shows any more cannot be found`() throws {
      let site = GuideSite()
      try site.load(guide("a 1000 1100 Vanishing"))
      #expect(try site.titles("vanishing") == ["Vanishing"])
      try site.load(guide("a 1000 1100 Instead"))
      #expect(try site.titles("vanishing").isEmpty)
      #expect(try site.store.number("SELECT count(*) FROM work") == 1)
      // The number of the one that went is not given to another.
      try site.load(guide("b 1000 1100 Third"))
      #expect(try site.titles("vanishing").isEmpty)
      #expect(try site.titles("third") == ["Third"])
    }

    @Test func `past programmes go after their time`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide("a 0100 0200 Past", "a 0800 1200 Just", "a 1200 1300 Now"), keep: 3600)
      #expect(try site.listing() == ["a 08:00-12:00 Just", "a 12:00-13:00 Now"])
      #expect(summary.removed == 1)
      let later = try site.load(
        guide("b 2200 2300 Late"), now: GuideSite.noon + 7200, keep: 3000)
      #expect(later.removed == 2)
      #expect(try site.listing() == ["b 22:00-23:00 Late"])
      #expect(try site.titles("past").isEmpty)
    }

    @Test(arguments: [
      (["one.example"], ["one.example"]), (["ONE.*"], ["one.example"]),
      (["First*"], ["one.example"]),
      (["*.example"], ["one.example", "two.example"]), (["none"], []),
      (["second channel", "three"], ["two.example", "three"]),
    ])
    func `only channels that are wanted are kept`(patterns: [String], kept: [String]) throws {
      let site = GuideSite()
      let head = """
        <channel id="one.example"><display-name>First Channel</display-name></channel>
        <channel id="two.example"><display-name>2</display-name><display-name>Second Channel</display-name></channel>
        """
      let file = guide(
        "one.example 1000 1100 One", "two.example 1000 1100 Two", "three 1000 1100 Three"
      )
      .replacing("<tv>", with: "<tv>\(head)")
      let summary = try site.load(file, channels: patterns)
      #expect(try site.store.channels().map(\.identifier) == kept)
      #expect(summary.programmes == kept.count && summary.leftOut == 3 - kept.count)
      #expect(summary.channels == kept.count)
    }

    @Test func `programmes without a usable start or channel are left out and counted`() throws {
      let site = GuideSite()
      let summary = try site.load(
        guide("a 1000 1100 Good").replacing(
          "</tv>",
          with: "<programme channel=\"a\"/><programme start=\"soon\" channel=\"a\"/>"
            + "<programme start=\"20260105100000\"/></tv>"))
      #expect(summary.programmes == 1 && summary.withoutTime == 3)
    }
  }
}
