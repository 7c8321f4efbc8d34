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

/// A programme as a file gives it.
struct ProgrammeEntry: Equatable {
  var channel: [UInt8] = []
  var start: Int64?
  var stop: Int64?
  var marks: ShowingMarks = []
  var work = Work()
}

/// Takes what is read from a guide, in the order of the file.
protocol GuideSink: AnyObject {
  /// Whether anything of this channel is wanted. Asked before the rest of a programme is read.
  func wants(channel: [UInt8]) -> Bool
  func add(_ channel: ChannelEntry) throws(PluginFailure)
  func add(_ programme: borrowing ProgrammeEntry) throws(PluginFailure)
}
