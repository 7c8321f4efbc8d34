/// The texts of the CIDs of Adobe's character collections (Japan1, GB1, CNS1, Korea1).
///
/// A collection is read when it is first asked for.
enum CIDCollections {
  private struct Collection {
    /// The text by CID: a scalar, or a place in `strings` with the top bit set; U+FFFD where there is
    /// none.
    var texts: [GlyphText] = []
    var strings: [[UInt32]] = []

    init(_ table: StaticString) {
      let joiner: UInt32 = 0x2060
      let all = table.withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
      texts.reserveCapacity(31_000)
      var joins = false
      for scalar in all.unicodeScalars {
        if scalar.value == joiner {
          joins = true
        } else if joins {
          joins = false
          if let last = texts.last?.index {
            strings[last].append(scalar.value)
          } else if let last = texts.last {
            strings.append([last.scalar, scalar.value])
            texts[texts.count - 1] = GlyphText(several: strings.count - 1)
          }
        } else {
          texts.append(GlyphText(scalar: scalar.value))
        }
      }
    }

    /// The lowest CID of each scalar.
    var cids: [UInt32: UInt32] {
      var result: [UInt32: UInt32] = [:]
      result.reserveCapacity(texts.count)
      for cid in texts.indices.reversed() where texts[cid].index == nil {
        result[texts[cid].scalar] = UInt32(cid)
      }
      result[GlyphText.unknown.scalar] = nil
      return result
    }
  }

  private static let japan1Collection = Collection(japan1)
  private static let gb1Collection = Collection(gb1)
  private static let cns1Collection = Collection(cns1)
  private static let korea1Collection = Collection(korea1)
  private static let japan1CIDs = japan1Collection.cids
  private static let gb1CIDs = gb1Collection.cids
  private static let cns1CIDs = cns1Collection.cids
  private static let korea1CIDs = korea1Collection.cids

  private static func collection(_ ordering: String) -> Collection? {
    switch ordering {
    case "Japan1": japan1Collection
    case "GB1": gb1Collection
    case "CNS1": cns1Collection
    case "Korea1": korea1Collection
    default: nil
    }
  }

  static func isKnown(_ ordering: String) -> Bool {
    ["Japan1", "GB1", "CNS1", "Korea1"].contains(ordering)
  }

  /// The text of a CID of the collection with an ordering, or nil where there is none.
  static func unicode(_ cid: UInt32, ordering: String) -> [UInt32]? {
    guard let collection = collection(ordering), cid < collection.texts.count else { return nil }
    let text = collection.texts[Int(cid)]
    if let index = text.index { return collection.strings[index] }
    return text == .unknown ? nil : [text.scalar]
  }

  /// The lowest CID of a scalar in the collection with an ordering.
  static func cid(_ scalar: UInt32, ordering: String) -> UInt32? {
    switch ordering {
    case "Japan1": japan1CIDs[scalar]
    case "GB1": gb1CIDs[scalar]
    case "CNS1": cns1CIDs[scalar]
    case "Korea1": korea1CIDs[scalar]
    default: nil
    }
  }
}
