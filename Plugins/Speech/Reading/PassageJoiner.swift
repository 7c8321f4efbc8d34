internal import Bytes

/// Holds a passage back until it is known whether the next one, in another column or on another page,
/// goes on in the middle of its sentence.
struct PassageJoiner {
  private var held: Passage?

  init() {}

  /// - Returns: the passages that are whole now.
  mutating func add(_ passage: Passage) -> [Passage] {
    guard var before = held else {
      held = passage
      return []
    }
    if Self.goesOn(before, passage) {
      var words = passage.words
      if let last = before.words.last, let first = words.first,
        WordDivision.joins(last.text, first.text)
      {
        var whole = first
        whole.text = WordDivision.joined(last.text, first.text)
        (whole.place, whole.rest) = (last.place, first.place)
        whole.isGlued = last.isGlued
        before.words.removeLast()
        words[0] = whole
      }
      before.words += words
      held = before
      return []
    }
    held = passage
    return [before]
  }

  mutating func finish() -> [Passage] {
    defer { held = nil }
    return held.map { [$0] } ?? []
  }

  private static func goesOn(_ before: Passage, _ next: Passage) -> Bool {
    guard before.kind == .paragraph || before.kind == .item, next.kind == .paragraph,
      before.isSilent == next.isSilent, next.chapters.isEmpty,
      // A document of one endless sentence is not gathered in memory.
      before.words.count < 3000,
      let end = before.words.last?.text.unicodeScalars.last,
      let start = next.words.first?.text.unicodeScalars.first
    else { return false }
    return start.properties.isLowercase
      && (end.properties.isAlphabetic || end == "," || end == ";"
        || FoldedText.dividingHyphens.contains(end))
  }
}
