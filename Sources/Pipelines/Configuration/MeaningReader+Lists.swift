internal import PluginKit

extension MeaningReader {
  mutating func sources(_ node: JSONNode?) -> [Source] {
    guard case .array(let nodes)? = node?.kind else { return [] }
    var sources: [Source] = []
    for node in nodes {
      let id = node["id"]?.value.stringValue ?? ""
      if !id.isEmpty, sources.contains(where: { $0.id == id }) {
        complaints.append(
          Complaint(
            "id.twice", "two sources are called \"\(id)\"", at: node["id"]?.range ?? node.range))
      }
      if let url = node["url"] { checkAddress(url) }
      let to = node["to"]?.value.stringValue ?? ""
      if to.hasPrefix("/") || to.split(separator: "/").contains("..") {
        complaints.append(
          Complaint(
            "source.outside", "a source is put inside the inbox",
            at: node["to"]?.range ?? node.range, hint: "leave out the leading slash and .."))
      }
      sources.append(
        Source(
          id: id, url: node["url"]?.value.stringValue ?? "",
          every: time(node["every"], 6 * 3_600_000), to: to,
          allowsPrivate: node["private"]?.value.boolValue ?? false))
    }
    return sources
  }

  mutating func targets(_ node: JSONNode?, series: [String]) -> [NotifyTarget] {
    guard case .array(let nodes)? = node?.kind else { return [] }
    var targets: [NotifyTarget] = []
    for (index, node) in nodes.enumerated() {
      for name in strings(node["series"]) where !series.contains(name) {
        let near = nearestName(to: name, among: series).map { "did you mean \"\($0)\"? " } ?? ""
        complaints.append(
          Complaint(
            "ref.series", "no pipeline has the series \"\(name)\"",
            at: node["series"]?.range ?? node.range,
            hint: series.isEmpty
              ? "none has one" : "\(near)known: \(series.joined(separator: ", "))"))
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
        complaints.append(
          Complaint(
            "notify.way", keys.isEmpty ? "nobody is told" : "news goes one way each",
            at: node.range,
            hint: "give one of command, webhook, mail and log: true"))
      }
      return nil
    }
    switch keys[0] {
    case "command": return .command(strings(node["command"]))
    case "mail":
      let addresses = strings(node["mail"])
      for address in addresses where !Self.isMailAddress(address) {
        complaints.append(
          Complaint(
            "notify.mail", "\"\(address)\" is no address for mail",
            at: node["mail"]?.range ?? node.range,
            hint: "write NAME@HOST, each in quotes of its own"
          ))
      }
      return .mail(addresses)
    case "webhook":
      guard let hook = node["webhook"] else { return nil }
      let address = hook["url"] ?? hook
      checkAddress(address)
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

  private mutating func checkAddress(_ node: JSONNode) {
    guard let url = node.value.stringValue else { return }
    let lower = url.lowercased()
    guard !lower.hasPrefix("http://"), !lower.hasPrefix("https://") else { return }
    complaints.append(
      Complaint(
        "url.scheme", "\"\(url)\" is no address of http or https", at: node.range,
        hint: "write https://HOST/PATH"))
  }
}
