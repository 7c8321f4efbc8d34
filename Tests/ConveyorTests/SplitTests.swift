import JobLedger
import Testing

@testable import Conveyor

struct SplitTests {
  @Test func `short documents are read page by page, long ones by several`() {
    #expect(FileProcessor.pagesTogether(of: 2) == 1)
    #expect(FileProcessor.pagesTogether(of: 31) == 1)
    #expect(FileProcessor.pagesTogether(of: 64) == 4)
    #expect(FileProcessor.pagesTogether(of: 1_000_000) == 16)
  }

  /// A book that counts kills, as the ledger's does.
  private struct Counting: AttemptBook {
    var countsVanishings: Bool { true }
    func start(
      job: String, pipeline: String, step: String, alone: Bool
    ) -> (attempt: Int64, charged: Int) { (1, 0) }
    func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) {}
    func vanishedAlone(job: String) -> Vanishings { Vanishings() }
  }

  @Test func `pages run one by one only where a kill would count against all of them`() {
    // As procd convert does, which runs every file alone and counts no kills.
    #expect(StepRunner.sideBySide(alone: true, MemoryAttempts(), places: 2) == 8)
    #expect(StepRunner.sideBySide(alone: true, Counting(), places: 2) == 1)
    #expect(StepRunner.sideBySide(alone: false, Counting(), places: 12) == 12)
  }
}
