import Testing

@testable import Conveyor

@Suite struct ClockGuardTests {
  @Test func `only a clock that is set back is told, and once`() {
    var clock = ClockGuard(at: 1_000_000)
    // Forth is no harm; small steps are those of time servers.
    let times: [Int64] = [1_005_000, 90_000_000, 89_999_500, 1_008_000, 1_009_000]
    var told: [Bool] = []
    for (index, time) in times.enumerated() {
      told.append(clock.wasSetBack(at: time, elapsed: .seconds(5 + index)))
    }
    #expect(told == [false, false, false, true, false])
  }
}
