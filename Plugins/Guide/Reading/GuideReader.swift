internal import PluginKit

/// Makes channels and programmes of the elements of an XMLTV file.
struct GuideReader: ~Copyable {
  private var xml: XMLReader
  private var zone: LocalZone
  private var details = DetailWriter()
  private var programme = ProgrammeEntry()
  private var mendedText = 0
  private var element = Element.other
  private var language: [UInt8] = []

  /// Programmes without a usable start or channel.
  private(set) var withoutTime = 0
  /// Programmes of channels that are not wanted.
  private(set) var leftOut = 0
  private(set) var programmes = 0
  private(set) var channels = 0

  init(_ source: DocumentBytes, zone: LocalZone) {
    xml = XMLReader(source)
    self.zone = zone
  }

  /// Places that were no correct XML or text.
  var mended: Int { xml.mended + mendedText }
  var isCut: Bool { xml.isCut }
  var bytesRead: Int { xml.bytesRead }

  /// Reads the whole file.
  mutating func read(into sink: inout some GuideSink) throws(PluginFailure) {
    try findRoot()
    while true {
      switch try xml.next() {
      case .finished: return
      case .start(.channel) where xml.depth == 2: try readChannel(into: &sink)
      case .start(.programme) where xml.depth == 2:
        try readProgramme(into: &sink)
      default: break
      }
    }
  }

  private mutating func findRoot() throws(PluginFailure) {
    switch try xml.next() {
    case .start(.tv): return
    case .start:
      throw PluginFailure(
        .input, "guide.xml", "this is no XMLTV file: its outermost element is not <tv>",
        hint: "files of other kinds belong into another pipeline")
    default:
      throw PluginFailure(.input, "guide.xml", "this is no XMLTV file: it has no elements")
    }
  }

  // MARK: - Channels

  private mutating func readChannel(into sink: inout some GuideSink) throws(PluginFailure) {
    var channel = ChannelEntry()
    channel.identifier = tidyAttribute(.id) ?? []
    let depth = xml.depth
    while true {
      switch try xml.next() {
      case .start(.displayName) where channel.names.count < 16: xml.collect()
      case .start(.icon) where channel.icon.isEmpty: channel.icon = tidyAttribute(.src) ?? []
      case .end(.displayName) where xml.depth == depth && channel.names.count < 16:
        let name = tidyText()
        if !name.isEmpty { channel.names.append(name) }
      case .end where xml.depth < depth, .finished:
        guard !channel.identifier.isEmpty else { return withoutTime += 1 }
        channels += 1
        try sink.add(channel)
        return
      default: break
      }
    }
  }

  // MARK: - Programmes

  private mutating func readProgramme(into sink: inout some GuideSink) throws(PluginFailure) {
    let depth = xml.depth
    programme.work.clear()
    details.clear()
    programme.marks = []
    programme.channel = tidyAttribute(.channel) ?? []
    programme.start = xml.attribute(.start).flatMap { GuideTime.parse($0, &zone) }
    programme.stop = xml.attribute(.stop).flatMap { GuideTime.parse($0, &zone) }
    let usable = programme.start != nil && !programme.channel.isEmpty
    if !usable { withoutTime += 1 }
    let wanted = usable && sink.wants(channel: programme.channel)
    if usable, !wanted { leftOut += 1 }
    while true {
      switch try xml.next() {
      case .start(let element): if wanted { begin(element, at: xml.depth - depth) }
      case .end(let element):
        if xml.depth < depth {
          guard wanted else { return }
          programmes += 1
          guard programmes <= Limits.programmes else {
            throw PluginFailure(
              .input, "limit.programmes",
              "the file has more than \(Limits.programmes) programmes", hint: "split it")
          }
          details.finish(into: &programme.work.details)
          try sink.add(programme)
          return
        }
        if wanted { end(element, at: xml.depth + 1 - depth) }
      case .finished: return
      }
    }
  }

  private mutating func begin(_ element: Element, at level: Int) {
    switch element {
    case .previouslyShown: programme.marks.insert(.repeated)
    case .premiere: programme.marks.insert(.premiere)
    case .new: programme.marks.insert(.new)
    case .lastChance: programme.marks.insert(.lastChance)
    case .icon:
      if level == 1, let source = tidyAttribute(.src) { details.icon(source) }
    case .title, .subTitle, .desc:
      language = xml.attribute(.lang) ?? []
      xml.collect()
    case .rating, .starRating, .episodeNum:
      details.system = tidyAttribute(.system) ?? []
      if element == .episodeNum { xml.collect() }
    case .length:
      details.units = xml.attribute(.units) ?? []
      xml.collect()
    case .value, .category, .keyword, .date, .country, .language, .origLanguage, .url: xml.collect()
    default:
      guard element.isCredit else { return }
      details.part = tidyAttribute(.role) ?? []
      xml.collect()
    }
    self.element = element
  }

  private mutating func end(_ element: Element, at level: Int) {
    switch element {
    case .title:
      // The first of its kind is the one that is shown; the others can be searched.
      if programme.work.title.isEmpty {
        TextBytes.tidy(xml.text, into: &programme.work.title, &mendedText)
      } else {
        keepOther(.titles)
      }
    case .subTitle:
      if programme.work.subtitle.isEmpty {
        TextBytes.tidy(xml.text, into: &programme.work.subtitle, &mendedText)
      } else {
        keepOther(.subtitles)
      }
    case .desc:
      if programme.work.about.isEmpty {
        TextBytes.tidy(xml.text, into: &programme.work.about, &mendedText)
      } else {
        details.text(.descriptions, tidyText(), language: language)
      }
    case .category, .keyword:
      let text = tidyText()
      details.word(element == .category ? .categories : .keywords, text)
      Self.append(text, to: &programme.work.categories)
    case .episodeNum: details.episode(tidyText())
    case .value: if level == 2 { details.rating(tidyText()) }
    case .rating: details.closeRating(isStars: false)
    case .starRating: details.closeRating(isStars: true)
    case .date, .language, .origLanguage, .url: details.single(element, tidyText())
    case .country: details.word(.countries, tidyText())
    case .length: details.length(tidyText())
    default:
      guard element.isCredit, element == self.element else { return }
      let name = tidyText()
      details.credit(element, name)
      Self.append(name, to: &programme.work.people)
    }
  }

  private mutating func keepOther(_ list: DetailWriter.List) {
    let text = tidyText()
    details.text(list, text, language: language)
    Self.append(text, to: &programme.work.otherTitles)
  }

  private static func append(_ text: [UInt8], to lines: inout [UInt8]) {
    guard lines.count < Limits.textBytes else { return }
    lines.append(contentsOf: text)
    lines.append(0x0A)
  }

  private mutating func tidyText() -> [UInt8] {
    var text: [UInt8] = []
    TextBytes.tidy(xml.text, into: &text, &mendedText)
    return text
  }

  private mutating func tidyAttribute(_ attribute: Attribute) -> [UInt8]? {
    guard let value = xml.attribute(attribute) else { return nil }
    var text: [UInt8] = []
    TextBytes.tidy(
      value.count > Limits.textBytes ? Array(value.prefix(Limits.textBytes)) : value, into: &text,
      &mendedText)
    return text
  }
}
