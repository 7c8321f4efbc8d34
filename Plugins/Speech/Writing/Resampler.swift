internal import Glibc

/// Turns samples of the engine's rate, 22,050 a second, into 24,000 a second, which Opus can hold.
///
/// A polyphase filter: the ratio is exactly 160 / 147, so each output sample is the sum of 32 input
/// samples weighted by one of 160 sets of weights (a sinc windowed after Kaiser). It is linear in
/// phase and centred, so nothing moves in time.
struct Resampler {
  static let outputRate = 24_000
  private static let up = 160
  private static let down = 147
  private static let taps = 32

  private let weights: [Float]
  /// Input samples that are still needed; the first belongs to `offset`.
  private var held: [Float]
  /// The place of the first held sample in the input; negative before the beginning.
  private var offset: Int
  private var inputs = 0
  private var outputs = 0

  init() {
    weights = Self.makeWeights()
    held = [Float](repeating: 0, count: Self.taps / 2 - 1)
    offset = -(Self.taps / 2 - 1)
  }

  /// The output samples that the input so far decides.
  mutating func add(_ samples: some Collection<Int16>) -> [Float] {
    inputs += samples.count
    held.reserveCapacity(held.count + samples.count)
    for sample in samples { held.append(Float(sample) / 32_768) }
    return ready()
  }

  /// The rest; as much time comes out as went in.
  mutating func finish() -> [Float] {
    held.append(contentsOf: repeatElement(0, count: Self.taps))
    let wanted = (inputs * Self.up + Self.down - 1) / Self.down - outputs
    return Array(ready().prefix(max(0, wanted)))
  }

  private mutating func ready() -> [Float] {
    var made: [Float] = []
    made.reserveCapacity(held.count * Self.up / Self.down + 1)
    let half = Self.taps / 2
    while true {
      let place = outputs * Self.down
      let first = place / Self.up - (half - 1) - offset
      guard first + Self.taps <= held.count else { break }
      let phase = place % Self.up * Self.taps
      var sum: Float = 0
      for tap in 0..<Self.taps { sum += held[first + tap] * weights[phase + tap] }
      made.append(max(-1, min(1, sum)))
      outputs += 1
    }
    let done = outputs * Self.down / Self.up - (half - 1) - offset
    if done > 0 {
      held.removeFirst(min(done, held.count))
      offset += done
    }
    return made
  }

  private static func makeWeights() -> [Float] {
    // Everything up to 10 kHz stays; what lies above the middle of the input rate is mirror image.
    let cutoff = 0.93
    let half = Double(taps / 2)
    var weights: [Float] = []
    for phase in 0..<up {
      var own: [Double] = []
      for tap in 0..<taps {
        let distance = Double(tap) - (half - 1) - Double(phase) / Double(up)
        let x = Double.pi * distance * cutoff
        let sinc = distance.magnitude < 1e-9 ? 1 : sin(x) / x
        own.append(sinc * kaiser(distance / half))
      }
      let sum = own.reduce(0, +)
      weights += own.map { Float($0 / sum) }
    }
    return weights
  }

  /// The window of Kaiser with a beta of 7: mirror images are 70 dB down.
  private static func kaiser(_ x: Double) -> Double {
    guard x.magnitude < 1 else { return 0 }
    return bessel(7 * (1 - x * x).squareRoot()) / bessel(7)
  }

  /// The modified Bessel function of the first kind and order zero, by its series.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0, term = 1.0
    for k in 1...40 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}
