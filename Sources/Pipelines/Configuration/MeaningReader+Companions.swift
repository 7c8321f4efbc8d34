internal import PluginKit
internal import SystemPackage

extension MeaningReader {
  /// What is to come with each file of a rule.
  mutating func companions(_ node: JSONNode) -> Pipeline.Companions? {
    guard let with = node["with"] else {
      if let wait = node["wait"] {
        complain(
          "companion.none", "nothing is waited for", at: wait.range,
          hint: "say in \"with\" what is to come with a file, such as \"{stem}.xfdf\"")
      }
      return nil
    }
    func entries(_ node: JSONNode) -> [JSONNode] {
      if case .array(let nodes) = node.kind { nodes } else { [node] }
    }
    var patterns: [[CompanionPattern]] = []
    for entry in entries(with) {
      patterns.append(entries(entry).compactMap { pattern($0) })
    }
    patterns.removeAll(where: \.isEmpty)
    return patterns.isEmpty
      ? nil : Pipeline.Companions(patterns: patterns, wait: time(node["wait"], 600_000))
  }

  private mutating func pattern(_ node: JSONNode) -> CompanionPattern? {
    guard let text = node.value.stringValue else { return nil }
    if let pattern = CompanionPattern(text) { return pattern }
    complain(
      "companion.pattern", "\"\(text)\" does not say how such a file is called",
      at: node.range,
      hint: "write {stem} or {name} once, and no folder: \"{stem}.xfdf\", \"{name}.json\"")
    return nil
  }

  /// Whether procd can tell by names what is to be waited for, and whether steps read only what there is.
  mutating func checkCompanions(
    _ node: JSONNode, _ companions: Pipeline.Companions?, _ steps: [Pipeline.Step],
    _ emits: [Pipeline.Emit]
  ) {
    if let emit = node["emit"], emits.contains(where: { $0.references.contains(.companions) }) {
      complain(
        "companion.emit", "what comes with a file goes to the archive with it", at: emit.range,
        hint: "emit source, or what a step makes of them")
    }
    guard let with = node["with"] else {
      if steps.contains(where: { $0.references.contains(.companions) }) {
        complain(
          "ref.companions", "nothing comes with the files of this rule",
          at: node["steps"]?.range ?? node.range,
          hint: "say in \"with\" what is to come with a file, such as \"{stem}.xfdf\"")
      }
      return
    }
    if node["gather"] != nil {
      complain(
        "companion.gather", "nothing comes with a folder that is one document", at: with.range,
        hint: "leave out \"with\" or \"gather\"")
    } else if let companions, let own = ownCompanion(companions, node["match"]) {
      complain(
        "companion.pattern", "a file such as \(own) would have to come with itself", at: with.range,
        hint: "name what comes with it by another ending")
    } else if companions != nil, !namesFiles(node["match"]) {
      complain(
        "companion.match", "every file of the inbox would be waited with", at: with.range,
        hint: "say in \"match\" how the files are called: \"name\": \"*.pdf\"")
    }
  }

  /// A name that the rule takes and that is also that of what comes with it; nil where none is known.
  private func ownCompanion(_ companions: Pipeline.Companions, _ match: JSONNode?) -> String? {
    let patterns = match?["name"].map(Self.entries) ?? []
    return patterns.lazy.compactMap(\.value.stringValue).map { $0.replacing("*", with: "x") }
      .first { name in
        companions.names(for: FilePath(name)).contains { $0.contains(FilePath(name)) }
      }
  }

  /// Whether a condition on the name or path holds for all files that a rule takes.
  private func namesFiles(_ match: JSONNode?) -> Bool {
    guard let match else { return false }
    // What is wrong there was told, and is not known.
    if isFaulty(match) || match["name"] != nil || match["path"] != nil { return true }
    if case .array(let nodes)? = match["all"]?.kind, nodes.contains(where: { namesFiles($0) }) {
      return true
    }
    if case .array(let nodes)? = match["any"]?.kind { return nodes.allSatisfy { namesFiles($0) } }
    return false
  }
}
