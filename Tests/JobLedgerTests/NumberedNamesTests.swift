import JobLedger
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Which names results and originals get where others have them.
@Suite struct NumberedNamesTests {
  private let place = TemporaryFolder()
  /// What stands on the disk.
  private let disk = Disk()

  private final class Disk: Sendable {
    private let paths = Mutex<Set<FilePath>>([])
    private let questions = Mutex(0)
    var asked: Int { questions.withLock(\.self) }

    func put(_ path: FilePath) { paths.withLock { _ = $0.insert(path) } }
    func take(_ path: FilePath) { paths.withLock { _ = $0.remove(path) } }
    func isFree(_ path: FilePath) -> Bool {
      questions.withLock { $0 += 1 }
      return paths.withLock { !$0.contains(path) }
    }
  }

  private func open(_ jobs: [String]) async throws -> Ledger {
    let ledger = try Ledger(path: place("ledger.sqlite"))
    for job in jobs {
      try await ledger.record(
        job: job,
        Arrival(
          path: "a.pdf", device: 1, inode: 2, size: 3, modifiedSeconds: 4, modifiedNanoseconds: 5,
          arrived: 1, completeness: .lease))
    }
    return ledger
  }

  private static func numbered(_ stem: String, _ suffix: String) -> @Sendable (Int) -> FilePath {
    { FilePath($0 == 1 ? stem + suffix : "\(stem)~\($0)\(suffix)") }
  }

  private static func bundle(
    _ stem: String, _ suffixes: String..., in place: Place = .outbox,
    onClash: NameClash = .number
  ) -> NameBundle {
    NameBundle(place, onClash: onClash) { number in
      suffixes.map { numbered(stem, $0)(number) }
    }
  }

  /// The name that a job's result gets, and stands under from then on.
  private func publish(
    _ ledger: Ledger, _ job: String, onClash: NameClash = .number
  ) async throws -> FilePath {
    let names = try await ledger.reserveNames(
      [Self.bundle("scan", ".pdf", onClash: onClash)], for: job
    ) { [disk] _, path in disk.isFree(path) }
    let name = try #require(names.first?.first)
    disk.put(name)
    try await ledger.done(job: job, outcome: .done, error: nil, original: "/o", at: 9)
    try await ledger.released(job: job)
    return name
  }

  @Test func `names of a job are reserved together or evaded together`() async throws {
    let ledger = try await open(["a", "b", "c"])
    let bundles = [
      Self.bundle("x", ".pdf", ".pdf.report.json", in: .archive), Self.bundle("x", ".txt"),
    ]
    let free: @Sendable (Place, FilePath) -> Bool = { _, _ in true }
    #expect(
      try await ledger.reserveNames(bundles, for: "a", isFree: free)
        == [["x.pdf", "x.pdf.report.json"], ["x.txt"]])
    #expect(
      try await ledger.reserveNames(bundles, for: "b", isFree: free)
        == [["x~2.pdf", "x~2.pdf.report.json"], ["x~2.txt"]])
    // The same name in another place is another name.
    #expect(
      try await ledger.reserveNames(
        [Self.bundle("x", ".pdf", in: .quarantine)], for: "c", isFree: free) == [["x.pdf"]])
    // One of two taken on the disk: both evade.
    let names = try await ledger.reserveNames(bundles, for: "c") { place, path in
      path != "x~3.pdf.report.json"
    }
    #expect(names == [["x~4.pdf", "x~4.pdf.report.json"], ["x~3.txt"]])
    // Asked again, a job does not stand in its own way.
    #expect(
      try await ledger.reserveNames(bundles, for: "a", isFree: free).flatMap(\.self).count == 3)
  }

  @Test func `names are kept until the job is done and its original is released`() async throws {
    let ledger = try await open(["a", "b"])
    let wanted = [Self.bundle("o", "", in: .archive), Self.bundle("r", "")]
    let free: @Sendable (Place, FilePath) -> Bool = { _, _ in true }
    _ = try await ledger.reserveNames(wanted, for: "a", isFree: free)
    try await ledger.done(job: "a", outcome: .done, error: nil, original: "/o", at: 9)
    #expect(try ledger.reader.unreleased().map(\.id) == ["a"])
    #expect(try await ledger.reserveNames(wanted, for: "b", isFree: free) == [["o~2"], ["r"]])
    try await ledger.released(job: "a")
    #expect(try ledger.reader.unreleased().isEmpty)
    #expect(try await ledger.reserveNames(wanted, for: "b", isFree: free) == [["o"], ["r"]])
  }

  @Test func `names under contention are each given once`() async throws {
    let ledger = try await open((0..<60).map { "01-\($0)" })
    let all = try await withThrowingTaskGroup(of: [[FilePath]].self) { group in
      for index in 0..<60 {
        group.addTask {
          try await ledger.reserveNames([Self.bundle("a", ".png")], for: "01-\(index)") { _, _ in
            true
          }
        }
      }
      return try await group.reduce(into: [FilePath]()) { $0 += $1.flatMap(\.self) }
    }
    #expect(Set(all) == Set((1...60).map(Self.numbered("a", ".png"))))
  }

  @Test func `the highest number that stands is the newest, whatever was taken away`() async throws
  {
    let ledger = try await open((1...9).map { "01-\($0)" })
    for (job, name) in [("01-1", "scan.pdf"), ("01-2", "scan~2.pdf"), ("01-3", "scan~3.pdf")] {
      #expect(try await publish(ledger, job) == FilePath(name))
    }
    disk.take("scan.pdf")
    disk.take("scan~2.pdf")
    #expect(try await publish(ledger, "01-4") == "scan~4.pdf")
    // The newest was taken: those that are left are older than what comes.
    disk.take("scan~4.pdf")
    #expect(try await publish(ledger, "01-5") == "scan~4.pdf")
    // Nothing is left: it begins anew.
    for name: FilePath in ["scan~3.pdf", "scan~4.pdf"] { disk.take(name) }
    #expect(try await publish(ledger, "01-6") == "scan.pdf")
    #expect(try await publish(ledger, "01-7") == "scan~2.pdf")
  }

  @Test func `ten thousand names of strangers cost few questions`() async throws {
    let ledger = try await open(["a", "b"])
    for number in 1...10_000 { disk.put(Self.numbered("scan", ".pdf")(number)) }
    #expect(try await publish(ledger, "a") == "scan~10001.pdf")
    #expect(disk.asked < 50)
    #expect(try await publish(ledger, "b") == "scan~10002.pdf")
    #expect(disk.asked < 60)
  }

  @Test func `what replaces keeps the name, and what came later stays`() async throws {
    let ledger = try await open(["01-1", "01-2", "01-3", "01-4"])
    #expect(try await publish(ledger, "01-1", onClash: .replace) == "scan.pdf")
    #expect(try await publish(ledger, "01-3", onClash: .replace) == "scan.pdf")
    // It took longer than the one that came after it.
    #expect(try await publish(ledger, "01-2", onClash: .replace) == "scan~2.pdf")
    #expect(try await publish(ledger, "01-4", onClash: .replace) == "scan.pdf")
  }

  @Test
  func
    `what a wrong clock named keeps nobody from a name, and what was taken away does not come back`()
    async throws
  {
    let ledger = try await open(["01-1", "01-2", "7ZZZZZZZZZ-3", "01-4"])
    #expect(try await publish(ledger, "7ZZZZZZZZZ-3", onClash: .replace) == "scan.pdf")
    #expect(try await publish(ledger, "01-2", onClash: .replace) == "scan.pdf")
    // The newer one was fetched meanwhile: the older is none the newer for that.
    disk.take("scan.pdf")
    #expect(try await publish(ledger, "01-1", onClash: .replace) == "scan~2.pdf")
    #expect(try await publish(ledger, "01-4", onClash: .replace) == "scan.pdf")
  }

  @Test func `names of a job that is not being published can be given up, of others not`()
    async throws
  {
    let ledger = try await open(["01-1", "01-2", "01-3"])
    let bundles = [Self.bundle("scan", ".pdf")]
    let free: @Sendable (Place, FilePath) -> Bool = { _, _ in true }
    _ = try await ledger.reserveNames(bundles, for: "01-1", isFree: free)
    try await ledger.releaseNames(of: "01-1")
    #expect(try await ledger.reserveNames(bundles, for: "01-2", isFree: free) == [["scan.pdf"]])
    try await ledger.publishing(job: "01-2", outcome: .done, publication: [:], report: [:])
    try await ledger.releaseNames(of: "01-2")
    try await ledger.dropStaleNames()
    #expect(try await ledger.reserveNames(bundles, for: "01-3", isFree: free) == [["scan~2.pdf"]])
    try await ledger.dropStaleNames()
    #expect(try await ledger.reserveNames(bundles, for: "01-1", isFree: free) == [["scan~2.pdf"]])
  }

  @Test func `what replaces waits for one that is about to be published`() async throws {
    let ledger = try await open(["01-1", "01-2"])
    let bundles = [Self.bundle("scan", ".pdf", onClash: .replace)]
    let free: @Sendable (Place, FilePath) -> Bool = { _, _ in true }
    _ = try await ledger.reserveNames(bundles, for: "01-1", isFree: free)
    await #expect(
      performing: {
        try await ledger.reserveNames(bundles, for: "01-2", isFree: free)
      },
      throws: { error in
        if case LedgerError.nameHeld(by: "01-1")? = error as? LedgerError { true } else { false }
      })
    try await ledger.released(job: "01-1")
    #expect(
      try await ledger.reserveNames(bundles, for: "01-2", isFree: free) == [["scan.pdf"]])
  }

  @Test func `where nothing is evaded, a name that is taken is told`() async throws {
    let ledger = try await open(["01-1", "01-2"])
    #expect(try await publish(ledger, "01-1", onClash: .refuse) == "scan.pdf")
    await #expect(
      performing: {
        try await publish(ledger, "01-2", onClash: .refuse)
      },
      throws: { error in
        if case LedgerError.nameTaken(.outbox, "scan.pdf")? = error as? LedgerError {
          true
        } else {
          false
        }
      })
    disk.take("scan.pdf")
    // Numbers that others gave say nothing of the plain name.
    disk.put("scan~2.pdf")
    #expect(try await publish(ledger, "01-2", onClash: .refuse) == "scan.pdf")
  }
}
