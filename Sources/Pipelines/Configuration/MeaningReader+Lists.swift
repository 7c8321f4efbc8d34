internal import PluginKit

extension MeaningReader {
  mutating func sources(_ node: JSONNode?) -> [Source] {
    guard case .array(let nodes)? = node?.kind else { return [] }
    var sources: [Source] = []
    for node in nodes {
      let id = node["id"]?.value.stringValue ?? ""
      if !id.isEmpty, sources.contains(where: { $0.id == id }) {
        complain(
          "id.twice", "two sources are called \"\(id)\"", at: node["id"]?.range ?? node.range)
      }
      let isUsable =
        node["url"].map { url in
          checkAddress(
            url, allowsPrivate: node["private"]?.value.boolValue ?? false,
            among: SourceScheme.allCases)
        } ?? false
      let to = node["to"]?.value.stringValue ?? ""
      if to.hasPrefix("/") || to.split(separator: "/").contains("..") {
        complain(
          "source.outside", "a source is put inside the inbox",
          at: node["to"]?.range ?? node.range, hint: "leave out the leading slash and ..")
      }
      var source = Source(
        id: id, url: node["url"]?.value.stringValue ?? "",
        every: time(node["every"], 6 * 3_600_000), to: to,
        allowsPrivate: node["private"]?.value.boolValue ?? false)
      source.names = strings(node["name"])
      source.password = node["password"]?.value
      source.key = node["key"]?.value.stringValue
      source.hostKey = node["hostKey"]?.value.stringValue
      if isUsable { checkLogin(source, node) }
      sources.append(source)
    }
    return sources
  }

  /// What a source says of itself and its server beyond the address.
  private mutating func checkLogin(_ source: Source, _ node: JSONNode) {
    guard let scheme = SourceScheme(url: source.url) else { return }
    let unused =
      ["key", "hostKey"].filter { node[$0] != nil && scheme != .sftp }
      + (node["password"] != nil && scheme.isWeb ? ["password"] : [])
    for key in unused {
      complain(
        "source.login", "\"\(key)\" means nothing for an address of \(scheme.rawValue)",
        at: node[key]?.range ?? node.range, hint: "leave it out")
    }
    if !source.names.isEmpty, !source.isFolder {
      complain(
        "source.login", "\"name\" chooses among the files of a folder, and this is one file",
        at: node["name"]?.range ?? node.range,
        hint: scheme.isWeb ? "leave it out" : "end the address with / to ask for a folder")
    }
    if scheme == .imaps, source.password == nil {
      complain(
        "source.login", "imaps needs a user and a password", at: node["url"]?.range ?? node.range,
        hint: "write imaps://USER@HOST/MAILBOX and \"password\": {\"file\": \"mail.secret\"}")
    }
    guard scheme == .sftp else { return }
    if source.password == nil, source.key == nil {
      complain(
        "source.login", "sftp needs a key or a password", at: node["url"]?.range ?? node.range,
        hint: "add \"key\": \"id_ed25519\", or \"password\": {\"file\": \"sftp.secret\"}")
    }
    guard let hostKey = source.hostKey else {
      complain(
        "source.hostkey", "it is not said by which key this server is known, so it is not asked",
        at: node["url"]?.range ?? node.range,
        hint:
          "`procd fetch \(source.id)` shows the key; compare it with what the server's owner says",
        severity: .warning)
      return
    }
    let isHash = hostKey.wholeMatch(of: /SHA256:[A-Za-z0-9+\/]{43}=?/) != nil
    guard !isHash else { return }
    complain(
      "source.hostkey", "this is no hash of a key", at: node["hostKey"]?.range ?? node.range,
      hint: "write SHA256: and 43 letters and digits, as ssh-keygen -l shows it")
  }

  mutating func targets(_ node: JSONNode?, series: [String]) -> [NotifyTarget] {
    guard case .array(let nodes)? = node?.kind else { return [] }
    var targets: [NotifyTarget] = []
    for (index, node) in nodes.enumerated() {
      for name in strings(node["series"]) where !series.contains(name) {
        let near = nearestName(to: name, among: series).map { "did you mean \"\($0)\"? " } ?? ""
        complain(
          "ref.series", "no pipeline has the series \"\(name)\"",
          at: node["series"]?.range ?? node.range,
          hint: series.isEmpty
            ? "none has one" : "\(near)known: \(series.joined(separator: ", "))")
      }
      if let on = node["on"], Self.entries(on).isEmpty {
        complain(
          "value.empty", "nothing would be told", at: on.range,
          hint: "leave it out for news of followed numbers")
      }
      if series.isEmpty, strings(node["on"]).contains(Notice.Event.number.rawValue) {
        complain(
          "notify.unheard", "no pipeline has a \"series\", so there is no news of numbers",
          at: node["on"]?.range ?? node.range,
          hint: "add \"series\" to the pipeline that reads the list", severity: .warning)
      }
      guard let way = way(node) else { continue }
      let events = strings(node["on"]).compactMap(Notice.Event.init(rawValue:))
      targets.append(
        NotifyTarget(
          id: "notify-\(index)", events: events.isEmpty ? [.number] : Set(events),
          series: strings(node["series"]), every: time(node["every"], 300_000), way: way))
    }
    return targets
  }

  private mutating func way(_ node: JSONNode) -> NotifyTarget.Way? {
    let keys =
      ["command", "webhook", "mail"].filter { node[$0] != nil }
      + (node["log"]?.value.boolValue == true ? ["log"] : [])
    guard keys.count == 1 else {
      if !isFaulty(node) {
        complain(
          "notify.way", keys.isEmpty ? "nobody is told" : "news goes one way each",
          at: node.range,
          hint: "give one of command, webhook, mail and log: true")
      }
      return nil
    }
    switch keys[0] {
    case "command": return .command(strings(node["command"]))
    case "mail":
      let addresses = strings(node["mail"])
      for address in addresses where !Self.isMailAddress(address) {
        complain(
          "notify.mail", "\"\(address)\" is no address for mail",
          at: node["mail"]?.range ?? node.range,
          hint: "write NAME@HOST, each in quotes of its own")
      }
      return .mail(addresses)
    case "webhook":
      guard let hook = node["webhook"] else { return nil }
      let address = hook["url"] ?? hook
      checkAddress(
        address, allowsPrivate: hook["private"]?.value.boolValue ?? false, among: [.http, .https])
      return .webhook(
        url: address.value.stringValue ?? "",
        body: hook["body"]?.value.stringValue.flatMap(NotifyTarget.Body.init) ?? .json,
        secret: hook["secret"]?.value, allowsPrivate: hook["private"]?.value.boolValue ?? false)
    default: return .log
    }
  }

  /// Printable ASCII without what separates or quotes addresses; a user's name alone is one too.
  static func isMailAddress(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 254 && !text.hasPrefix("-")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !",;:<>()[]\\\"".utf8.contains($0) }
  }

  /// Whether the address is one that can be asked.
  @discardableResult
  private mutating func checkAddress(
    _ node: JSONNode, allowsPrivate: Bool, among schemes: [SourceScheme]
  ) -> Bool {
    guard let url = node.value.stringValue else { return false }
    let rest = url.drop { $0 != ":" }
    guard let scheme = SourceScheme(url: url), schemes.contains(scheme), rest.hasPrefix("://")
    else {
      let isPlain = schemes.contains(.ftps) && url.lowercased().hasPrefix("ftp://")
      let list = schemes == SourceScheme.allCases ? SourceScheme.list : "http or https"
      complain(
        "url.scheme", "\"\(url)\" is no address of \(list)", at: node.range,
        hint: isPlain
          ? "ftp sends passwords and files in the clear; ask with ftpes://, if the server knows TLS"
          : "write https://HOST/PATH")
      return false
    }
    let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
    let user = authority.contains("@") ? authority.prefix { $0 != "@" } : nil
    guard user == nil || !scheme.isWeb && user?.contains(":") == false else {
      complain(
        "url.credentials",
        scheme.isWeb
          ? "an address with a name or a password in it is not asked"
          : "a password does not stand in an address", at: node.range,
        hint: scheme.isWeb
          ? "leave out what stands before the @"
          : "leave out the colon and what stands behind it, and add"
            + " \"password\": {\"file\": \"PATH\"}")
      return false
    }
    if scheme == .sftp, user == nil {
      complain(
        "source.login", "sftp needs the name of a user", at: node.range,
        hint: "write sftp://USER@HOST/PATH")
      return false
    }
    guard !allowsPrivate, NetworkAddress.isPrivate(url: url) else { return true }
    complain(
      "url.private",
      "this address lies in a private network or on this machine, and will be refused",
      at: node.range, hint: "add \"private\": true if that is meant", severity: .warning)
    return true
  }

  // MARK: - Where fetched files go

  /// Complains of sources whose files no rule takes, as far as folders and names tell.
  mutating func checkRoutes(_ node: JSONNode?, _ sources: [Source], _ pipelines: [Pipeline]) {
    guard case .array(let nodes)? = node?.kind, !pipelines.isEmpty else { return }
    let router = Router(pipelines)
    for (source, node) in zip(sources, nodes) where !isFaulty(node) && !source.isFolder {
      let path = source.to.split(separator: "/").map { $0 + "/" }.joined() + Self.name(of: source)
      guard !router.mayTake(path: path) else { continue }
      complain(
        "source.unrouted", "no pipeline takes what this source puts at \(path)",
        at: (node["to"] ?? node["id"])?.range ?? node.range,
        hint: "compare \"to\" with \"path\" and \"name\" of the pipelines", severity: .warning)
    }
  }

  /// What a file of the source may be called: names without a date get the day.
  private static func name(of source: Source) -> String {
    let path = source.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let name = path.count > 2 ? String(path[path.count - 1]) : source.id
    guard !name.contains(where: \.isNumber) else { return name }
    let suffix = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    return "\(name.dropLast(suffix.count))-2000-01-01\(suffix)"
  }
}
