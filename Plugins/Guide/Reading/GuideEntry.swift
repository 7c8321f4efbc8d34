internal import PluginKit

/// A channel as a file describes it.
struct ChannelEntry: Equatable {
  var identifier: [UInt8] = []
  /// The names, the first of them for people.
  var names: [[UInt8]] = []
  var icon: [UInt8] = []
}

/// What a programme is, apart from when and where it runs: programmes that say the same share it.
struct Work: Equatable {
  var title: [UInt8] = []
  var subtitle: [UInt8] = []
  var about: [UInt8] = []
  /// Names of the credits, one after another, for searching.
  var people: [UInt8] = []
  /// Categories and keywords, for searching.
  var categories: [UInt8] = []
  /// Titles in further languages and the like, for searching.
  var otherTitles: [UInt8] = []
  /// All else as members of a JSON object, without its braces.
  var details: [UInt8] = []

  mutating func clear() {
    title.removeAll(keepingCapacity: true)
    subtitle.removeAll(keepingCapacity: true)
    about.removeAll(keepingCapacity: true)
    people.removeAll(keepingCapacity: true)
    categories.removeAll(keepingCapacity: true)
    otherTitles.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
  }
}

/// What is so of one showing.
struct ShowingMarks: OptionSet, Equatable {
  let rawValue: UInt8
  static let new = ShowingMarks(rawValue: 1)
  static let premiere = ShowingMarks(rawValue: 2)
  static let repeated = ShowingMarks(rawValue: 4)
  static let lastChance = ShowingMarks(rawValue: 8)
  /// The end was not given, or was no use.
  static let guessedStop = ShowingMarks(rawValue: 16)
}

/// The texts of a work in one piece of memory: one to ask for and to give back, as they go from one thread
/// to another.
struct PackedWork: Sendable {
  /// In the order in which they lie, which is also that of the columns of the guide.
  enum Text: Int, CaseIterable {
    case title, subtitle, about, people, categories, otherTitles, details
  }

  let bytes: [UInt8]
  private let ends: InlineArray<7, UInt32>

  init(_ work: borrowing Work) {
    let count =
      work.title.count + work.subtitle.count + work.about.count + work.people.count
      + work.categories.count + work.otherTitles.count + work.details.count
    var bytes: [UInt8] = [], ends = InlineArray<7, UInt32>(repeating: 0)
    bytes.reserveCapacity(count)
    func put(_ text: Text, _ content: [UInt8]) {
      bytes += content
      ends[text.rawValue] = UInt32(clamping: bytes.count)
    }
    put(.title, work.title)
    put(.subtitle, work.subtitle)
    put(.about, work.about)
    put(.people, work.people)
    put(.categories, work.categories)
    put(.otherTitles, work.otherTitles)
    put(.details, work.details)
    (self.bytes, self.ends) = (bytes, ends)
  }

  /// Where a text lies.
  func range(of text: Text) -> Range<Int> {
    (text == .title ? 0 : Int(ends[text.rawValue - 1]))..<Int(ends[text.rawValue])
  }
}

/// A programme as a file gives it.
struct ProgrammeEntry: Equatable {
  var channel: [UInt8] = []
  var start: Int64?
  var stop: Int64?
  var marks: ShowingMarks = []
  var work = Work()
}

/// Takes what is read from a guide, in the order of the file.
protocol GuideSink {
  /// Whether anything of this channel is wanted. Asked before the rest of a programme is read.
  mutating func wants(channel: [UInt8]) -> Bool
  mutating func add(_ channel: ChannelEntry) throws(PluginFailure)
  mutating func add(_ programme: borrowing ProgrammeEntry) throws(PluginFailure)
}
