import Glibc
import PluginKit

/// Bytes on their way to a descriptor, in large pieces.
struct OutputFile {
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var failure: Int32 = 0
  /// How many bytes were written so far, by the caller's count.
  private(set) var count = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether everything so far could be written.
  var isSound: Bool { failure == 0 }

  /// Why not.
  var reason: String { unsafe String(cString: strerror(failure)) }

  /// Tells that standard output failed, unless its reader simply wanted no more.
  func complainOfStandardOutput() {
    if failure != EPIPE { Console.complain("standard output cannot be written: \(reason).") }
  }

  mutating func write(_ bytes: [UInt8]) {
    pending += bytes
    count += bytes.count
    if pending.count >= 1 << 17 { flush() }
  }

  mutating func flush() {
    guard !pending.isEmpty else { return }
    if isSound, !writeAll(pending, to: descriptor) { failure = errno }
    pending.removeAll(keepingCapacity: true)
  }
}
