import Bytes
import Glibc

/// Bytes on their way to a descriptor, in large pieces.
struct OutputFile {
  private let descriptor: Int32
  private var pending: [UInt8] = []
  /// Whether everything so far could be written.
  private(set) var isSound = true

  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func write(_ bytes: [UInt8]) {
    pending += bytes
    if pending.count >= 1 << 17 { flush() }
  }

  mutating func flush() {
    guard !pending.isEmpty else { return }
    if isSound { isSound = Self.writeAll(pending, to: descriptor) }
    pending.removeAll(keepingCapacity: true)
  }

  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        done += count
      }
      return true
    }
  }
}
