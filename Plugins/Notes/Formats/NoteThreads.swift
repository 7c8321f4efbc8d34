/// Notes in the order of the pages, each with its answers.
struct NoteThreads {
  private let notes: [Note]
  /// Places of the notes that answer the note of an identifier.
  private var children: [String: [Int]] = [:]
  private var rootPlaces: [Int] = []

  init(_ notes: [Note]) {
    self.notes = notes
    let places = Dictionary(notes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    for (index, note) in notes.enumerated() {
      if let parent = note.inReplyTo, let place = places[parent],
        !Self.leadsBack(to: index, from: place, notes, places)
      {
        children[parent, default: []].append(index)
      } else {
        rootPlaces.append(index)
      }
    }
    rootPlaces.sort { first, second in
      let (left, right) = (notes[first], notes[second])
      return (left.page, left.word, first) < (right.page, right.word, second)
    }
  }

  /// Whether a note answers itself by way of others, or the thread is too long to tell.
  private static func leadsBack(
    to index: Int, from start: Int, _ notes: [Note], _ places: [String: Int]
  ) -> Bool {
    var place = start
    for _ in 0..<NotesLimits.replyDepth {
      if place == index { return true }
      guard let parent = notes[place].inReplyTo, let next = places[parent] else { return false }
      place = next
    }
    return true
  }

  /// Notes that answer none.
  var roots: [Note] { rootPlaces.map { notes[$0] } }

  /// The answers to a note and those to them, in the order of a thread; the depth is 0 for the first.
  func answers(to note: Note) -> [(note: Note, depth: Int)] {
    var result: [(note: Note, depth: Int)] = []
    var waiting = (children[note.id] ?? []).reversed().map { ($0, 0) }
    while let (place, depth) = waiting.popLast() {
      result.append((notes[place], depth))
      let below = children[notes[place].id] ?? []
      waiting += below.reversed().map { ($0, min(depth + 1, NotesLimits.replyDepth)) }
    }
    return result
  }
}
