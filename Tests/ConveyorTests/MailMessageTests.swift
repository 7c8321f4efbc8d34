import Notices
import Pipelines
import PluginKit
import Testing

@testable import Conveyor

@Suite struct MailMessageTests {
  private func mail(_ subject: String, _ text: String = "") -> String {
    let notice = Notice(id: "n", event: .done, time: 0, subject: subject, text: text)
    return MailMessage.text(
      NoticeMessage(id: "01K", made: 0, attempts: 0, notices: [notice]), to: ["a@b.c"],
      at: 1_795_292_215_000)
  }

  @Test func `plain news is a plain message`() {
    let lines = mail("list.pdf is done").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.prefix(4) == [
        "To: a@b.c", "Subject: list.pdf is done", "Date: Sat, 21 Nov 2026 20:16:55 +0000",
        "Message-ID: <01K@procd.invalid>",
      ])
    #expect(lines.contains("bGlzdC5wZGYgaXMgZG9uZQ0K"))
  }

  @Test(arguments: [
    "a\nBcc: eve@example.org", "a\r\n\r\nbody", "a\rBcc: x", "Grüße\u{2028}Bcc: x",
    "=?utf-8?Q?=0ABcc:_x?=", String(repeating: "ü", count: 500), "\u{0}\u{1B}[2J",
  ])
  func `no news becomes a header`(subject: String) {
    let text = mail(subject, "text\n.\nBcc: eve@example.org\n\u{0}")
    #expect(!text.contains("\r"))
    let head = text.split(separator: "\n\n", maxSplits: 1)[0]
    for line in head.split(separator: "\n") {
      #expect(line.utf8.count <= 78 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
    let names = head.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map {
      $0.prefix { $0 != ":" }
    }
    #expect(
      names == [
        "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
        "Content-Transfer-Encoding",
      ])
    #expect(!text.contains("\nBcc:"))
  }

  @Test func `the end of a trouble is not counted as another one`() {
    func source(_ isReached: Bool) -> Notice {
      Notice(
        id: "\(isReached)", event: .sourceStale, time: 0, subject: "s", text: "",
        details: isReached ? ["isReached": true] : [:])
    }
    let message = NoticeMessage(
      id: "m", made: 0, attempts: 0, notices: [source(false), source(true)])
    #expect(message.subject == "procd: 1 source unreachable, 1 source reachable again")
  }
}
