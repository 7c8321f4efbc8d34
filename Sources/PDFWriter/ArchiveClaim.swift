internal import Bytes

/// What the XMP packet of a document says of being PDF/A (ISO 19005-2 and -3, 6.6.4): the part, as `2`, and the level, as
/// `B`. The standard prescribes the prefix `pdfaid` and UTF-8, and a property may be an element or an attribute.
struct ArchiveClaim {
  /// The packet, in which the claim can be changed. Its length stays.
  private(set) var packet: [UInt8]
  /// The part, 1 to 4.
  private(set) var part: Int
  /// The level, in capitals; empty for none, as part 4 has it.
  private(set) var level: String

  /// A property as it stands: the whole, and its value.
  private struct Property {
    var whole: Range<Int>
    var value: Range<Int>
  }

  /// Nil where it says nothing of PDF/A.
  init?(in packet: [UInt8]) {
    self.packet = packet
    (part, level) = (0, "")
    guard let value = properties("pdfaid:part").first?.value,
      let part = Int(String(decoding: packet[value], as: UTF8.self)), (1...4).contains(part)
    else { return nil }
    self.part = part
    if let value = properties("pdfaid:conformance").first?.value {
      level = String(decoding: packet[value], as: UTF8.self).uppercased()
    }
  }

  /// Says PDF/A-3, of the same level, where it said PDF/A-2: all that part 2 asks for, part 3 asks for too.
  mutating func raise() {
    for property in properties("pdfaid:part") where packet[property.value] == [0x32] {
      packet[property.value.lowerBound] = 0x33
    }
    part = 3
  }

  /// Says nothing of PDF/A any more.
  mutating func withdraw() {
    for name: StaticString in ["pdfaid:part", "pdfaid:conformance", "pdfaid:rev"] {
      for property in properties(name) {
        for place in property.whole { packet[place] = 0x20 }
      }
    }
  }

  /// All places where a property has a value.
  private func properties(_ name: StaticString) -> [Property] {
    var found: [Property] = []
    let length = name.utf8CodeUnitCount
    var from = 0
    while let start = packet.span.first(of: name, in: from..<packet.count) {
      from = start + length
      guard let property = property(start: start, behind: from) else { continue }
      found.append(property)
      from = property.whole.upperBound
    }
    return found
  }

  private func property(start: Int, behind name: Int) -> Property? {
    func skip(_ place: Int) -> Int {
      var place = place
      while place < packet.count, [0x20, 0x09, 0x0A, 0x0D].contains(packet[place]) { place += 1 }
      return place
    }
    /// The place of a byte among the next few; values are short.
    func next(_ byte: UInt8, from place: Int) -> Int? {
      packet.indices.clamped(to: place..<max(place, place + 100)).first { packet[$0] == byte }
    }
    let place = skip(name)
    guard place < packet.count else { return nil }
    if packet[place] == UInt8(ascii: "=") {
      let opening = skip(place + 1)
      guard opening < packet.count, [0x22, 0x27].contains(packet[opening]),
        let closing = next(packet[opening], from: opening + 1)
      else { return nil }
      return Property(whole: start..<closing + 1, value: opening + 1..<closing)
    }
    guard packet[place] == UInt8(ascii: ">"), start > 0, packet[start - 1] == UInt8(ascii: "<"),
      let end = next(UInt8(ascii: "<"), from: place + 1), packet.span.matches("</pdfaid:", at: end),
      let closing = next(UInt8(ascii: ">"), from: end)
    else { return nil }
    let first = skip(place + 1)
    var last = end
    while last > first, [0x20, 0x09, 0x0A, 0x0D].contains(packet[last - 1]) { last -= 1 }
    return Property(whole: start - 1..<closing + 1, value: first..<last)
  }
}
