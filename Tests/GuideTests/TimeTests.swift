import Bytes
import Dates
import Testing

@testable import Guide

extension GuideTests {
  /// Zones belong to the whole process, so these run one after another.
  @Suite struct TimeTests {
    private func parse(_ text: String, _ zone: String = "UTC") throws -> Int64? {
      var zone = try #require(LocalZone(zone))
      return GuideTime.parse(Array(text.utf8), &zone)
    }

    @Test(arguments: [
      "20260105120000 +0000", "20260105130000 +0100", "20260105070000 -0500",
      "20260105173000 +0530",
      "202601051200", "2026010512", "20260105120000 UTC", "20260105130000 CET", "20260105120000 Z",
      "20260105130000+0100", "20260105130000 +01:00", "2026-01-05T13:00:00+01:00",
      "2026-01-05T12:00:00Z", "  20260105120000".trimmed,
      "20260105 120000", "20260105 1200", "20260105 130000 +0100", "2026-01-05 13:00:00 +0100",
    ])
    func `all these are one moment`(text: String) throws {
      #expect(try parse(text) == GuideSite.noon, "\(text)")
    }

    @Test(arguments: [
      "", "today", "2026", "2026010", "20261305120000", "20260132120000", "20260105250000",
      "20260105126000", "18000105120000", "99999999999999 +0000", "-20260105120000", "+0100",
    ])
    func `these are no times`(text: String) throws { #expect(try parse(text) == nil, "\(text)") }

    @Test func `times without an offset are of the zone, summer and winter`() throws {
      #expect(try parse("20260105130000", "Europe/Berlin") == GuideSite.noon)
      #expect(try parse("20260705140000", "Europe/Berlin") == 1_783_252_800)
      #expect(try parse("20260705080000", "America/New_York") == 1_783_252_800)
    }

    @Test
    func `the hour that comes twice is taken the first time, the one that is missing goes on`()
      throws
    {
      // Clocks in Berlin go back at 03:00 on 2026-10-25 and forward at 02:00 on 2026-03-29.
      let autumn: Int64 = 1_792_886_400
      #expect(try parse("20261025013000", "Europe/Berlin") == autumn - 1800)
      #expect(try parse("20261025023000", "Europe/Berlin") == autumn + 1800)
      #expect(try parse("20261025033000", "Europe/Berlin") == autumn + 3 * 3600 - 1800)
      #expect(try parse("20261025023000 +0100", "Europe/Berlin") == autumn + 5400)
      let spring: Int64 = 1_774_746_000
      #expect(try parse("20260329013000", "Europe/Berlin") == spring - 1800)
      #expect(try parse("20260329023000", "Europe/Berlin") == spring + 1800)
      #expect(try parse("20260329033000", "Europe/Berlin") == spring + 1800)
    }

    @Test func `a day of the guide is 23 or 25 hours long where clocks change`() throws {
      let zone = try #require(LocalZone("Europe/Berlin"))
      var words = TimeWords(zone: zone, now: GuideSite.noon, dayStarts: 5 * 3600)
      func hours(_ day: CalendarDate) -> Int {
        let span = words.span(of: day); return span.count / 3600
      }
      #expect(hours(CalendarDate(2026, 1, 5)) == 24)
      #expect(hours(CalendarDate(2026, 10, 24)) == 25)
      #expect(hours(CalendarDate(2026, 3, 28)) == 23)
    }

    @Test func `days and times are read as people type them`() throws {
      let zone = try #require(LocalZone("UTC"))
      var words = TimeWords(zone: zone, now: GuideSite.noon, dayStarts: 5 * 3600)
      #expect(words.day("today") == CalendarDate(2026, 1, 5))
      #expect(words.day("Tomorrow") == CalendarDate(2026, 1, 6))
      #expect(words.day("mon") == CalendarDate(2026, 1, 5))
      #expect(words.day("sunday") == CalendarDate(2026, 1, 11))
      #expect(words.day("-1") == CalendarDate(2026, 1, 4))
      #expect(words.day("2024-02-29") == CalendarDate(2024, 2, 29))
      for word in ["2026-02-29", "2026-13-01", "sundae", "", "1"] {
        #expect(words.day(word) == nil)
      }
      #expect(words.time("20:15") == GuideSite.noon + 29_700)
      #expect(words.time("01:00") == GuideSite.noon + 13 * 3600)
      #expect(words.time("2026-01-05T13:00") == GuideSite.noon + 3600)
      #expect(words.time("24:00") == nil)
      // Before the day begins it is still the day before.
      words.now = GuideSite.noon - 8 * 3600
      #expect(words.day("today") == CalendarDate(2026, 1, 4))
    }

    @Test func `dates are counted in both directions`() {
      for days in stride(from: -30_000, to: 60_000, by: 17) {
        #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
      }
      #expect(CalendarDate(daysSince1970: 0) == CalendarDate(1970, 1, 1))
    }

    @Test(arguments: ["Mars/Olympus", "../etc/passwd", "/etc/localtime", ".", "Europe/../../x"])
    func `zones that are none are refused`(name: String) { #expect(LocalZone(name) == nil) }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
