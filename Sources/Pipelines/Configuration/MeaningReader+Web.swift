internal import PluginKit

extension Configuration {
  /// The page in the browser.
  package struct Web: Sendable, Equatable {
    /// Where it listens: an address of this machine and a port, or a path.
    package enum Place: Sendable, Equatable {
      case port(host: String, Int)
      case socket(String)
    }
    package var listen: String
    package var behindProxy: Bool
    /// Names by which it is asked for besides its own.
    package var hosts: [String]
    /// The largest file that is taken from a browser, in bytes.
    package var uploads: Int
    /// Whether the page may change rules.
    package var editsRules: Bool

    /// As ``ConfigurationShape`` has it where nothing more is said.
    package init?(short listen: String) { self.init(.string(listen)) }

    init(_ written: JSON) {
      let set = Options(ConfigurationShape.web, written, short: "listen")
      listen = set.text("listen")
      behindProxy = set.flag("behindProxy")
      hosts = set.strings("hosts")
      uploads = set.string("uploads").flatMap(Quantity.bytes) ?? 4 << 30
      editsRules = set.string("rules") == "edit"
    }

    /// Nil where what is written is neither.
    package var place: Place? {
      if let path = listen.wholeMatch(of: /unix:(.+)/)?.1 { return .socket(String(path)) }
      guard let match = listen.wholeMatch(of: /(\[[0-9a-fA-F:.]+\]|[^:\[\]\s\/]+):([0-9]{1,5})/),
        let port = Int(match.2), (1...65535).contains(port)
      else { return nil }
      return .port(host: String(match.1.filter { $0 != "[" && $0 != "]" }), port)
    }

    /// Whether only this machine reaches it.
    package var isLocal: Bool {
      switch place {
      case .port(let host, _):
        host == "localhost" || host == "::1" || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
      case .socket, nil: true
      }
    }
  }
}

extension MeaningReader {
  mutating func checkWeb(_ meant: Configuration, _ node: JSONNode?) {
    guard let node, let web = meant.web, !isFaulty(node) else { return }
    let range = (node["listen"] ?? node).range
    guard web.place != nil else {
      complain(
        "web.listen", "\"\(web.listen)\" is neither HOST:PORT nor unix:PATH", at: range,
        hint: "write 127.0.0.1:8750")
      return
    }
    for name in node["hosts"].map(Self.entries) ?? [] {
      guard let text = name.value.stringValue, text.contains(where: { "/*".contains($0) }) else {
        continue
      }
      let host = text.split(separator: "/").first { !$0.hasSuffix(":") && !$0.contains("*") }
      complain(
        "web.hosts", "\"\(text)\" is no name, so nobody asks for the page by it", at: name.range,
        hint: "write the name alone, such as \"\(host ?? "scans.example.org")\"")
    }
    if !web.isLocal, !web.behindProxy {
      complain(
        "web.open", "others could listen to what the page and its readers say, passwords too",
        at: range,
        hint: "listen at 127.0.0.1 and put a proxy with TLS before it; where that is done,"
          + " \"behindProxy\": true")
    }
  }
}
