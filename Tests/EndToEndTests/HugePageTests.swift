import Foundation
import SystemPackage
import TestSupport
import Testing

/// Pages with very much on them: work grows as what is on them does, memory is bounded, and nothing is lost.
@Suite(.serialized) struct HugePageTests {
  private let folder = TemporaryFolder()

  private struct Run {
    /// Of the user, in seconds.
    var seconds: Double
    /// The largest of its processes, in bytes.
    var memory: Int
    var output: String
  }

  /// Reads a page with procd.
  private func read(_ command: [String], _ content: String, width: Int = 612) throws -> Run {
    try folder.write(
      Data(PDFBuilder.pages([content], page: "/MediaBox[0 0 \(width) 792]")), to: "page.pdf")
    let measure = """
      import resource, subprocess, sys
      done = subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "wb"))
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(done.returncode, used.ru_utime, used.ru_maxrss)
      """
    let result = try Programs.run(
      "/usr/bin/python3",
      ["-c", measure, folder("output").string, Programs.folder.appending("procd").string] + command
        + [folder("page.pdf").string])
    let figures = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(figures.count == 3 && figures[0] == 0, "\(result)")
    return Run(
      seconds: figures[1], memory: Int(figures[2]) * 1024,
      output: String(decoding: folder.read("output") ?? Data(), as: UTF8.self))
  }

  private static let prose = "it is read as it stands, from the first line to the last one of it: "

  /// Glyphs each in a text object of its own, drawn from the last to the first.
  private static func backwards(_ count: Int) -> String {
    let rows = count / 200, letters = Array(Self.prose)
    var content: [String] = []
    for row in (0..<rows).reversed() {
      let y = 790 - Double(row) * 780 / Double(rows)
      for column in (0..<200).reversed() {
        let letter = letters[(row * 200 + column) % letters.count]
        content.append("BT /F1 0.7 Tf \(5 + Double(column) * 0.4) \(y) Td (\(letter)) Tj ET")
      }
    }
    return content.joined(separator: "\n")
  }

  private static func boxes(_ count: Int) -> String {
    var random = SeededNumbers(seed: 3)
    return (0..<count).shuffled(using: &random).map { index in
      let x = Double(index % 100) * 6 + Double.random(in: 0...2, using: &random)
      let y = Double(index / 100) * 7.8 + Double.random(in: 0...3, using: &random)
      return "\(x) \(y) 3.5 2 re S BT /F1 1 Tf \(x + 0.2) \(y + 0.5) Td (b\(index)) Tj ET"
    }.joined(separator: "\n")
  }

  private static func table(
    rows: Int, columns: Int, width: Double, isRuled: Bool = true
  ) -> String {
    var content: [String] = []
    let height = 785 / Double(rows)
    for row in 0..<rows {
      let y = 790 - Double(row) * height
      for column in 0..<columns {
        content.append(
          "BT /F1 \(min(8, height * 0.8, width * 0.4)) Tf \(5 + Double(column) * width) \(y) Td "
            + "(\((row * 7 + column) % 100)) Tj ET")
      }
      guard isRuled else { continue }
      content.append(
        "5 \(y - height * 0.1) m \(5 + Double(columns) * width) \(y - height * 0.1) l S")
    }
    for column in 0...columns where isRuled {
      let x = 4.6 + Double(column) * width
      content.append("\(x) 5 m \(x) 790 l S")
    }
    return content.joined(separator: "\n")
  }

  private static let bound = 256 << 20

  /// Four times as much takes less than nine times the time: with the square of it, it would be sixteen.
  private func expectGrowth(_ small: Run, _ large: Run) {
    #expect(large.seconds < 9 * max(small.seconds, 0.05), "\(small.seconds) → \(large.seconds)")
    #expect(large.memory <= Self.bound, "\(large.memory >> 20) MB")
  }

  @Test(arguments: [["extract"], ["extract", "--markdown"], ["tables"]])
  func `200,000 glyphs drawn backwards`(command: [String]) throws {
    let small = try read(command, Self.backwards(50_000))
    let large = try read(command, Self.backwards(200_000))
    expectGrowth(small, large)
    guard command == ["extract"] else { return }
    // Every one of them, from the first line to the last.
    let letters = String(repeating: Self.prose, count: 200_000 / Self.prose.count + 1)
      .prefix(200_000).filter { $0 != " " }
    let isWhole = large.output.filter { !$0.isWhitespace } == letters
    #expect(isWhole)
  }

  @Test(arguments: [["extract"], ["extract", "--markdown"], ["tables"]])
  func `10,000 boxes with text`(command: [String]) throws {
    let small = try read(command, Self.boxes(2_500))
    let large = try read(command, Self.boxes(10_000))
    expectGrowth(small, large)
    if command == ["extract"] { #expect(large.output.filter { $0 == "b" }.count == 10_000) }
  }

  @Test(arguments: [true, false]) func `a table of 10,000 rows`(isRuled: Bool) throws {
    func table(_ rows: Int) -> String {
      Self.table(rows: rows, columns: 4, width: 150, isRuled: isRuled)
    }
    let small = try read(["tables"], table(2_500))
    let large = try read(["tables"], table(10_000))
    expectGrowth(small, large)
    #expect(large.output.split(whereSeparator: \.isNewline).count == 10_000)
  }

  @Test func `a table of 1,000 columns`() throws {
    let small = try read(["tables"], Self.table(rows: 40, columns: 250, width: 14), width: 14_400)
    let large = try read(["tables"], Self.table(rows: 40, columns: 1_000, width: 14), width: 14_400)
    expectGrowth(small, large)
    let rows = large.output.split(whereSeparator: \.isNewline)
    #expect(rows.count == 39)
    #expect(rows.allSatisfy { $0.filter { $0 == "," }.count == 999 })
  }
}
