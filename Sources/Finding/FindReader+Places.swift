internal import GRDB

extension FindReader {
  /// Returns the words of a page that say what a hit lights, or nil if none do. A word that a line's end divides is two
  /// words there.
  package func place(
    of lit: String, among words: [String]
  ) throws(FindError) -> Range<Int>? {
    do {
      return try database.read { database in
        let vocabulary = try Vocabulary(database)
        let wanted = try vocabulary.joined(FindText.kept(lit[...]))
        guard !wanted.isEmpty else { return nil }
        let tokens = try words.map { try vocabulary.joined(FindText.kept($0[...])) }
        for start in tokens.indices where !tokens[start].isEmpty {
          var rest = wanted[...], end = start
          while end < tokens.count, !rest.isEmpty, rest.hasPrefix(tokens[end]) {
            rest = rest.dropFirst(tokens[end].count)
            end += 1
          }
          if rest.isEmpty { return start..<end }
        }
        // A page's word may be a whole line in scripts without spaces.
        guard wanted.unicodeScalars.contains(where: { $0.value >= 0x0E00 }) else { return nil }
        return tokens.firstIndex { $0.contains(wanted) }.map { $0..<$0 + 1 }
      }
    } catch { throw FindError(error) }
  }
}
