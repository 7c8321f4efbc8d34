import Foundation
import Testing

@testable import procd_speech

/// What is made of samples and bytes.
@Suite struct SoundTests {
  @Test(arguments: [0, 1, 146, 147, 22_050, 50_001])
  func `as much time comes out of the resampler as went in`(count: Int) {
    var resampler = Resampler(), outputs = 0, rest = count
    while rest > 0 {
      let piece = min(rest, 777)
      outputs += resampler.add([Int16](repeating: 0, count: piece)).count
      rest -= piece
    }
    outputs += resampler.finish().count
    #expect(outputs == (count * 160 + 146) / 147)
  }

  @Test(arguments: [100.0, 1000, 4000, 8000])
  func `a tone keeps its place and its strength`(frequency: Double) {
    let samples = (0..<22_050).map { index in
      Int16((16_384 * sin(2 * .pi * frequency * Double(index) / 22_050)).rounded())
    }
    var resampler = Resampler()
    let made = resampler.add(samples) + resampler.finish()
    var worst = 0.0
    for index in 200..<made.count - 200 {
      let wanted = 0.5 * sin(2 * .pi * frequency * Double(index) / 24_000)
      worst = max(worst, (Double(made[index]) - wanted).magnitude)
    }
    // 60 dB below the tone.
    #expect(worst < 0.0005)
  }

  @Test func `words that the engine says together share their time`() {
    let words = ["one", "of", "the", "end"].flatMap { WordCutting.words($0, at: .init(page: 1)) }
    let utterance = Utterance(
      samples: [Int16](repeating: 1000, count: 4000),
      events: [
        .init(scalar: 0, sample: 0), .init(scalar: 4, sample: 1000),
        .init(scalar: 11, sample: 3000),
      ])
    let times = WordTimes(SpokenText(words[...]), utterance)
    #expect(times.starts == [0, 1000, 2000, 3000])
    #expect(times.end == 4000)
  }

  @Test func `events out of order never make times fall`() {
    let words = ["a", "b", "c"].flatMap { WordCutting.words($0, at: .init(page: 1)) }
    let utterance = Utterance(
      samples: [Int16](repeating: 1000, count: 100),
      events: [
        .init(scalar: 4, sample: 20), .init(scalar: 2, sample: 50),
        .init(scalar: 900, sample: 9999),
      ])
    #expect(WordTimes(SpokenText(words[...]), utterance).starts == [0, 50, 50])
  }
}
