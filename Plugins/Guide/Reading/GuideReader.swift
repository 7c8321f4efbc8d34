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
  /// Memory for what is used at once, kept so that nothing is asked for with each text.
  private var raw: [UInt8] = []
  private var tidied: [UInt8] = []

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
    readAttribute(.id)
    channel.identifier = tidied
    let depth = xml.depth
    while true {
      switch try xml.next() {
      case .start(.displayName) where channel.names.count < 16: xml.collect()
      case .start(.icon) where channel.icon.isEmpty:
        readAttribute(.src)
        channel.icon = tidied
      case .end(.displayName) where xml.depth == depth && channel.names.count < 16:
        tidyText()
        if !tidied.isEmpty { channel.names.append(tidied) }
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
    readAttribute(.channel)
    swap(&tidied, &programme.channel)
    xml.read(.start, into: &raw)
    programme.start = GuideTime.parse(raw, &zone)
    xml.read(.stop, into: &raw)
    programme.stop = GuideTime.parse(raw, &zone)
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
      guard level == 1 else { break }
      readAttribute(.src)
      details.word(.icons, tidied)
    case .title, .subTitle, .desc:
      xml.read(.lang, into: &language)
      xml.collect()
    case .rating, .starRating, .episodeNum:
      readAttribute(.system)
      swap(&tidied, &details.system)
      if element == .episodeNum { xml.collect() }
    case .length:
      xml.read(.units, into: &details.units)
      xml.collect()
    case .value, .category, .keyword, .date, .country, .language, .origLanguage, .url: xml.collect()
    default:
      guard element.isCredit else { return }
      readAttribute(.role)
      swap(&tidied, &details.part)
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
        tidyText()
        details.text(.descriptions, tidied, language: language)
      }
    case .category, .keyword:
      tidyText()
      details.word(element == .category ? .categories : .keywords, tidied)
      Self.append(tidied, to: &programme.work.categories)
    case .episodeNum:
      tidyText()
      details.episode(tidied)
    case .value:
      guard level == 2 else { break }
      tidyText()
      details.rating(tidied)
    case .rating: details.closeRating(isStars: false)
    case .starRating: details.closeRating(isStars: true)
    case .date, .language, .origLanguage, .url:
      tidyText()
      details.single(element, tidied)
    case .country:
      tidyText()
      details.word(.countries, tidied)
    case .length:
      tidyText()
      details.length(tidied)
    default:
      guard element.isCredit, element == self.element else { return }
      tidyText()
      details.credit(element, tidied)
      Self.append(tidied, to: &programme.work.people)
    }
  }

  private mutating func keepOther(_ list: DetailWriter.List) {
    tidyText()
    details.text(list, tidied, language: language)
    Self.append(tidied, to: &programme.work.otherTitles)
  }

  private static func append(_ text: [UInt8], to lines: inout [UInt8]) {
    guard lines.count < Limits.textBytes else { return }
    lines.append(contentsOf: text)
    lines.append(0x0A)
  }

  /// Makes `tidied` the text of the element that ended.
  private mutating func tidyText() {
    tidied.removeAll(keepingCapacity: true)
    TextBytes.tidy(xml.text, into: &tidied, &mendedText)
  }

  /// Makes `tidied` the value of an attribute, empty where there is none.
  private mutating func readAttribute(_ attribute: Attribute) {
    xml.read(attribute, into: &raw)
    if raw.count > Limits.textBytes { raw.removeLast(raw.count - Limits.textBytes) }
    tidied.removeAll(keepingCapacity: true)
    TextBytes.tidy(raw, into: &tidied, &mendedText)
  }
}
