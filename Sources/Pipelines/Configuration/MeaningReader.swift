internal import Dates
internal import PluginKit
internal import SystemPackage

/// Turns a file into what it means, and complains about what the shape cannot know: names that lead
/// nowhere, options that a step lacks, rules that never match.
///
/// Where the shape is wrong somewhere, the rest is judged all the same, so that all mistakes are
/// told at once. A value of a wrong shape stands in the tree as null (``JSONNode/withNull(at:)``):
/// what hangs on it is not known, and no complaint is made of what is not known.
struct MeaningReader {
  let catalog: PluginCatalog?
  /// What the shape found wrong.
  private(set) var faults: [Complaint]
  var complaints: [Complaint] = []
  var defaults = Configuration.Defaults()
  private(set) var inbox = Configuration.Inbox()
  /// How many "any" and "not" the conditions stand in that are read.
  private var branches = 0
  /// Whether steps that the catalogue lacks may come from a folder that could not be read.
  private(set) var mayLackPlugins = false

  init(catalog: PluginCatalog?, faults: [Complaint] = []) {
    self.catalog = catalog
    self.faults = faults
  }

  mutating func complain(
    _ code: String, _ message: String, at range: Range<Int>, hint: String? = nil,
    severity: Complaint.Severity = .error
  ) {
    // Below "any" or "not", a condition that never holds may do no harm.
    let severity = code == "match.never" && branches > 0 ? .warning : severity
    complaints.append(Complaint(code, message, at: range, hint: hint, severity: severity))
  }

  /// Whether the shape is wrong somewhere inside.
  func isFaulty(_ node: JSONNode) -> Bool {
    faults.contains { $0.severity == .error && node.range.contains($0.range.lowerBound) }
  }

  /// What stands for a member that is not there: wrong where the name was mistyped.
  private func mayBeMistyped(_ key: String, in node: JSONNode) -> Bool {
    node[key] == nil
      && node.members.contains { member in
        faults.contains { $0.code == "key.unknown" && $0.range == member.nameRange }
          && nearestName(to: member.name, among: [key]) != nil
      }
  }

  /// Says of options that stand beside "use" where they belong.
  mutating func hintAtOptions(_ declared: StepManifest, beside node: JSONNode) {
    for member in node.members where declared.options[member.name] != nil {
      for place in faults.indices
      where faults[place].code == "key.unknown" && faults[place].range == member.nameRange {
        faults[place].hint =
          "it is an option of \(declared.name): \"with\": { \"\(member.name)\": … }"
      }
    }
  }

  mutating func configuration(_ top: JSONNode) -> Configuration {
    var meant = Configuration(top.value)
    defaults = meant.defaults
    mayLackPlugins = top["plugins"].map(isFaulty) ?? mayBeMistyped("plugins", in: top)
    inbox = meant.inbox
    if let node = top["timeZone"], let zone = meant.timeZone, !isFaulty(node),
      !LocalZone.exists(zone)
    {
      complain(
        "zone.unknown", "this machine knows no time zone \"\(zone)\"", at: node.range,
        hint: "write a name such as Europe/Berlin or UTC; the package tzdata has them")
    }
    for node in top["inbox"]?["ignore"].map(Self.entries) ?? [] {
      if node.value == "*" {
        complain(
          "match.never", "every file is left alone in the inbox by this pattern", at: node.range,
          hint: "leave it out: files that no rule takes go to the quarantine")
      } else if let text = node.value.stringValue, text.dropLast().contains("/") {
        complain(
          "match.never", "a file's name has no slash in it, so \"\(text)\" leaves none alone",
          at: node.range, hint: "write the name's part: what is ignored is so in each folder")
      }
    }
    if case .array(let nodes)? = top["pipelines"]?.kind {
      meant.pipelines = pipelines(nodes)
      for node in nodes where [.report, .refuse].contains(meant.duplicates) {
        guard let clash = node["onClash"], clash.value == "replace" else { continue }
        complain(
          "onclash.duplicates",
          "a file with the content of an earlier one counts as a duplicate, even where another file replaced its results",
          at: clash.range,
          hint: "with \"duplicates\": \"reuse\" or \"again\" the file that arrived last wins",
          severity: .warning)
      }
      for node in nodes {
        guard let clash = node["onClash"], clash.value == "replace",
          (keepTime(node) ?? meant.archive.keep).milliseconds == 0
        else { continue }
        complain(
          "outbox.onClash",
          "with \"keep\": \"no\", nothing is left of a file whose results are replaced",
          at: clash.range, hint: "keep originals for some days, such as \"7d\"", severity: .warning)
      }
      if meant.outbox.layout == .folder {
        for case let node? in nodes.map({ $0["onClash"] }) where node.value == "replace" {
          complain(
            "outbox.onClash",
            "with the layout folder, nothing is replaced: results come in folders of their own",
            at: node.range, hint: "leave out onClash, or the layout")
        }
      }
    }
    meant.sources = sources(top["sources"])
    meant.fleet = fleet(top["fleet"])
    checkWeb(meant, top["web"])
    if !(top["pipelines"].map(isFaulty) ?? true) {
      checkRoutes(top["sources"], meant.sources, meant.pipelines)
    }
    meant.notify = targets(top["notify"], series: meant.pipelines.compactMap(\.series))
    if let node = top["metrics"], !meant.isMeasured, !isFaulty(node) {
      complain(
        "key.missing", "metrics need a file or a socket", at: node.range,
        hint: "write \"file\" or \"socket\"")
    }
    checkPlaces(meant, top)
    if let node = top["pipelines"], meant.pipelines.isEmpty, complaints.isEmpty, faults.isEmpty {
      complain(
        "route.none", "there is no rule: every file would go to the quarantine", at: node.range,
        hint: "`procd init` writes rules to start from", severity: .warning)
    }
    return meant
  }

  func strings(_ node: JSONNode?) -> [String] {
    switch node?.value {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.stringValue)
    default: []
    }
  }

  func time(_ node: JSONNode?, _ otherwise: Int) -> Int {
    node?.value.stringValue.flatMap(Quantity.milliseconds) ?? otherwise
  }

  /// One place inside another would feed results back into the inbox.
  private mutating func checkPlaces(_ meant: Configuration, _ top: JSONNode) {
    let places = [
      ("inbox", meant.inbox.path), ("outbox", meant.outbox.path),
      ("archive", meant.archive.path), ("quarantine", meant.quarantine.path),
      ("spool", meant.spool),
    ].filter { key, _ in !(top[key].map(isFaulty) ?? mayBeMistyped(key, in: top)) }
      .map { (key: $0.0, path: FilePathText.normal($0.1), written: $0.1) }
    for place in places {
      if let node = top[place.key] {
        checkShellWords(place.key, place.written, at: (node["path"] ?? node).range)
        if let marker = node["marker"], let name = marker.value.stringValue,
          name.isEmpty || name.contains("/") || name == "." || name == ".."
        {
          complain(
            "place.marker", "a marker is a file in the folder itself", at: marker.range,
            hint: "write a name without slashes, such as .mounted")
        }
      }
    }
    let written = [
      ("metrics", "file", meant.metricsFile), ("metrics", "socket", meant.metricsSocket),
      ("status", "socket", meant.statusSocket),
    ]
    for (part, key, path) in written {
      guard let path, let node = top[part] else { continue }
      for place in places where FilePathText.overlap(place.path, FilePathText.normal(path)) {
        complain(
          "place.overlap", "the \(key) of \(part) lies in the folder of \(place.key)",
          at: node[key]?.range ?? node.range, hint: "put it beside the folders")
      }
    }
    for (index, place) in places.enumerated() {
      for other in places[..<index] where FilePathText.overlap(place.path, other.path) {
        let node = top[place.key] ?? top[other.key]
        complain(
          "place.overlap", "\(place.key) and \(other.key) lie inside each other",
          at: node?.range ?? top.range.lowerBound..<top.range.lowerBound + 1,
          hint: "each needs a folder of its own")
      }
    }
    checkReports(meant.outbox, top["outbox"]?["reports"])
  }

  private mutating func checkReports(_ outbox: Configuration.Outbox, _ node: JSONNode?) {
    guard let node, let reports = outbox.reports else { return }
    if outbox.layout == .folder {
      complain(
        "outbox.reports", "with the layout folder, the report lies in the folder of its file",
        at: node.range, hint: "leave out reports, or the layout")
    } else if reports.isAbsolute || reports.components.isEmpty
      || reports.components.first == ".procd"
      || reports.components.contains(where: { $0.kind != .regular })
    {
      complain(
        "outbox.reports", "reports are put beside their results or into a folder of the outbox",
        at: node.range, hint: "write \"beside\", or a name such as \"reports\"")
    }
  }

  // MARK: - Pipelines

  private mutating func pipelines(_ nodes: [JSONNode]) -> [Pipeline] {
    var pipelines: [Pipeline] = []
    var ids: Set<String> = []
    var takesAll: String?
    for node in nodes {
      let before = complaints.count
      let pipeline = pipeline(node)
      let isSound = complaints.count == before && !isFaulty(node)
      let named = node["id"]?.value.stringValue != nil
      if named, !ids.insert(pipeline.id).inserted {
        complain(
          "id.twice", "two pipelines are called \"\(pipeline.id)\"",
          at: node["id"]?.range ?? node.range)
      }
      if let takesAll, named, pipeline.gather == nil, pipeline.companions == nil {
        complain(
          "route.shadowed",
          "\"\(pipeline.id)\" can never match: \"\(takesAll)\" takes every file first",
          at: node["id"]?.range ?? node.range, severity: .warning)
      }
      let canFail = pipeline.steps.contains { !$0.expectations.isEmpty }
      if case .all(let parts) = pipeline.match, parts.isEmpty, pipeline.gather == nil,
        pipeline.companions == nil, !canFail, isSound
      {
        takesAll = takesAll ?? pipeline.id
      }
      pipelines.append(pipeline)
    }
    return pipelines
  }

  private mutating func pipeline(_ node: JSONNode) -> Pipeline {
    var steps: [Pipeline.Step] = [], known: [KnownStep] = []
    let gather = node["gather"]?.value.stringValue.flatMap(Pipeline.Gathering.init)
    let before = complaints.count
    let match = match(node["match"])
    let taken = gather == nil && complaints.count == before ? match.mediaTypes : nil
    let companions = companions(node)
    if let gather {
      let (step, name) = joining(gather, node)
      steps.append(step)
      known.append(name)
    }
    if case .array(let nodes)? = node["steps"]?.kind {
      for node in nodes {
        let (step, name) = self.step(node, after: known, taken: taken)
        if !isFaulty(node) { checkReads(step, node, steps: known, taken: taken) }
        steps.append(step)
        known.append(name)
      }
    } else if node["steps"] != nil || mayBeMistyped("steps", in: node) {
      // There are steps, it is only not known which.
      known = [KnownStep(id: nil, use: "", manifest: nil)]
    }
    let texts = namedTexts(node["texts"], steps: known)
    var emits: [Pipeline.Emit] = []
    if case .array(let nodes)? = node["emit"]?.kind {
      for entry in nodes {
        if let emit = self.emit(entry, steps: known, texts: texts) { emits.append(emit) }
      }
    }
    if gather != nil { Self.readJoined(&steps, &emits) }
    checkCompanions(node, companions, steps, emits)
    let wanted =
      steps.flatMap(\.references) + emits.flatMap(\.references) + texts.flatMap(\.from)
    for case .artifact(let id, let role) in wanted {
      if let index = steps.firstIndex(where: { $0.id == id }) { steps[index].ask(for: role) }
    }
    // Where something else is wrong, it may be the reason.
    if node["series"] == nil, !isFaulty(node),
      !complaints[before...].contains(where: { $0.severity == .error })
    {
      checkUse(node["steps"], steps, wanted)
      checkSkipping(node["emit"], steps, emits)
    }
    if node["onClash"]?.value == "refuse", let series = node["series"] {
      complain(
        "onclash.series", "an edition that is refused for its name would be kept all the same",
        at: series.range, hint: "number or replace the files of lists that are kept")
    }
    if let series = node["series"],
      steps.contains(where: { $0.each && $0.manifest.givesRows })
    {
      complain(
        "series.each", "a list is one file, and of a step with \"each\" only one would be kept",
        at: series.range, hint: "leave out \"each\", or \"series\"")
    }
    if let series = node["series"], !isFaulty(node),
      !complaints[before...].contains(where: { $0.severity == .error }),
      !steps.contains(where: \.manifest.givesRows)
    {
      complain(
        "series.rows", "no step of this rule gives rows, so each of its files would fail",
        at: series.range,
        hint: "read the list by a step such as status.rows, or leave out \"series\"")
    }
    let to = node["to"]
    if let to {
      checkTemplate(to, texts)
      checkShellWords("to", to.value.stringValue ?? "", at: to.range)
    }
    return Pipeline(
      id: node["id"]?.value.stringValue ?? "", match: match, gather: gather,
      companions: companions, series: node["series"]?.value.stringValue, steps: steps,
      emits: emits, to: to?.value.stringValue,
      keepsFolders: node["subfolders"]?.value.stringValue != "drop",
      onClash: node["onClash"]?.value.stringValue.flatMap(NameClash.init) ?? .number,
      keep: keepTime(node), texts: texts,
      canonical: canonical(node, steps: steps),
      offset: node.range.lowerBound)
  }

  private func keepTime(_ rule: JSONNode) -> Configuration.KeepTime? {
    rule["keep"]?.value.stringValue.map(Configuration.KeepTime.init)
  }

  /// The pipeline with defaults filled in and without what does not change results.
  private func canonical(_ node: JSONNode, steps: [Pipeline.Step]) -> JSON {
    [
      "id": node["id"]?.value, "emit": node["emit"]?.value, "to": node["to"]?.value,
      "subfolders": node["subfolders"]?.value,
      "texts": node["texts"]?.value, "companions": node["with"]?.value,
      "steps": .array(
        steps.map { step in
          [
            "id": .string(step.id), "use": .string(step.use), "with": step.options.json,
            "in": .array(
              step.inputs.map { role, from in
                .array([.string(role)] + from.map { .string($0.description) })
              }),
            "each": step.each ? true : nil,
            "version": catalog?[step.use].map { .string($0.identity) },
          ]
        }),
    ]
  }

  // MARK: - Match

  private mutating func match(_ node: JSONNode?) -> Match {
    guard let node, node.value != "*" else { return .all([]) }
    let before = complaints.count
    checkPatterns(node)
    let ignoresCase = node["ignoreCase"]?.value.boolValue ?? true
    var parts: [Match] = [], questions: [Match] = []
    for member in node.members {
      let value = member.value
      switch member.name {
      case "mime": parts.append(.mime(strings(value)))
      case "name": parts.append(.name(strings(value), ignoresCase: ignoresCase))
      case "path": parts.append(.path(strings(value), ignoresCase: ignoresCase))
      case "size":
        parts.append(
          .size(
            min: value["min"]?.value.stringValue.flatMap(Quantity.bytes),
            max: value["max"]?.value.stringValue.flatMap(Quantity.bytes)))
      case "modified":
        parts.append(
          .modified(
            Modified(
              from: value["from"]?.value.stringValue, until: value["until"]?.value.stringValue,
              olderThan: value["olderThan"]?.value.stringValue.flatMap(Quantity.milliseconds),
              newerThan: value["newerThan"]?.value.stringValue.flatMap(Quantity.milliseconds))))
      case "text": if let question = question(value) { questions.append(.text(question)) }
      case "any", "all":
        guard case .array(let nodes) = value.kind else { continue }
        let isAny = member.name == "any"
        if isAny { branches += 1 }
        let inner = nodes.map { match($0) }
        if isAny { branches -= 1 }
        questions.append(isAny ? .any(inner) : .all(inner))
      case "not":
        branches += 1
        questions.append(.not(match(value)))
        branches -= 1
      default: break
      }
    }
    if let text = node["text"], let types = Match.all(parts).mediaTypes, !types.isEmpty,
      types.allSatisfy({ type in ["image/", "audio/", "video/"].contains { type.hasPrefix($0) } })
    {
      complain(
        "match.never",
        "files of these types have no text before a step has recognized it, so this matches none",
        at: text.range, hint: "match them by name or path, or leave out \"text\"",
        severity: .warning)
    }
    if !isFaulty(node), complaints.count == before {
      checkTogether(parts + questions, at: (node["all"] ?? node["any"] ?? node).range)
    }
    return .all(parts + questions)
  }

  /// Complains of conditions on the type that no file meets together.
  private mutating func checkTogether(_ conditions: [Match], at range: Range<Int>) {
    let types = conditions.flatMap { condition in
      if case .all(let inner) = condition { inner } else { [condition] }
    }.compactMap(\.mediaTypes)
    for (index, some) in types.enumerated() {
      for others in types[..<index] where !some.isEmpty && !others.isEmpty {
        guard !some.contains(where: { one in others.contains { Self.overlap(one, $0) } }) else {
          continue
        }
        return complain(
          "match.never",
          "no file is of a type of \(others.joined(separator: ", ")) and of \(some.joined(separator: ", "))",
          at: range, hint: "\"any\" takes files that meet one of its conditions")
      }
    }
  }

  /// The pages that a question is about; nil, with a complaint, where they cannot be read.
  mutating func pages(of question: JSONNode) -> PageSelection? {
    let pages = PageSelection(question["pages"]?.value.stringValue ?? "1")
    if pages == nil {
      complain(
        "value.kind", "pages are written 1, 1-3, 2-5,9 or all",
        at: question["pages"]?.range ?? question.range)
    }
    return pages
  }

  private mutating func question(_ node: JSONNode) -> TextQuestion? {
    guard let pages = pages(of: node) else { return nil }
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

extension StepManifest {
  /// Whether it gives the rows of a list, of which a series keeps editions.
  fileprivate var givesRows: Bool {
    outputs.contains { RowsOfList.are($0.role, mime: $0.mime) }
  }
}

/// The rows of a list among what a step gives.
package enum RowsOfList {
  package static func are(_ role: String, mime: String) -> Bool {
    role == "json" && mime == "application/jsonl"
  }
}
