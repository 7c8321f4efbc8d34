internal import Bytes

/// What kind of programme it is, as far as its categories say: the page has a color for each.
///
/// The numbers stand in the page, and `genreNames` in data.js and the colors in page.css go by them.
enum Genre: UInt8, CaseIterable {
  case other, film, series, news, sports, documentary, children, music, show

  /// Where categories name several, the first of these counts: a film for children is for children.
  static let order: [Genre] = [
    .children, .documentary, .film, .sports, .news, .music, .series, .show,
  ]
}

/// Finds the kinds of programmes. Guides use the same few categories again and again, so what was found
/// is remembered.
struct GenreFinder {
  private var known: [[UInt8]: Genre] = [:]
  private static let key: StaticString = "\"categories\":["
  /// A guide may have any number of categories; only so many are remembered.
  private static let mostKnown = 20_000

  /// - Parameter details: members of an object, as ``DetailWriter`` writes them.
  mutating func genre(ofDetails details: [UInt8]) -> Genre {
    let found = Set(Self.categories(details).prefix(16).map { genre(of: $0) })
    return Genre.order.first(where: found.contains) ?? .other
  }

  /// The categories of a work. A quotation mark within a text has a backslash before it, so the key is
  /// found nowhere else.
  static func categories(_ details: [UInt8]) -> [[UInt8]] {
    guard let place = details.span.first(of: key, in: 0..<details.count) else { return [] }
    var categories: [[UInt8]] = [], text: [UInt8]?, index = place + key.utf8CodeUnitCount
    while index < details.count {
      let byte = details[index]
      index += 1
      if var open = text {
        if byte == 0x22 {
          categories.append(open)
          text = nil
        } else if byte != 0x5C || index < details.count {
          open.append(byte == 0x5C ? details[index] : byte)
          if byte == 0x5C { index += 1 }
          text = open
        }
      } else if byte == 0x22 {
        text = []
      } else if byte == 0x5D {
        break
      }
    }
    return categories
  }

  /// The kind that one category names, in whatever language.
  mutating func genre(of category: [UInt8]) -> Genre {
    if let genre = known[category] { return genre }
    var folded: [UInt8] = [0x20]
    WordFolding.append(category.span, to: &folded, cutsEndings: false)
    var text = String(decoding: folded, as: UTF8.self)
    // Words that have another's in them.
    for (words, other) in GenreWords.misleading { text.replace(words, with: other) }
    let genre = Genre.order.first { genre in
      GenreWords.stems[genre, default: []].contains { stem in
        text.contains(" \(stem)")
          // Many languages put the word last: Spielfilm, Talkshow.
          || (stem.utf8.count >= 4 && !stem.hasSuffix(" ") && text.contains("\(stem) "))
      }
    }
    if known.count < Self.mostKnown { known[category] = genre ?? .other }
    return genre ?? .other
  }
}
