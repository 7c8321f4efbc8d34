/// Unicode values of the CIDs of Adobe's character collections. So far the printable ASCII that all
/// of them begin with; the tables of ideographs have their place here.
enum CIDCollections {
  static func unicode(_ cid: UInt32, ordering: String) -> UInt32? {
    switch ordering {
    case "Japan1":
      if (1...95).contains(cid) { return cid + 0x1F }
      if (231...325).contains(cid) { return cid - 231 + 0x20 }
      return nil
    case "GB1":
      if (1...95).contains(cid) { return cid + 0x1F }
      if (814...907).contains(cid) { return cid - 814 + 0x20 }
      return nil
    case "CNS1", "Korea1", "KR": return (1...95).contains(cid) ? cid + 0x1F : nil
    default: return nil
    }
  }
}
