internal import Crypto
internal import Files
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// A file on its way: inside the message that speaks of it where it is small, else as pieces that are kept at the
/// broker, each sealed for its place in this file.
struct FleetBytes: Sendable, Equatable {
  enum Place: Sendable, Equatable {
    /// From here on among what is attached to the message.
    case attached(Int)
    /// Under a name that is never used twice.
    case kept(name: String)
  }

  /// What the receiver has of it: stretches of an input of the step.
  struct Known: Sendable, Equatable {
    var role: String
    var index: Int
    /// How many stretches stand before the rest among what is attached.
    var pieces: Int
    /// Bytes of the rest.
    var rest: Int
  }

  var place: Place
  var bytes: Int
  /// Only of what is attached to an answer.
  var known: Known?
  /// Of its content; nil for what is whole inside a message, which is sealed.
  var sha256: String?

  /// Bytes of a piece before it is sealed.
  static let piece = 512 << 10
  /// The longest message; an order or an answer that is longer without what is attached to it stays at home.
  static let longestMessage = FleetSlots.leastPayload - 4096
  /// Pieces that are on their way at once; on a slow line this is what fills it.
  private static let together = 4

  var json: JSON {
    let place: JSON.Member =
      switch place {
      case .attached(let offset): JSON.Member("at", .integer(offset))
      case .kept(let name): JSON.Member("name", .string(name))
      }
    let known = known.map { known -> [JSON.Member] in
      [
        JSON.Member("role", .string(known.role)), JSON.Member("index", .integer(known.index)),
        JSON.Member("pieces", .integer(known.pieces)), JSON.Member("rest", .integer(known.rest)),
      ]
    }
    return .object(
      [place, JSON.Member("bytes", .integer(bytes))]
        + (sha256.map { [JSON.Member("sha256", .string($0))] } ?? []) + (known ?? []))
  }

  init(_ place: Place, bytes: Int, sha256: String?) {
    (self.place, self.bytes, self.sha256) = (place, bytes, sha256)
  }

  /// Attaches a file to a message.
  init(attaching content: [UInt8], to attached: inout [UInt8]) {
    self.init(.attached(attached.count), bytes: content.count, sha256: nil)
    attached += content
  }

  /// Attaches what a file has besides stretches of an input.
  init(
    attaching content: [UInt8], without pieces: [InputPiece], of role: String, _ index: Int,
    to attached: inout [UInt8]
  ) {
    let offset = attached.count
    for piece in pieces { attached += piece.bytes }
    let begin = attached.count
    var end = 0
    for piece in pieces {
      attached += content[end..<piece.at]
      end = piece.at + piece.count
    }
    attached += content[end...]
    self.init(
      .attached(offset), bytes: content.count, sha256: hexadecimal(SHA256.hash(data: content)))
    known = Known(
      role: role, index: index, pieces: pieces.count, rest: attached.count - begin)
  }

  /// Nil where it makes no sense.
  ///
  /// - Parameter attached: how many bytes are attached to the message.
  init?(_ json: JSON, attached: Int) {
    guard let bytes = json["bytes"]?.integerValue, bytes >= 0 else { return nil }
    if let offset = json["at"]?.integerValue {
      guard offset >= 0, offset <= attached else { return nil }
      self.init(.attached(offset), bytes: bytes, sha256: nil)
      guard let pieces = json["pieces"]?.integerValue else {
        guard bytes <= attached - offset else { return nil }
        return
      }
      guard let role = json["role"]?.stringValue, let index = json["index"]?.integerValue,
        let rest = json["rest"]?.integerValue, index >= 0, (0...bytes).contains(rest),
        (0...attached).contains(pieces), rest <= attached - offset - pieces * InputPiece.length
      else { return nil }
      known = Known(role: role, index: index, pieces: pieces, rest: rest)
      sha256 = json["sha256"]?.stringValue
    } else {
      guard let name = json["name"]?.stringValue, Self.isName(name),
        let sha256 = json["sha256"]?.stringValue, sha256.utf8.count == 64
      else { return nil }
      self.init(.kept(name: name), bytes: bytes, sha256: sha256)
    }
  }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  /// What may be attached to a message, in bytes.
  ///
  /// - Parameter head: the message without it, and without its files.
  static func room(beside head: [UInt8], files: Int) -> Int {
    max(0, longestMessage - head.count - files * longestEntry)
  }

  /// What a message says of one file, in bytes: its place, size and digest, type and label.
  private static let longestEntry = 1024

  private static func count(of bytes: Int) -> Int {
    bytes / piece + (bytes % piece == 0 && bytes > 0 ? 0 : 1)
  }

  private static func purpose(_ name: String, _ number: Int) -> String { "bytes \(name) \(number)" }

  /// Gives a file to the broker.
  ///
  /// - Parameter sha256: of its content where it is known; who takes it holds the content against that.
  static func put(
    _ file: OpenFile, sha256: String? = nil, by link: FleetLink, _ key: FleetKey
  ) async throws -> FleetBytes {
    let size = try file.status().size, name = FleetKey.random(), pieces = count(of: size)
    var hash = SHA256(), total = 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<pieces {
        if number >= together { try await group.next() }
        let bytes = try file.bytes(at: number * piece, count: min(piece, size - number * piece))
        if sha256 == nil { hash.update(data: bytes) }
        total += bytes.count
        group.addTask {
          _ = try await link.ask(
            .put, ["subject": .string("procd.\(key.site).bytes.\(name).\(number)")],
            key.seal(bytes, as: purpose(name, number)))
        }
      }
      try await group.waitForAll()
    }
    guard total == size else {
      throw FleetFailure("fleet.changed", "\(file.path.printable) changed while it was sent")
    }
    return FleetBytes(
      .kept(name: name), bytes: size, sha256: sha256 ?? hexadecimal(hash.finalize()))
  }

  /// Takes a file from the message that spoke of it, or from the broker.
  ///
  /// - Parameter input: a file of the step, by its role and number; nil where there is none.
  /// - Throws: `FleetFailure` where a piece is missing, or the whole is not what was said.
  func get(
    into file: OpenFile, attached: [UInt8], by link: FleetLink, _ key: FleetKey,
    input: (_ role: String, _ index: Int) throws -> OpenFile? = { _, _ in nil }
  ) async throws {
    switch place {
    case .attached(let offset):
      guard let known else {
        return try file.write(attached.span.extracting(offset..<(offset + bytes)))
      }
      guard let source = try input(known.role, known.index) else { throw Self.other }
      try assemble(known, offset, attached, source, into: file)
    case .kept(let name): try await get(name, into: file, by: link, key)
    }
  }

  /// Puts a file together from the stretches of an input and the rest.
  func assemble(
    _ known: Known, _ offset: Int, _ attached: [UInt8], _ source: OpenFile, into file: OpenFile
  ) throws {
    var rest = offset + known.pieces * InputPiece.length, written = 0
    let end = rest + known.rest
    var hash = SHA256()
    func write(until place: Int) throws {
      guard place >= written, place - written <= end - rest else { throw Self.other }
      let content = attached[rest..<(rest + place - written)]
      hash.update(data: content)
      try file.write(content.span)
      rest += place - written
      written = place
    }
    for number in 0..<known.pieces {
      let piece = InputPiece(attached[(offset + number * InputPiece.length)...])
      try write(until: piece.at)
      guard piece.count <= bytes - written else { throw Self.other }
      let content = try source.bytes(at: piece.start, count: piece.count)
      guard content.count == piece.count else { throw Self.other }
      hash.update(data: content)
      try file.write(content.span)
      written += piece.count
    }
    try write(until: bytes)
    guard rest == end, hexadecimal(hash.finalize()) == sha256 else { throw Self.other }
  }

  private static let other = FleetFailure(
    "fleet.content", "a file that came is not the one that was sent")

  private func get(
    _ name: String, into file: OpenFile, by link: FleetLink, _ key: FleetKey
  ) async throws {
    let pieces = Self.count(of: bytes)
    var hash = SHA256(), total = 0
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      var ready: [Int: [UInt8]] = [:], asked = 0, wanted = 0
      func add() {
        guard asked < pieces else { return }
        let number = asked
        asked += 1
        group.addTask {
          let frame = try await link.ask(
            .get,
            [
              "stream": .string("procd-\(key.site)-bytes"),
              "subject": .string("procd.\(key.site).bytes.\(name).\(number)"),
            ])
          guard let bytes = key.open(frame.body, as: Self.purpose(name, number)) else {
            throw FleetFailure("fleet.sealed", "a piece of a file does not open")
          }
          return (number, bytes)
        }
      }
      for _ in 0..<Self.together { add() }
      while let (number, bytes) = try await group.next() {
        ready[number] = bytes
        while let bytes = ready.removeValue(forKey: wanted) {
          total += bytes.count
          guard total <= self.bytes else { break }
          hash.update(data: bytes)
          try file.write(bytes.span)
          wanted += 1
        }
        add()
      }
    }
    guard total == bytes, hexadecimal(hash.finalize()) == sha256 else { throw Self.other }
  }

  /// Lets it go; what is left goes after a day.
  func remove(by link: FleetLink, _ key: FleetKey) async {
    guard case .kept(let name) = place else { return }
    _ = try? await link.ask(
      .purge,
      [
        "stream": .string("procd-\(key.site)-bytes"),
        "subject": .string("procd.\(key.site).bytes.\(name).>"),
      ])
  }
}
