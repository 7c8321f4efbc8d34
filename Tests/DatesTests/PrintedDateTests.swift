import Dates
import Testing

/// What dates mean, in the languages and orders of lists.
struct PrintedDateTests {
  @Test(arguments: [
    "7. Mai 2012", "7 May 2012", "May 7th, 2012", "7-May-12", "7 mai 2012", "7 de mayo de 2012",
    "7 maggio 2012", "7 mei 2012", "7 maja 2012", "7. května 2012", "7 Mayıs 2012", "7 мая 2012 г.",
    "7 травня 2012", "7 Μαΐου 2012", "7 مايو 2012", "2012年5月7日", "2012년 5월 7일",
    "2012. május 7.", "7. toukokuuta 2012", "٧ مايو ٢٠١٢", "07.05.2012", "2012-05-07",
  ])
  func `the seventh of May`(text: String) throws {
    let date = try #require(PrintedDate(text))
    #expect(date.iso(date.usualOrder ?? .dayMonthYear) == "2012-05-07")
  }

  @Test(arguments: [
    ("3 marraskuuta 2012", "2012-11-03"), ("1er août 2012", "2012-08-01"),
    ("4 červenec 2012", "2012-07-04"), ("4 červen 2012", "2012-06-04"),
    ("12 lipca 2012", "2012-07-12"), ("30 Aralık 1999", "1999-12-30"),
  ])
  func `names that begin alike are told apart`(text: String, iso: String) {
    #expect(PrintedDate(text)?.iso(.dayMonthYear) == iso)
  }

  @Test(arguments: [
    "1.2.3.4", "send 7 times", "12:30", "221(g)", "2012", "7 May", "of 7 May 2012", "May 2012 to",
    "12-13", "5.6", "1/2", "20123456789", "7 Mayor 20123",
  ])
  func `what is no date`(text: String) { #expect(PrintedDate(text) == nil) }

  @Test func `days that are not in the calendar mean nothing`() {
    #expect(PrintedDate("31.02.2012")?.iso(.dayMonthYear) == nil)
    #expect(PrintedDate("29.02.2012")?.iso(.dayMonthYear) == "2012-02-29")
    #expect(PrintedDate("29.02.2011")?.iso(.dayMonthYear) == nil)
  }
}
