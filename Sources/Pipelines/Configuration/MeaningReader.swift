internal import PluginKit

/// Turns a file that has the right shape into what it means, and complains about what the shape
/// cannot know: names that lead nowhere, options that a step lacks, rules that never match.
struct MeaningReader {
  let catalog: PluginCatalog?
  private(set) var complaints: [Complaint] = []
  private var defaults = Configuration.Defaults()

  init(catalog: PluginCatalog?) { self.catalog = catalog }

  mutating func configuration(_ top: JSONNode) -> Configuration {
    var meant = Configuration()
    meant.inbox = inbox(top["inbox"])
    meant.outbox = outbox(top["outbox"])
    meant.archive = path(top["archive"]) ?? "archive"
    meant.quarantine = path(top["quarantine"]) ?? "quarantine"
    meant.spool = top["spool"]?.value.stringValue ?? "spool"
    meant.workers = top["workers"]?.value.integerValue
    meant.duplicates =
      top["duplicates"]?.value.stringValue.flatMap(Configuration.Duplicates.init) ?? .reuse
    meant.isolationRequired = top["isolation"]?.value.stringValue == "required"
    defaults = defaults(top["defaults"])
    meant.defaults = defaults
    meant.pluginFolders = strings(top["plugins"])
    if case .array(let nodes)? = top["pipelines"]?.kind { meant.pipelines = pipelines(nodes) }
    checkPlaces(meant, top)
    return meant
  }

  private func path(_ node: JSONNode?) -> String? {
    node?.value.stringValue ?? node?["path"]?.value.stringValue
  }

  private func strings(_ node: JSONNode?) -> [String] {
    switch node?.value {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.stringValue)
    default: []
    }
  }

  private func time(_ node: JSONNode?, _ otherwise: Int) -> Int {
    node?.value.stringValue.flatMap(Quantity.milliseconds) ?? otherwise
  }

  private func inbox(_ node: JSONNode?) -> Configuration.Inbox {
    var inbox = Configuration.Inbox()
    inbox.path = path(node) ?? inbox.path
    inbox.recursive = node?["recursive"]?.value.boolValue ?? inbox.recursive
    inbox.settle = time(node?["settle"], inbox.settle)
    inbox.settleUnleased = time(node?["settleUnleased"], inbox.settleUnleased)
    inbox.settleEndMark = time(node?["settleEndMark"], inbox.settleEndMark)
    inbox.rescan = time(node?["rescan"], inbox.rescan)
    inbox.watch =
      node?["watch"]?.value.stringValue.flatMap(Configuration.Inbox.Watch.init) ?? inbox.watch
    inbox.poll = time(node?["poll"], inbox.poll)
    inbox.ignore += strings(node?["ignore"])
    return inbox
  }

  private func outbox(_ node: JSONNode?) -> Configuration.Outbox {
    var outbox = Configuration.Outbox()
    outbox.path = path(node) ?? outbox.path
    outbox.layout =
      node?["layout"]?.value.stringValue.flatMap(Configuration.Outbox.Layout.init) ?? .flat
    outbox.keepsSourceTime = node?["mtime"]?.value.stringValue != "now"
    return outbox
  }

  private func defaults(_ node: JSONNode?) -> Configuration.Defaults {
    var defaults = Configuration.Defaults()
    defaults.timeout = time(node?["timeout"], defaults.timeout)
    defaults.stall = time(node?["stall"], defaults.stall)
    let retry = node?["retry"]
    defaults.retry.attempts = retry?["attempts"]?.value.integerValue ?? defaults.retry.attempts
    defaults.retry.backoff = time(retry?["backoff"], defaults.retry.backoff)
    defaults.retry.factor = retry?["factor"]?.value.doubleValue ?? defaults.retry.factor
    defaults.retry.max = time(retry?["max"], defaults.retry.max)
    let limits = node?["limits"]
    func size(_ key: String, _ otherwise: Int) -> Int {
      limits?[key]?.value.stringValue.flatMap(Quantity.bytes) ?? otherwise
    }
    defaults.limits.memory = size("memory", defaults.limits.memory)
    defaults.limits.output = size("output", defaults.limits.output)
    defaults.limits.pages = limits?["pages"]?.value.integerValue ?? defaults.limits.pages
    defaults.limits.pixels =
      limits?["pixels"]?.value.stringValue.flatMap(Quantity.pixels) ?? defaults.limits.pixels
    defaults.files = limits?["files"]?.value.integerValue ?? defaults.files
    return defaults
  }

  /// One place inside another would feed results back into the inbox.
  private mutating func checkPlaces(_ meant: Configuration, _ top: JSONNode) {
    let places = [
      ("inbox", meant.inbox.path), ("outbox", meant.outbox.path), ("archive", meant.archive),
      ("quarantine", meant.quarantine), ("spool", meant.spool),
    ].map { (key: $0.0, path: FilePathText.normal($0.1)) }
    for (index, place) in places.enumerated() {
      for other in places[..<index] where FilePathText.overlap(place.path, other.path) {
        let node = top[place.key] ?? top[other.key]
        complaints.append(
          Complaint(
            "place.overlap", "\(place.key) and \(other.key) lie inside each other",
            at: node?.range ?? top.range.lowerBound..<top.range.lowerBound + 1,
            hint: "each needs a folder of its own"))
      }
    }
  }

  // MARK: - Pipelines

  private mutating func pipelines(_ nodes: [JSONNode]) -> [Pipeline] {
    var pipelines: [Pipeline] = []
    var ids: Set<String> = []
    var takesAll: String?
    for node in nodes {
      let pipeline = pipeline(node)
      if !ids.insert(pipeline.id).inserted {
        complaints.append(
          Complaint(
            "id.twice", "two pipelines are called \"\(pipeline.id)\"",
            at: node["id"]?.range ?? node.range))
      }
      if let takesAll {
        complaints.append(
          Complaint(
            "route.shadowed",
            "\"\(pipeline.id)\" can never match: \"\(takesAll)\" takes every file first",
            at: node["id"]?.range ?? node.range, severity: .warning))
      }
      let canFail = pipeline.steps.contains { !$0.expectations.isEmpty }
      if case .all(let parts) = pipeline.match, parts.isEmpty, !canFail {
        takesAll = takesAll ?? pipeline.id
      }
      pipelines.append(pipeline)
    }
    return pipelines
  }

  private mutating func pipeline(_ node: JSONNode) -> Pipeline {
    var steps: [Pipeline.Step] = []
    if case .array(let nodes)? = node["steps"]?.kind {
      for step in nodes {
        if let step = self.step(step, after: steps) { steps.append(step) }
      }
    }
    let complete = steps.count == (node["steps"]?.value.arrayValue?.count ?? 0)
    var emits: [Pipeline.Emit] = []
    if case .array(let nodes)? = node["emit"]?.kind {
      for entry in nodes {
        if let emit = self.emit(entry, steps: steps, complete: complete) { emits.append(emit) }
      }
    }
    let to = node["to"]
    if let to { checkTemplate(to) }
    return Pipeline(
      id: node["id"]?.value.stringValue ?? "", match: match(node["match"]), steps: steps,
      emits: emits, to: to?.value.stringValue, canonical: canonical(node, steps: steps),
      offset: node.range.lowerBound)
  }

  /// The pipeline with defaults filled in and without what does not change results.
  private func canonical(_ node: JSONNode, steps: [Pipeline.Step]) -> JSON {
    [
      "id": node["id"]?.value, "emit": node["emit"]?.value, "to": node["to"]?.value,
      "steps": .array(
        steps.map { step in
          [
            "id": .string(step.id), "use": .string(step.use), "with": step.options.json,
            "in": .array(
              step.inputs.map { role, from in
                .array([.string(role)] + from.map { .string($0.description) })
              }),
            "version": catalog?[step.use].map { .string("\($0.plugin) \($0.version)") },
          ]
        }),
    ]
  }

  private mutating func step(_ node: JSONNode, after earlier: [Pipeline.Step]) -> Pipeline.Step? {
    let id = node["id"]?.value.stringValue ?? "", use = node["use"]?.value.stringValue ?? ""
    if earlier.contains(where: { $0.id == id }) || id == "source" || id == "probe" {
      complaints.append(
        Complaint(
          "id.twice", "\"\(id)\" is taken; each step needs an id of its own",
          at: node["id"]?.range ?? node.range))
    }
    var manifest = StepManifest(name: use, about: "", accepts: ["*/*"], outputs: [])
    if let catalog {
      guard let entry = catalog[use] else {
        let near =
          nearestName(to: use, among: catalog.stepNames)
          .map { "did you mean \"\($0)\"? " } ?? ""
        complaints.append(
          Complaint(
            "step.unknown", "no plugin offers a step \"\(use)\"",
            at: node["use"]?.range ?? node.range,
            hint: "\(near)known: \(catalog.stepNames.joined(separator: ", "))"))
        return nil
      }
      manifest = entry.step
      if let with = node["with"] {
        var shape = manifest.options
        shape.name = "options of \(use)"
        complaints += Shape.object(shape).complaints(about: with)
      }
    }
    var attempts = defaults.retry.attempts
    attempts = node["retry"]?["attempts"]?.value.integerValue ?? attempts
    return Pipeline.Step(
      id: id, use: use,
      options: Options(checked: manifest.options.filled(node["with"]?.value ?? [:])),
      inputs: inputs(node["in"], steps: earlier, of: node),
      condition: condition(node["if"], earlier),
      timeout: time(node["timeout"], defaults.timeout), stall: defaults.stall, attempts: attempts,
      expectations: expectations(node["expect"], manifest), manifest: manifest)
  }

  private mutating func inputs(
    _ node: JSONNode?, steps: [Pipeline.Step], of step: JSONNode
  ) -> [(role: String, from: [Reference])] {
    guard let node else { return [("source", [.source])] }
    func references(_ node: JSONNode) -> [JSONNode] {
      if case .array(let nodes) = node.kind { nodes } else { [node] }
    }
    if case .object(let members) = node.kind {
      return members.map { member in
        (member.name, references(member.value).compactMap { reference($0, steps: steps) })
      }
    }
    return [("source", references(node).compactMap { reference($0, steps: steps) })]
  }

  private mutating func reference(
    _ node: JSONNode, steps: [Pipeline.Step], text: String? = nil
  ) -> Reference? {
    let text = text ?? node.value.stringValue ?? ""
    guard let reference = Reference(text) else {
      complaints.append(
        Complaint(
          "ref.form", "\"\(text)\" is no reference", at: node.range,
          hint: "write source, or STEP.ROLE such as ocr.pdf"))
      return nil
    }
    guard case .artifact(let id, let role) = reference else { return reference }
    guard let step = steps.first(where: { $0.id == id }) else {
      let ids = steps.map(\.id)
      let near = nearestName(to: id, among: ids).map { "did you mean \"\($0)\"? " } ?? ""
      complaints.append(
        Complaint(
          "ref.step", "no step before this one is called \"\(id)\"", at: node.range,
          hint: ids.isEmpty ? "there is none" : "\(near)known: \(ids.joined(separator: ", "))"))
      return nil
    }
    let roles = step.manifest.outputs.map(\.role)
    if catalog != nil, !roles.contains(role) {
      complaints.append(
        Complaint(
          "ref.artifact", "step \"\(id)\" (\(step.use)) gives no \"\(role)\"", at: node.range,
          hint: "it gives: \(roles.joined(separator: ", "))"))
      return nil
    }
    return reference
  }

  private mutating func condition(_ node: JSONNode?, _ steps: [Pipeline.Step]) -> Condition? {
    guard let node, let text = node.value.stringValue else { return nil }
    guard let condition = Condition(text) else {
      complaints.append(
        Complaint(
          "if.form", "\"\(text)\" is no comparison", at: node.range,
          hint: "write STEP.FACT, one of > < >= <= == !=, and a value"))
      return nil
    }
    if condition.step != "probe", !steps.contains(where: { $0.id == condition.step }) {
      complaints.append(
        Complaint(
          "ref.step", "no step before this one is called \"\(condition.step)\"",
          at: node.range, hint: "known: probe, \(steps.map(\.id).joined(separator: ", "))"))
    } else if let step = steps.first(where: { $0.id == condition.step }), catalog != nil,
      !step.manifest.facts.contains(where: { $0.name == condition.fact })
    {
      complaints.append(
        Complaint(
          "ref.fact", "step \"\(step.id)\" (\(step.use)) gives no fact \"\(condition.fact)\"",
          at: node.range,
          hint: "it gives: \(step.manifest.facts.map(\.name).joined(separator: ", "))"))
    }
    return condition
  }

  private mutating func expectations(
    _ node: JSONNode?, _ manifest: StepManifest
  ) -> [Pipeline.Expectation] {
    (node?.members ?? []).compactMap { member in
      var name = member.name, comparison = Pipeline.Expectation.Comparison.equal
      for (prefix, kind) in [
        ("min", Pipeline.Expectation.Comparison.atLeast), ("max", .atMost),
      ] where name.hasPrefix(prefix) && name.dropFirst(3).first?.isUppercase == true {
        name = name.dropFirst(3).prefix(1).lowercased() + name.dropFirst(4)
        comparison = kind
      }
      if catalog != nil, !manifest.facts.contains(where: { $0.name == name }) {
        complaints.append(
          Complaint(
            "ref.fact", "\(manifest.name) gives no fact \"\(name)\"", at: member.nameRange,
            hint: "it gives: \(manifest.facts.map(\.name).joined(separator: ", "))"))
        return nil
      }
      return Pipeline.Expectation(fact: name, comparison: comparison, value: member.value.value)
    }
  }

  private mutating func emit(
    _ node: JSONNode, steps: [Pipeline.Step], complete: Bool
  ) -> Pipeline.Emit? {
    // With a step missing, references to it would only repeat the first complaint.
    guard complete else { return nil }
    if let text = node.value.stringValue {
      let optional = text.hasSuffix("?")
      return reference(node, steps: steps, text: optional ? String(text.dropLast()) : text).map {
        Pipeline.Emit(from: $0, otherwise: nil, optional: optional, name: nil)
      }
    }
    guard let from = node["from"], let reference = reference(from, steps: steps) else { return nil }
    if let name = node["as"] {
      checkTemplate(name)
      if name.value.stringValue?.contains("/") == true {
        complaints.append(
          Complaint(
            "template.outside", "a result's name has no folder in it", at: name.range,
            hint: "put the folder into \"to\" of the pipeline"))
      }
    }
    return Pipeline.Emit(
      from: reference, otherwise: node["else"].flatMap { self.reference($0, steps: steps) },
      optional: false, name: node["as"]?.value.stringValue)
  }

  private mutating func checkTemplate(_ node: JSONNode) {
    let text = node.value.stringValue ?? ""
    if let unknown = NameTemplate(text).unknown {
      complaints.append(
        Complaint(
          "template.unknown", "{\(unknown)} stands for nothing", at: node.range,
          hint: "known: \(NameTemplate.known.map { "{\($0)}" }.joined(separator: " "))"))
    }
    if text.hasPrefix("/") || text.split(separator: "/").contains("..") {
      complaints.append(
        Complaint(
          "template.outside", "results stay inside the outbox", at: node.range,
          hint: "leave out the leading slash and .."))
    }
  }

  // MARK: - Match

  private mutating func match(_ node: JSONNode?) -> Match {
    guard let node else { return .all([]) }
    var parts: [Match] = [], questions: [Match] = []
    for member in node.members {
      let value = member.value
      switch member.name {
      case "mime": parts.append(.mime(strings(value)))
      case "name": parts.append(.name(strings(value)))
      case "path": parts.append(.path(strings(value)))
      case "size":
        parts.append(
          .size(
            min: value["min"]?.value.stringValue.flatMap(Quantity.bytes),
            max: value["max"]?.value.stringValue.flatMap(Quantity.bytes)))
      case "text": if let question = question(value) { questions.append(.text(question)) }
      case "any", "all":
        guard case .array(let nodes) = value.kind else { continue }
        let inner = nodes.map { match($0) }
        questions.append(member.name == "any" ? .any(inner) : .all(inner))
      case "not": questions.append(.not(match(value)))
      default: break
      }
    }
    return .all(parts + questions)
  }

  private mutating func question(_ node: JSONNode) -> TextQuestion? {
    guard let pages = PageSelection(node["pages"]?.value.stringValue ?? "1") else {
      complaints.append(
        Complaint(
          "value.kind", "pages are written 1, 1-3 or all",
          at: node["pages"]?.range ?? node.range))
      return nil
    }
    return TextQuestion(
      pages: pages, regex: node["regex"]?.value.stringValue ?? "",
      lines: node["lines"]?.value.integerValue ?? 1)
  }
}

/// Comparing configured places as text.
enum FilePathText {
  static func normal(_ path: String) -> [Substring] {
    var parts: [Substring] = path.hasPrefix("/") ? [""] : []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "" {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  static func overlap(_ left: [Substring], _ right: [Substring]) -> Bool {
    left.starts(with: right) || right.starts(with: left)
  }
}
