package import PluginKit

/// What procd and one of its programs tell each other: a head of JSON that says what it is, and bytes.
///
/// On the pipe: the lengths of head and body, four bytes each, the highest first, then head and body.
package struct Frame: Sendable, Equatable {
  package var head: JSON
  package var body: [UInt8]

  package init(_ head: JSON, _ body: [UInt8] = []) { (self.head, self.body) = (head, body) }

  /// The longest head and the longest body, in bytes. A body is a piece of a file, or a message.
  package static let longestHead = 64 << 10
  package static let longestBody = 1 << 20

  /// As it goes over the pipe.
  package var bytes: [UInt8] {
    let text = head.line
    var bytes = Self.length(text.count) + Self.length(body.count)
    bytes.reserveCapacity(8 + text.count + body.count)
    bytes += text
    bytes += body
    return bytes
  }

  private static func length(_ count: Int) -> [UInt8] {
    let count = UInt32(clamping: count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}

/// Cuts a stream of bytes into frames.
package struct FrameBuffer: Sendable {
  /// The stream is none of frames, or one is longer than is accepted.
  package struct Broken: Error, Sendable { package var message: String }

  private var pending: [UInt8] = []

  package init() {}

  /// Takes what was read and gives the frames that are whole now.
  package mutating func append(_ bytes: [UInt8]) throws(Broken) -> [Frame] {
    pending += bytes
    var frames: [Frame] = [], start = 0
    while pending.count - start >= 8 {
      let head = length(at: start), body = length(at: start + 4)
      guard head <= Frame.longestHead, body <= Frame.longestBody else {
        throw Broken(message: "a frame is longer than is accepted")
      }
      guard pending.count - start >= 8 + head + body else { break }
      let middle = start + 8 + head
      do throws(JSONError) {
        let json = try JSONReader.read(Array(pending[(start + 8)..<middle])).value
        frames.append(Frame(json, Array(pending[middle..<(middle + body)])))
      } catch {
        throw Broken(message: "the head of a frame is no JSON: \(error.message)")
      }
      start = middle + body
    }
    if start > 0 { pending.removeFirst(start) }
    return frames
  }

  private func length(at index: Int) -> Int {
    pending[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The frames that come in at a descriptor, one after the other.
package struct FrameInput {
  private let descriptor: Int32
  private var buffer = FrameBuffer()
  private var frames: ArraySlice<Frame> = []

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for the next. Nil at the end, and where what comes is no frame.
  package mutating func next() -> Frame? {
    while frames.isEmpty {
      guard let bytes = readSome(descriptor), !bytes.isEmpty, let more = try? buffer.append(bytes)
      else { return nil }
      frames = more[...]
    }
    return frames.removeFirst()
  }
}
