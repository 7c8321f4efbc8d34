/// Cuts a stream of bytes into lines, and says when one grows too long.
package struct LineBuffer: Sendable {
  private var pending: [UInt8] = []
  private let longest: Int

  package init(longest: Int = Message.longestLine) { self.longest = longest }

  package enum Piece: Sendable, Equatable {
    /// Without its line feed.
    case line([UInt8])
    /// A line longer than is accepted; its first bytes.
    case tooLong([UInt8])
  }

  /// Takes what was read and gives the lines that are whole now.
  package mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      pending.append(contentsOf: rest[..<end])
      pieces.append(pending.count > longest ? .tooLong(Array(pending.prefix(200))) : .line(pending))
      pending.removeAll(keepingCapacity: true)
      rest = rest[rest.index(after: end)...]
    }
    pending.append(contentsOf: rest)
    if pending.count > longest {
      pieces.append(.tooLong(Array(pending.prefix(200))))
      pending.removeAll()
    }
    return pieces
  }

  /// What was read after the last line feed.
  package var remainder: [UInt8] { pending }
}
