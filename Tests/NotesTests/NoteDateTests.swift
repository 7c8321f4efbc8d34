import Testing

@testable import Notes

@Suite struct NoteDateTests {
  @Test(arguments: [
    ("D:20240501102233+02'00'", "2024-05-01T10:22:33+02:00"),
    ("D:20240501102233+02'00", "2024-05-01T10:22:33+02:00"),
    ("D:20240501102233Z00'00'", "2024-05-01T10:22:33Z"), ("20240501", "2024-05-01T00:00:00"),
    ("D:2024", "2024-01-01T00:00:00"), ("D:20240501102233-0530", "2024-05-01T10:22:33-05:30"),
  ])
  func `dates of PDFs are read`(pdf: String, iso: String) {
    #expect(NoteDate(pdf: pdf)?.iso == iso)
    #expect(NoteDate(iso: iso) == NoteDate(pdf: pdf))
  }

  @Test(arguments: [
    "", "D:", "yesterday", "D:20241301", "D:20240132", "D:2024050125", "D:99999999999999", "D:-001",
    "D:２０２４",
  ])
  func `what is no date is none`(text: String) { #expect(NoteDate(pdf: text) == nil) }

  @Test func `times since 1970 are dates`() {
    #expect(NoteDate(secondsSince1970: 0).iso == "1970-01-01T00:00:00Z")
    #expect(NoteDate(secondsSince1970: 951_782_399).iso == "2000-02-28T23:59:59Z")
    #expect(NoteDate(secondsSince1970: 951_782_400).iso == "2000-02-29T00:00:00Z")
    #expect(NoteDate(secondsSince1970: 1_735_689_599).iso == "2024-12-31T23:59:59Z")
    #expect(NoteDate(secondsSince1970: 1_735_689_600).pdf == "D:20250101000000+00'00'")
  }
}
