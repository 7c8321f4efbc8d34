internal import Dates
internal import PluginKit

/// Makes channels and programmes of the elements of an XMLTV file.
final class GuideReader: XMLEvents {
  private let sink: any GuideSink
  private var zone: LocalZone
  /// What the entry that is open is.
  private enum Entry { case none, channel, programme }
  private var entry = Entry.none
  private var isUsable = false
  private var isWanted = false
  private var channel = ChannelEntry()
  private var programme = ProgrammeEntry()
  private var details = DetailWriter()
  private var element = Element.other
  private var language: [UInt8] = []
  private var hasRoot = false

  /// Places that were no correct XML or text.
  private(set) var mended = 0
  /// The encoding that parts of the document have instead of the one that it names, or nil.
  private(set) var actualEncoding: String?
  /// Whether the document ended inside its root.
  private(set) var isCut = false
  /// Programmes without a usable start or channel.
  private(set) var withoutTime = 0
  /// Programmes of channels that are not wanted.
  private(set) var leftOut = 0
  private(set) var programmes = 0
  private(set) var channels = 0

  init(into sink: any GuideSink, zone: LocalZone) { (self.sink, self.zone) = (sink, zone) }

  /// Reads the whole file.
  func read(_ source: DocumentBytes) throws(PluginFailure) {
    let xml = XMLReader(self)
    try xml.read(source)
    guard hasRoot else {
      throw PluginFailure(.input, "guide.xml", "this is no XMLTV file: it has no elements")
    }
    mended = xml.mended + source.mended
    actualEncoding = source.actualEncoding
    isCut = xml.isInRoot
  }

  // MARK: - Elements

  func began(
    _ element: Element, at depth: Int, _ attributes: XMLAttributes
  ) throws(PluginFailure) {
    switch depth {
    case 1:
      guard element == .tv || hasRoot else {
        throw PluginFailure(
          .input, "guide.xml", "this is no XMLTV file: its outermost element is not <tv>",
          hint: "files of other kinds belong into another pipeline")
      }
      hasRoot = true
    case 2:
      entry = element == .channel ? .channel : element == .programme ? .programme : .none
      if entry == .channel {
        channel = ChannelEntry()
        channel.identifier = TextBytes.tidy(attributes[.id])
      } else if entry == .programme {
        begin(attributes)
      }
    default:
      if entry == .channel, element == .icon, channel.icon.isEmpty {
        channel.icon = TextBytes.tidy(attributes[.src])
      } else if entry == .programme, isWanted {
        begin(element, at: depth - 2, attributes)
      }
    }
  }

  func ended(_ element: Element, at depth: Int, _ text: [UInt8]) throws(PluginFailure) {
    if depth == 2 {
      let entry = entry
      self.entry = .none
      if entry == .channel { try endChannel() } else if entry == .programme { try endProgramme() }
    } else if depth == 3, entry == .channel, element == .displayName, channel.names.count < 16 {
      let name = TextBytes.tidy(text)
      if !name.isEmpty { channel.names.append(name) }
    } else if depth > 2, entry == .programme, isWanted {
      end(element, at: depth - 2, text)
    }
  }

  private func endChannel() throws(PluginFailure) {
    guard !channel.identifier.isEmpty else { return withoutTime += 1 }
    channels += 1
    try sink.add(channel)
  }

  // MARK: - Programmes

  private func begin(_ attributes: XMLAttributes) {
    programme.work.clear()
    details.clear()
    programme.marks = []
    programme.channel = TextBytes.tidy(attributes[.channel])
    programme.start = GuideTime.parse(attributes[.start], &zone)
    programme.stop = GuideTime.parse(attributes[.stop], &zone)
    isUsable = programme.start != nil && !programme.channel.isEmpty
    isWanted = isUsable && sink.wants(channel: programme.channel)
  }

  private func endProgramme() throws(PluginFailure) {
    guard isUsable else { return withoutTime += 1 }
    guard isWanted else { return leftOut += 1 }
    programmes += 1
    guard programmes <= Limits.programmes else {
      throw PluginFailure(
        .input, "limit.programmes",
        "the file has more than \(Limits.programmes) programmes", hint: "split it")
    }
    details.finish(into: &programme.work.details)
    try sink.add(programme)
  }

  private func begin(_ element: Element, at level: Int, _ attributes: XMLAttributes) {
    switch element {
    case .previouslyShown: programme.marks.insert(.repeated)
    case .premiere: programme.marks.insert(.premiere)
    case .new: programme.marks.insert(.new)
    case .lastChance: programme.marks.insert(.lastChance)
    case .icon:
      guard level == 1 else { break }
      details.word(.icons, TextBytes.tidy(attributes[.src]))
    case .title, .subTitle, .desc:
      language = attributes[.lang]
    case .rating, .starRating, .episodeNum:
      details.system = TextBytes.tidy(attributes[.system])
    case .length:
      details.units = attributes[.units]
    case .value, .category, .keyword, .date, .country, .language, .origLanguage, .url: break
    default:
      guard element.isCredit else { return }
      details.part = TextBytes.tidy(attributes[.role])
    }
    self.element = element
  }

  private func end(_ element: Element, at level: Int, _ text: [UInt8]) {
    switch element {
    case .title:
      // The first of its kind is the one that is shown; the others can be searched.
      if programme.work.title.isEmpty {
        programme.work.title = TextBytes.tidy(text)
      } else {
        keepOther(.titles, text)
      }
    case .subTitle:
      if programme.work.subtitle.isEmpty {
        programme.work.subtitle = TextBytes.tidy(text)
      } else {
        keepOther(.subtitles, text)
      }
    case .desc:
      if programme.work.about.isEmpty {
        programme.work.about = TextBytes.tidy(text)
      } else {
        details.text(.descriptions, TextBytes.tidy(text), language: language)
      }
    case .category, .keyword:
      let word = TextBytes.tidy(text)
      details.word(element == .category ? .categories : .keywords, word)
      Self.append(word, to: &programme.work.categories)
    case .episodeNum: details.episode(TextBytes.tidy(text))
    case .value: if level == 2 { details.rating(TextBytes.tidy(text)) }
    case .rating: details.closeRating(isStars: false)
    case .starRating: details.closeRating(isStars: true)
    case .date, .language, .origLanguage, .url: details.single(element, TextBytes.tidy(text))
    case .country: details.word(.countries, TextBytes.tidy(text))
    case .length: details.length(TextBytes.tidy(text))
    default:
      guard element.isCredit, element == self.element else { return }
      let name = TextBytes.tidy(text)
      details.credit(element, name)
      Self.append(name, to: &programme.work.people)
    }
  }

  private func keepOther(_ list: DetailWriter.List, _ text: [UInt8]) {
    let text = TextBytes.tidy(text)
    details.text(list, text, language: language)
    Self.append(text, to: &programme.work.otherTitles)
  }

  private static func append(_ text: [UInt8], to lines: inout [UInt8]) {
    guard lines.count < Limits.textBytes else { return }
    lines.append(contentsOf: text)
    lines.append(0x0A)
  }
}
