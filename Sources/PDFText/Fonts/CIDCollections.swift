/// Unicode values of the CIDs of Adobe's character collections (Japan1, GB1, CNS1, Korea1).
enum CIDCollections {
  private static let japan1Scalars = scalars(japan1)
  private static let gb1Scalars = scalars(gb1)
  private static let cns1Scalars = scalars(cns1)
  private static let korea1Scalars = scalars(korea1)

  private static func scalars(_ text: StaticString) -> [UInt32] {
    let bytes = text.withUTF8Buffer { unsafe Array($0) }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }

  /// The value of a CID of the collection with an ordering, or nil where there is none.
  static func unicode(_ cid: UInt32, ordering: String) -> UInt32? {
    let table: [UInt32]
    switch ordering {
    case "Japan1":
      if (231...325).contains(cid) { return cid - 231 + 0x20 }
      table = japan1Scalars
    case "GB1":
      if (814...907).contains(cid) { return cid - 814 + 0x20 }
      table = gb1Scalars
    case "CNS1": table = cns1Scalars
    case "Korea1": table = korea1Scalars
    default: return nil
    }
    guard cid < table.count, table[Int(cid)] != 0xFFFD else { return nil }
    return table[Int(cid)]
  }
}
