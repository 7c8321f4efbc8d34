import Foundation
import SystemPackage
import TestSupport
import Testing

/// What reads for `extract`, `rows` and `tables` has limits, as steps have.
@Suite struct ReadingLimitTests {
  private let folder = TemporaryFolder()

  /// A good file, one on which seconds of work are to be done, and another good one.
  private func write() throws {
    var random = SeededNumbers(seed: 5)
    let pages = (0..<60).map { _ in
      let words = (0..<12_000).map { _ in
        let x = Int.random(in: 0...6000, using: &random)
        let y = Int.random(in: 0...8000, using: &random)
        return "1 0 0 1 \(Double(x) / 10) \(Double(y) / 10) Tm (7) Tj"
      }
      return "BT /F1 1 Tf\n" + words.joined(separator: "\n") + "\nET"
    }
    try folder.write(Data(PDFBuilder.pages(pages)), to: "slow.pdf")
    for name in ["one.pdf", "two.pdf"] {
      let rows = (1...5).map {
        "BT /F1 12 Tf 72 \(720 - 20 * $0) Td (\(name)) Tj 200 0 Td (\($0)) Tj 100 0 Td (x) Tj ET"
      }
      try folder.write(Data(PDFBuilder.pages([rows.joined(separator: "\n")])), to: name)
    }
  }

  @Test(arguments: [[], ["-j2"]])
  func `a file that takes too long ends alone, with a code`(options: [String]) throws {
    try write()
    let result = try Programs.run(
      "procd", ["tables"] + options + ["one.pdf", "slow.pdf", "two.pdf"], in: folder.path,
      environment: ["PROCD_READ_SECONDS": "1"])
    #expect(result.status == 65)
    #expect(
      result.errors.contains("slow.pdf") && result.errors.contains("[limit.cpu]"),
      "\(result.errors)")
    #expect(result.output.contains("one.pdf,1,x") && result.output.contains("two.pdf,5,x"))
  }

  @Test func `every process that reads has a bound of memory and ends first`() throws {
    try write()
    let procd = try Programs.start("procd", ["tables", "slow.pdf"], in: folder.path)
    defer {
      procd.signal(SIGKILL)
      _ = procd.wait()
    }
    var limits = "", score = ""
    #expect(
      Programs.wait {
        for child in children(of: procd.number) {
          let text = self.text("/proc/\(child)/limits")
          guard text.contains("Max address space") else { continue }
          (limits, score) = (text, self.text("/proc/\(child)/oom_score_adj"))
          if !score.hasPrefix("0") { return true }
        }
        return false
      })
    let line = try #require(
      limits.split(separator: "\n").first { $0.hasPrefix("Max address space") })
    let bytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first, "\(line)")
    #expect((2 << 30...3 << 30).contains(bytes))
    #expect(Int(score.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
  }

  /// Only the end of what reads wakes the process that waits for it: where that stayed, each run took a second more.
  @Test func `what has read the last file ends by itself`() throws {
    try write()
    let procd = try Programs.start("procd", ["extract", "slow.pdf"], in: folder.path)
    let parent = procd.number
    var child: Int32?
    #expect(
      Programs.wait {
        child = children(of: parent).first
        return child != nil
      })
    procd.signal(SIGSTOP)
    let reader = try #require(child)
    #expect(
      Programs.wait {
        let state = self.text("/proc/\(reader)/stat").split(separator: ")").last
        return state.map { $0.hasPrefix(" Z") } ?? true
      })
    procd.signal(SIGCONT)
    #expect(procd.wait() == 0)
  }

  private func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func children(of process: Int32) -> [Int32] {
    text("/proc/\(process)/task/\(process)/children").split(separator: " ").compactMap { Int32($0) }
  }
}
