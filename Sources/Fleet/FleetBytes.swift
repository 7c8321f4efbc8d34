internal import Crypto
internal import Files
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// A file on its way: pieces that are kept at the broker, each sealed for its place in this file.
struct FleetBytes: Sendable, Equatable {
  /// Never used twice.
  var name: String
  var pieces: Int
  var bytes: Int
  var sha256: String

  /// Bytes of a piece before it is sealed.
  static let piece = 512 << 10
  /// Pieces that are on their way at once; on a slow line this is what fills it.
  private static let together = 4

  var json: JSON {
    [
      "name": .string(name), "pieces": .integer(pieces), "bytes": .integer(bytes),
      "sha256": .string(sha256),
    ]
  }

  init(name: String, pieces: Int, bytes: Int, sha256: String) {
    (self.name, self.pieces, self.bytes, self.sha256) = (name, pieces, bytes, sha256)
  }

  /// Nil where it makes no sense: a count that does not fit its bytes, a name that is none of ours.
  init?(_ json: JSON) {
    guard let name = json["name"]?.stringValue, let pieces = json["pieces"]?.integerValue,
      let bytes = json["bytes"]?.integerValue, let sha256 = json["sha256"]?.stringValue,
      Self.isName(name), bytes >= 0, pieces == Self.count(of: bytes), sha256.utf8.count == 64
    else { return nil }
    self.init(name: name, pieces: pieces, bytes: bytes, sha256: sha256)
  }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  private static func count(of bytes: Int) -> Int {
    bytes / piece + (bytes % piece == 0 && bytes > 0 ? 0 : 1)
  }

  private static func purpose(_ name: String, _ number: Int) -> String { "bytes \(name) \(number)" }

  /// Gives a file to the broker.
  static func put(
    _ file: OpenFile, by link: FleetLink, _ key: FleetKey
  ) async throws -> FleetBytes {
    let size = try file.status().size, name = FleetKey.random(), pieces = count(of: size)
    var hash = SHA256(), total = 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<pieces {
        if number >= together { try await group.next() }
        let bytes = try file.bytes(at: number * piece, count: min(piece, size - number * piece))
        hash.update(data: bytes)
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
    return FleetBytes(name: name, pieces: pieces, bytes: size, sha256: hexadecimal(hash.finalize()))
  }

  /// Takes a file from the broker.
  ///
  /// - Throws: `FleetFailure` where a piece is missing, or the whole is not what was said.
  func get(into file: OpenFile, by link: FleetLink, _ key: FleetKey) async throws {
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
    guard total == bytes, hexadecimal(hash.finalize()) == sha256 else {
      throw FleetFailure("fleet.content", "a file that came is not the one that was sent")
    }
  }

  /// Lets it go; what is left goes after a day.
  func remove(by link: FleetLink, _ key: FleetKey) async {
    _ = try? await link.ask(
      .purge,
      [
        "stream": .string("procd-\(key.site)-bytes"),
        "subject": .string("procd.\(key.site).bytes.\(name).>"),
      ])
  }
}
