import Pipelines
import PluginKit
import Testing

@testable import Conveyor

@Suite struct SourceStateTests {
  private let source = Source(id: "list", url: "https://a.example/list.pdf", every: 3_600_000)
  private let hour: Int64 = 3_600_000

  private func received(_ etag: String? = nil) -> NetAnswer.Received {
    var file = NetAnswer.Received(bytes: 10, url: "https://a.example/list.pdf", isPDF: true)
    (file.name, file.etag) = ("list.pdf", etag)
    return file
  }

  @Test func `a new file is handed in, the same one is not`() {
    var state = SourceState(source, at: 0)
    #expect(state.isDue(at: 0, source))
    let actions = state.received(received("\"1\""), sha256: "aa", source, at: 10)
    #expect(
      actions == [.handIn(.init(name: "list.pdf", received: received("\"1\""), sha256: "aa"))])
    // Not before it stands in the inbox.
    #expect(state.checked == nil)
    state.handedIn(as: "list-2.pdf", source, at: 20)
    #expect(state.checked == 20 && state.next == 20 + hour && state.name == "list-2.pdf")
    #expect(!state.isDue(at: hour, source))
    #expect(state.request(source, folder: "/f").etag == "\"1\"")
    #expect(state.request(source, folder: "/f").wasPDF)
    #expect(state.received(received("\"2\""), sha256: "aa", source, at: hour) == [.discard])
    #expect(state.etag == "\"2\"" && state.next == 2 * hour)
    #expect(SourceState(state.json) == state)
  }

  @Test func `failures wait longer each time, and no longer than until the next question`() {
    var state = SourceState(source, at: 0)
    let failure = NetAnswer.Failure("net.server", "it is down", isPassing: true)
    var waits: [Int64] = []
    for _ in 1...8 {
      _ = state.failed(failure, source, at: 0)
      waits.append(state.next / 60_000)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
    var asked = failure
    asked.retryAfter = 7200
    _ = state.failed(asked, source, at: 0)
    #expect(state.next == 2 * hour)
    #expect(SourceState(state.json) == state)
    state.unchanged(source, at: 5)
    #expect(state.failures == 0 && state.failure == nil && state.next == 5 + hour)
  }

  @Test func `a source is stale after three times its interval, once until it is back`() {
    var state = SourceState(source, at: 0)
    state.unchanged(source, at: 0)
    let failure = NetAnswer.Failure("net.connect", "nobody there", isPassing: true)
    #expect(state.failed(failure, source, at: 3 * hour - 1) == [])
    let actions = state.failed(failure, source, at: 3 * hour)
    guard case .tell(let notice)? = actions.first else {
      Testing.Issue.record("nothing is told")
      return
    }
    #expect(notice.event == .sourceStale && notice.id == "source-stale:list:0")
    #expect(state.failed(failure, source, at: 4 * hour) == [])
    #expect(state.reachedAgain(source) == nil)
    state.unchanged(source, at: 5 * hour)
    #expect(SourceState(state.json) == state)
    let back = state.reachedAgain(source)
    #expect(
      back?.id == "source-back:list:0" && back?.subject == "The source list can be reached again")
    state.staleSince = nil
    #expect(state.reachedAgain(source) == nil)
    #expect(state.failed(failure, source, at: 9 * hour).count == 1)
  }

  @Test func `another address begins anew, and a clock that was set back silences nothing`() {
    var state = SourceState(source, at: 0)
    state.unchanged(source, at: 0)
    var moved = source
    moved.url = "https://b.example/list.pdf"
    #expect(state.about(moved, at: 7) == SourceState(moved, at: 7))
    #expect(state.about(source, at: 7) == state)
    state.next = 100 * 86_400_000
    #expect(state.isDue(at: 5, source))
  }

  @Test func `a source whose entry was changed is asked at once`() throws {
    var state = SourceState(source, at: 0)
    _ = state.received(received("\"1\""), sha256: "aa", source, at: 0)
    state.handedIn(as: "list.pdf", source, at: 0)
    for _ in 1...5 {
      _ = state.failed(
        NetAnswer.Failure("net.private", "it lies in a private network"), source, at: 0)
    }
    #expect(!state.about(source, at: 7).isDue(at: 7, source))
    let kept = try #require(SourceState(state.json))
    for change: (inout Source) -> Void in [
      { $0.allowsPrivate = true }, { $0.every = 5000 }, { $0.to = "visa" },
    ] {
      var changed = source
      change(&changed)
      let mended = kept.about(changed, at: 7)
      #expect(mended.isDue(at: 7, changed) && mended.failures == 0 && mended.failure == nil)
      // What came is still known: an unchanged file is not fetched again.
      #expect(mended.etag == "\"1\"" && mended.sha256 == "aa" && mended.next == 7)
      #expect(SourceState(mended.json)?.about(changed, at: 9) == mended)
    }
  }

  @Test func `a file of a folder keeps its name`() {
    var state = SourceState(source, at: 0)
    for (listed, name) in [
      ("a.txt", "a.txt"), (" a.txt", " a.txt"), ("-a.txt", "-a.txt"), ("x\\a.txt", "x\\a.txt"),
      ("R\u{FFFD}chnung.pdf", "R_chnung.pdf"), ("Prüf%20.txt", "Prüf%20.txt"),
      ("new\nline.txt", "new_line.txt"), ("a/b", "a_b"), ("100%25", "100%25"),
      ("mail-7.eml", "mail-7.eml"),
    ] {
      // Where it stands on the server says nothing of its name.
      let file = NetAnswer.Listed(path: "%2Fpath", name: listed, mark: nil)
      #expect(state.received(received(), sha256: "aa", file)?.name == name)
    }
    let long = FetchedName.name(inFolder: String(repeating: "ü", count: 126) + ".pdf")
    #expect(long.utf8.count <= 248 && long.hasSuffix("ü.pdf"))
  }

  @Test func `a fetched name carries a date`() {
    let noon: Int64 = 1_795_348_800_000, hour: Int64 = 3_600_000
    for (name, dated) in [
      ("status.pdf", "status-2026-11-22.pdf"), ("list", "list-2026-11-22"),
      ("a.b.pdf", "a.b-2026-11-22.pdf"), (".pdf", "2026-11-22.pdf"),
      ("status-2026-11-01.pdf", "status-2026-11-01.pdf"), ("01.11.2026.pdf", "01.11.2026.pdf"),
      // A day that has not come dates nothing.
      ("valid until 2027-01-01.pdf", "valid until 2027-01-01-2026-11-22.pdf"),
    ] {
      #expect(FetchedName.dated(name, at: noon, last: nil) == dated)
      #expect(FetchedName.dated(name, at: noon, last: noon - 13 * hour) == dated)
    }
    #expect(
      FetchedName.dated("status.pdf", at: noon + 1000, last: noon)
        == "status-2026-11-22T120001.pdf")
    // An older date than the last file's says nothing of which is newer.
    #expect(
      FetchedName.dated(
        "list 24.05.2012.pdf", at: noon, last: noon - 24 * hour, before: "list-2026-11-21.pdf")
        == "list 24.05.2012-2026-11-22.pdf")
    #expect(
      FetchedName.dated(
        "list 24.05.2012.pdf", at: noon, last: noon - 24 * hour, before: "list 10.05.2012.pdf")
        == "list 24.05.2012.pdf")
    #expect(FetchedName.dated("guide.xml.gz", at: noon, last: nil).hasSuffix(".xml.gz"))
    #expect(FetchedName.dated("guide.xml.gz", at: noon, last: nil).hasPrefix("guide-2"))
    #expect(FetchedName.dated(".xml.gz", at: noon, last: nil).hasPrefix("2"))
    let long = FetchedName.dated(
      String(repeating: "ü", count: 78) + ".pdf", at: noon, last: noon)
    #expect(long.utf8.count <= 160 && long.hasSuffix("ü-2026-11-22T120000.pdf"))
  }

  @Test func `names that servers give are made harmless`() {
    for (text, name) in [
      ("list.pdf", "list.pdf"), ("../../etc/passwd", "passwd"), ("C:\\a\\b.pdf", "b.pdf"),
      (".hidden", "hidden"), ("a\nb\u{202E}.pdf", "ab.pdf"), ("x.pdf. . ", "x.pdf"),
      ("-rf", "rf"), ("Grüße 1.pdf", "Grüße 1.pdf"), ("a~", "a"),
    ] {
      #expect(FetchedName.sanitised(text) == name, "\(text)")
    }
    for text in ["", "/", "..", "...", "\u{7}", " "] {
      #expect(FetchedName.sanitised(text) == nil, "\(text)")
    }
    let long = FetchedName.sanitised(String(repeating: "ü", count: 300) + ".pdf")
    #expect(long?.utf8.count == 160 && long?.hasSuffix("ü.pdf") == true)
    var file = received()
    file.name = "download.php"
    #expect(FetchedName.name(file, of: source) == "download.php.pdf")
    file.name = nil
    #expect(FetchedName.name(file, of: source) == "list.pdf")
  }
}
