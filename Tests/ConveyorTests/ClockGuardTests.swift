import Testing

@testable import Conveyor

@Suite struct ClockGuardTests {
  @Test func `only a clock that is set back is told, and once`() {
    var clock = ClockGuard(at: 1_000_000)
    #expect(!clock.wasSetBack(at: 1_005_000, elapsed: .seconds(5)))
    // Forth is no harm; small steps are those of time servers.
    #expect(!clock.wasSetBack(at: 90_000_000, elapsed: .seconds(6)))
    #expect(!clock.wasSetBack(at: 89_999_500, elapsed: .seconds(7)))
    #expect(clock.wasSetBack(at: 1_008_000, elapsed: .seconds(8)))
    #expect(!clock.wasSetBack(at: 1_009_000, elapsed: .seconds(9)))
  }
}
