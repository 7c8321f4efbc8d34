internal import PluginKit

/// Where a word stands in a work; the better place has the lower number.
enum WordPlace: UInt32 {
  case title, subtitle, names, about

  /// What a word that is found there is worth.
  var score: Int {
    switch self {
    case .title: 100
    case .subtitle: 50
    case .names: 40
    case .about: 20
    }
  }
}

/// Writes the full-text index: for each word the works that have it, with place and position.
///
/// An index of our own beside SQLite's: FTS5 finds the list of each word by a hash in memory as words come,
/// which took more than half of the time of a load. Here words are noted as numbers, sorted by radix a
/// million at a time, and each list is written once. A list is a row, so SQLite keeps it as safe as all
/// else.
///
/// A hit is 32 bits: the work, counted from the first of its batch (17), the place (2), the position
/// (13). Hits of a word are sorted and written as the distances between them, a few bytes each.
struct WordIndex {
  static let tables = """
    CREATE TABLE IF NOT EXISTS batch(id INTEGER PRIMARY KEY, base INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS posting(
      word INTEGER NOT NULL, batch INTEGER NOT NULL, hits BLOB NOT NULL,
      PRIMARY KEY(word, batch)) WITHOUT ROWID;

    """
  static let placeBits: UInt64 = 13
  static let workBits: UInt64 = 15
  /// Words that are noted before they are written: 16 bytes of memory each.
  private static let most = 1 << 21
  private static let worksOfBatch: Int64 = 1 << 17
  private static let lastPosition: UInt64 = 1 << 13 - 1

  private let database: Database
  private let insert: Statement
  /// The key of the word in the upper half, the hit in the lower.
  private var entries: [UInt64] = []
  private var sorted: [UInt64] = []
  private var base: Int64 = 0
  private var words: [UInt8] = []
  private var list: [UInt8] = []

  init(_ database: Database) throws(PluginFailure) {
    self.database = database
    insert = try database.prepare("INSERT INTO posting VALUES(?1, ?2, ?3)")
  }

  /// Notes the words of a work. Works come in the order of their numbers.
  mutating func add(_ row: Int64, _ work: PackedWork) throws(PluginFailure) {
    if entries.count >= Self.most || row - base >= Self.worksOfBatch { try flush() }
    if entries.isEmpty { base = row }
    let hit = UInt64(row - base) << Self.workBits
    var position: UInt64 = 0
    note(work, .title, hit, .title, &position)
    note(work, .otherTitles, hit, .title, &position)
    position = 0
    note(work, .subtitle, hit, .subtitle, &position)
    position = 0
    note(work, .people, hit, .names, &position)
    note(work, .categories, hit, .names, &position)
    position = 0
    note(work, .about, hit, .about, &position)
  }

  private mutating func note(
    _ work: PackedWork, _ text: PackedWork.Text, _ hit: UInt64, _ place: WordPlace,
    _ position: inout UInt64
  ) {
    let range = work.range(of: text)
    guard !range.isEmpty else { return }
    words.removeAll(keepingCapacity: true)
    WordFolding.append(work.bytes.span.extracting(range), to: &words)
    let hit = hit | UInt64(place.rawValue) << Self.placeBits
    var key = Self.emptyKey
    for byte in words {
      if byte == 0x20 {
        if position < Self.lastPosition {
          entries.append(key & 0xFFFF_FFFF_0000_0000 | hit | position)
        }
        position += 1
        key = Self.emptyKey
      } else {
        key = (key ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
  }

  private static let emptyKey: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The number that a folded word goes by. Two words of one number are found together, which happens to
  /// one pair among a hundred thousand words.
  static func key(of word: [UInt8]) -> Int64 {
    var key = emptyKey
    for byte in word { key = (key ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(key >> 32)
  }

  /// Writes what was noted.
  mutating func flush() throws(PluginFailure) {
    guard !entries.isEmpty else { return }
    let note = try database.prepare("INSERT INTO batch(base) VALUES(?1) RETURNING id")
    note.bind(1, base)
    let batch = try note.step() ? note.integer(0) : 0
    note.reset()
    sort()
    var index = 0
    while index < entries.count {
      let word = entries[index] >> 32
      var last: UInt32 = 0
      list.removeAll(keepingCapacity: true)
      while index < entries.count, entries[index] >> 32 == word {
        let hit = UInt32(truncatingIfNeeded: entries[index])
        var distance = hit &- last
        while distance >= 0x80 {
          list.append(UInt8(truncatingIfNeeded: distance) | 0x80)
          distance >>= 7
        }
        list.append(UInt8(distance))
        last = hit
        index += 1
      }
      insert.bind(1, Int64(word))
      insert.bind(2, batch)
      insert.bind(3, list)
      try insert.run()
    }
    entries.removeAll(keepingCapacity: true)
  }

  /// By words; hits of a word keep their order, as each pass keeps that of the one before.
  private mutating func sort() {
    let count = entries.count
    for shift in [32, 43, 54] as [UInt64] {
      var places = [Int](repeating: 0, count: 2048)
      for entry in entries { places[Int(entry >> shift & 2047)] += 1 }
      var sum = 0
      for index in places.indices {
        let here = places[index]
        places[index] = sum
        sum += here
      }
      if sorted.count < count { sorted += repeatElement(0, count: count - sorted.count) }
      for entry in entries {
        let bucket = Int(entry >> shift & 2047)
        sorted[places[bucket]] = entry
        places[bucket] += 1
      }
      swap(&entries, &sorted)
      if entries.count > count { entries.removeLast(entries.count - count) }
    }
  }

  // MARK: - Reading

  /// Reads where words stand.
  struct Reader {
    private let lists: Statement

    init(_ database: Database) throws(PluginFailure) {
      lists = try database.prepare(
        "SELECT base, hits FROM posting JOIN batch ON batch.id = posting.batch WHERE word = ?1"
          + " ORDER BY batch")
    }

    /// The hits of a word in order: number of the work, place and position, in bits as they are kept.
    func hits(of word: [UInt8]) throws(PluginFailure) -> [UInt64] {
      var hits: [UInt64] = []
      lists.bind(1, WordIndex.key(of: word))
      while try lists.step() {
        let base = UInt64(clamping: lists.integer(0)) << WordIndex.workBits, bytes = lists.bytes(1)
        hits.reserveCapacity(hits.count + bytes.count / 2)
        var hit: UInt64 = 0, distance: UInt64 = 0, shift: UInt64 = 0
        for byte in bytes {
          distance |= UInt64(byte & 0x7F) << shift
          if byte & 0x80 != 0 {
            shift = min(shift + 7, 56)
            continue
          }
          hit &+= distance
          hits.append(base &+ hit)
          (distance, shift) = (0, 0)
        }
      }
      lists.reset()
      return hits
    }
  }
}

extension GuideStore {
  /// Batches that are searched one after another; more are made one.
  private static var mostBatches: Int64 { 24 }

  /// Makes the index anew where it has too many batches, or too many words of works that are gone.
  func tidyIndex() throws(PluginFailure) {
    let batches = try number("SELECT count(*) FROM batch")
    guard batches > 1 else { return }
    let first = try number("SELECT min(id) FROM work"),
      last = try number("SELECT max(id) FROM work")
    let gone = (last - first + 1) - (try number("SELECT count(*) FROM work"))
    let kept = last - first + 1 - gone
    if batches > Self.mostBatches + kept / 50_000 || gone > kept + 50_000 { try indexAnew() }
  }

  func indexAnew() throws(PluginFailure) {
    try database.execute("DELETE FROM posting; DELETE FROM batch")
    var index = try WordIndex(database)
    let all = try database.prepare("SELECT \(Self.workColumns) FROM work ORDER BY id")
    while try all.step() { try index.add(all.integer(0), PackedWork(Self.work(all))) }
    try index.flush()
    try database.execute(
      "UPDATE setting SET value = \(WordFolding.version) WHERE name = 'words'")
  }
}
