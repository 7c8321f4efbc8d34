internal import ArgumentParser
internal import Bytes
internal import CSndfile
internal import Glibc
internal import PluginCommands
internal import PluginKit

/// The command `procd podcast`: a feed of audio files, which podcast programs subscribe to (RSS 2.0).
struct PodcastCommand: PluginCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd podcast",
    abstract: "Makes a podcast feed from audio files, the newest first."
  )

  @Argument(help: "Audio files, such as outbox/*.opus.")
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Where a web server has these files: https://nas.example/aloud/.", valueName: "url"))
  var address: String

  @Option(help: "What the podcast is called.")
  var title = "Read aloud"

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "The feed, such as outbox/feed.xml; standard output if left out.", valueName: "feed"))
  var output: String?

  mutating func validate() throws {
    guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
      throw ValidationError(
        "--address is where a web server has the files, such as https://nas.example/aloud/")
    }
    if !address.hasSuffix("/") { address += "/" }
  }

  func execute() throws(PluginFailure) {
    var episodes: [Episode] = []
    for file in files {
      if let episode = Episode(file) {
        episodes.append(episode)
      } else {
        CommandOutput.warn("\(file): this is no audio file that can be read; it was left out")
      }
    }
    guard !episodes.isEmpty else {
      throw PluginFailure(
        .input, "podcast.empty", "none of the files is audio", hint: "make some with procd speak")
    }
    episodes.sort { ($0.modified, $1.name) > ($1.modified, $0.name) }
    try CommandOutput.write(Array(feed(episodes).utf8), to: output)
  }

  private func feed(_ episodes: [Episode]) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
      <channel>
      <title>\(String(markup: title))</title>
      <link>\(String(markup: address))</link>
      <description>Documents, read aloud by procd</description>
      <generator>procd</generator>

      """
    for episode in episodes {
      let url = String(markup: address + Self.encoded(episode.name))
      text += """
        <item>
        <title>\(String(markup: episode.title))</title>
        <enclosure url="\(url)" length="\(episode.bytes)" type="\(episode.type)"/>
        <guid isPermaLink="false">\(url)</guid>
        <pubDate>\(CalendarDate.inMail(secondsSince1970: episode.modified))</pubDate>
        <itunes:duration>\(episode.seconds)</itunes:duration>
        </item>

        """
    }
    return text + "</channel>\n</rss>\n"
  }

  /// A name as a part of an address (RFC 3986, 2.3).
  static func encoded(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// One audio file of a podcast.
private struct Episode {
  var name: String
  var title: String
  var type: String
  var bytes: Int
  /// Seconds since 1970.
  var modified: Int
  var seconds: Int

  /// Nil where libsndfile cannot read it.
  init?(_ path: String) {
    var status = stat(), information = SF_INFO()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let handle = unsafe sf_open(path, Int32(SFM_READ), &information)
    else { return nil }
    defer { unsafe _ = sf_close(handle) }
    let types = [
      "opus": "audio/ogg", "ogg": "audio/ogg", "wav": "audio/wav", "mp3": "audio/mpeg",
      "flac": "audio/flac",
    ]
    name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard let type = types[ending] else { return nil }
    let stated =
      unsafe sf_get_string(handle, Int32(SF_STR_TITLE)).map { unsafe String(cString: $0) } ?? ""
    title = stated.isEmpty ? SpeechStep.stem(name) : stated
    self.type = type
    (bytes, modified) = (Int(status.st_size), Int(status.st_mtim.tv_sec))
    seconds = information.samplerate > 0 ? Int(information.frames) / Int(information.samplerate) : 0
  }
}
