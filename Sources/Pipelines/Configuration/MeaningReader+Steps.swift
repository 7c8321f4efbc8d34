internal import PluginKit

/// What references to a step can be checked against. Its id is nil where that could not be read, its
/// manifest where what it declares is not known.
struct KnownStep {
  var id: String?
  var use: String
  var manifest: StepManifest?
}

extension MeaningReader {
  /// A step and what the steps after it may know of it.
  ///
  /// - Parameter taken: what the rule's files are, as far as its conditions tell; nil where they do not.
  mutating func step(
    _ node: JSONNode, after earlier: [KnownStep], taken: [String]?
  ) -> (step: Pipeline.Step, known: KnownStep) {
    let id = node["id"]?.value.stringValue, use = node["use"]?.value.stringValue
    if let id,
      earlier.contains(where: { $0.id == id })
        || ["source", "companions", "probe"].contains(id)
    {
      complain(
        "id.twice", "\"\(id)\" is taken; each step needs an id of its own",
        at: node["id"]?.range ?? node.range)
    }
    let declared = use.flatMap { declaration(of: $0, node) }
    if let declared { hintAtOptions(declared, beside: node) }
    if let declared, let with = node["with"], !with.value.isNull {
      var shape = declared.options
      shape.name = "options of \(declared.name)"
      complaints += Shape.object(shape).complaints(about: with)
    }
    let manifest =
      declared ?? StepManifest(name: use ?? "", about: "", accepts: ["*/*"], outputs: [])
    var attempts = defaults.retry.attempts
    attempts = node["retry"]?["attempts"]?.value.integerValue ?? attempts
    let each = node["each"]?.value.boolValue ?? false
    let known = each ? declared?.forEachFile : declared
    let step = Pipeline.Step(
      id: id ?? "", use: use ?? "",
      options: Options(checked: manifest.options.filled(node["with"]?.value ?? [:])),
      inputs: inputs(node["in"], steps: earlier), each: each,
      condition: condition(node["if"], earlier, taken),
      timeout: time(node["timeout"], defaults.timeout), stall: defaults.stall, attempts: attempts,
      expectations: expectations(node["expect"], known),
      manifest: each ? manifest.forEachFile : manifest)
    return (step, KnownStep(id: id, use: use ?? "", manifest: known))
  }

  /// What the step declares; nil where that is not known, with a complaint where no plugin has it.
  mutating func declaration(of use: String, _ node: JSONNode) -> StepManifest? {
    guard let catalog else { return nil }
    if let entry = catalog[use] { return entry.step }
    if mayLackPlugins { return nil }
    if let why = catalog.unasked {
      complain(
        "step.unknown", "whether there is a step \"\(use)\" cannot be found out: \(why)",
        at: node["use"]?.range ?? node.range, hint: "install procd again")
      return nil
    }
    let near =
      nearestName(to: use, among: catalog.stepNames)
      .map { "did you mean \"\($0)\"? " } ?? ""
    complain(
      "step.unknown", "no plugin offers a step \"\(use)\"",
      at: node["use"]?.range ?? node.range,
      hint: "\(near)known: \(catalog.stepNames.joined(separator: ", "))")
    return nil
  }

  mutating func inputs(
    _ node: JSONNode?, steps: [KnownStep]
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
    _ node: JSONNode, steps: [KnownStep], text: String? = nil
  ) -> Reference? {
    guard let text = text ?? node.value.stringValue else { return nil }
    guard let reference = Reference(text) else {
      complain(
        "ref.form", "\"\(text)\" is no reference", at: node.range,
        hint: "write source, companions, or STEP.ROLE such as ocr.pdf")
      return nil
    }
    guard case .artifact(let id, let role) = reference else { return reference }
    guard let step = steps.first(where: { $0.id == id }) else {
      // It may be the step whose name could not be read.
      let ids = steps.compactMap(\.id)
      guard ids.count == steps.count else { return nil }
      let near = nearestName(to: id, among: ids).map { "did you mean \"\($0)\"? " } ?? ""
      complain(
        "ref.step", "no step before this one is called \"\(id)\"", at: node.range,
        hint: ids.isEmpty
          ? "there is no earlier step; the input file is called source"
          : near + Self.known(ids))
      return nil
    }
    if let roles = step.manifest?.outputs.map(\.role), !roles.contains(role) {
      complain(
        "ref.artifact", "step \"\(id)\" (\(step.use)) gives no \"\(role)\"", at: node.range,
        hint: (nearestName(to: role, among: roles).map { "did you mean \"\(id).\($0)\"? " } ?? "")
          + "it gives: \(roles.joined(separator: ", "))")
      return nil
    }
    return reference
  }

  private mutating func condition(
    _ node: JSONNode?, _ steps: [KnownStep], _ taken: [String]?
  ) -> Condition? {
    guard let node, let text = node.value.stringValue else { return nil }
    guard let condition = Condition(text) else {
      complain(
        "if.form", "\"\(text)\" is no comparison", at: node.range,
        hint:
          "write one comparison: STEP.FACT, one of > < >= <= == !=, and a value, which is a number for more and less"
      )
      return nil
    }
    let ids = steps.compactMap(\.id)
    // What the probe finds is declared by the step that finds it out.
    let known =
      [KnownStep(id: "probe", use: "probe", manifest: catalog?["probe.identify"]?.step)] + steps
    if let step = known.first(where: { $0.id == condition.step }) {
      checkFact(condition.fact, of: step, at: node.range)
      checkValue(condition, of: step, at: node.range)
      if step.id == "probe" { checkTypes(condition.fact, of: step, taken, at: node.range) }
    } else if ids.count == steps.count {
      complain(
        "ref.step", "no step before this one is called \"\(condition.step)\"",
        at: node.range, hint: Self.known(["probe"] + ids))
    }
    return condition
  }

  /// The names of steps for a hint; two of one name are a mistake of their own.
  private static func known(_ ids: [String]) -> String {
    var told: [String] = []
    for id in ids where !told.contains(id) { told.append(id) }
    return "known: \(told.joined(separator: ", "))"
  }

  /// Complains of a value that a fact can never have.
  private mutating func checkValue(
    _ condition: Condition, of step: KnownStep, at range: Range<Int>
  ) {
    let fact = step.manifest?.facts.first { $0.name == condition.fact }, value = condition.value
    let isEquality = [.equal, .unequal].contains(condition.comparison)
    if let wanted = Self.wanted(fact?.kind, for: value, isEquality: isEquality) {
      return complain(
        "if.value",
        "\(condition.step).\(condition.fact) is \(wanted), so this never holds as it is meant",
        at: range,
        hint: wanted == "a text"
          ? "write == or !=, and the text in quotes of its own: \\\"…\\\""
          : "compare it with \(wanted)")
    }
    if let text = value.stringValue, text.count > 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return complain(
        "if.value", "single quotes are letters of the text here", at: range,
        hint: "did you mean \"\(text.dropFirst().dropLast())\"?")
    }
    if step.id == "probe", condition.fact == "mime", let type = value.stringValue {
      if type.contains(where: { "*?".contains($0) }) {
        return complain(
          "if.value", "types are compared letter by letter here, and none has a * or ? in it",
          at: range, hint: "\"match\" of a rule takes patterns of types")
      }
      if type != type.lowercased() {
        complain(
          "if.value", "types are in small letters there, so it is never \"\(type)\"", at: range,
          hint: "did you mean \"\(type.lowercased())\"?")
      }
      checkMediaType(type, at: range)
    }
  }

  /// Complains of a fact that none of the rule's files has.
  private mutating func checkTypes(
    _ name: String, of step: KnownStep, _ taken: [String]?, at range: Range<Int>
  ) {
    guard let taken, let fact = step.manifest?.facts.first(where: { $0.name == name }),
      !taken.contains(where: { type in fact.types.contains { Self.overlap(type, $0) } })
    else { return }
    complain(
      "if.type",
      "only \(fact.types.joined(separator: ", ")) has the fact \"\(name)\", and this rule takes"
        + " \(taken.joined(separator: ", ")), so the step never runs",
      at: range, hint: "leave the condition out, or ask for a fact that such files have")
  }

  /// What a fact of a kind is compared with; nil where a value may be that.
  private static func wanted(
    _ kind: FactManifest.Kind?, for value: JSON, isEquality: Bool
  ) -> String? {
    switch kind {
    case .number where value.doubleValue == nil: "a number"
    case .boolean where value.boolValue == nil || !isEquality: "true or false"
    case .string where value.stringValue == nil || !isEquality: "a text"
    default: nil
    }
  }

  private mutating func checkFact(_ fact: String, of step: KnownStep, at range: Range<Int>) {
    guard let facts = step.manifest?.facts.map(\.name), !facts.contains(fact) else { return }
    let source =
      step.id == "probe" ? "the probe" : "step \"\(step.id ?? "")\" (\(step.use))"
    let near = nearestName(to: fact, among: facts).map { "did you mean \"\($0)\"? " } ?? ""
    complain(
      "ref.fact", "\(source) gives no fact \"\(fact)\"", at: range,
      hint: "\(near)it gives: \(facts.joined(separator: ", "))")
  }

  private mutating func expectations(
    _ node: JSONNode?, _ manifest: StepManifest?
  ) -> [Pipeline.Expectation] {
    let expectations = (node?.members ?? []).compactMap { member -> Pipeline.Expectation? in
      var name = member.name, comparison = Pipeline.Expectation.Comparison.equal
      for (prefix, kind) in [
        ("min", Pipeline.Expectation.Comparison.atLeast), ("max", .atMost),
      ] where name.hasPrefix(prefix) && name.dropFirst(3).first?.isUppercase == true {
        name = name.dropFirst(3).prefix(1).lowercased() + name.dropFirst(4)
        comparison = kind
      }
      if let facts = manifest?.facts.map(\.name), !facts.contains(name) {
        let near =
          nearestName(to: name, among: facts).map { fact in
            let prefix = comparison == .atLeast ? "min" : comparison == .atMost ? "max" : ""
            let meant =
              prefix.isEmpty ? fact : prefix + fact.prefix(1).uppercased() + fact.dropFirst()
            return "did you mean \"\(meant)\"? "
          } ?? ""
        complain(
          "ref.fact", "\(manifest?.name ?? "") gives no fact \"\(name)\"", at: member.nameRange,
          hint: "\(near)it gives: \(facts.joined(separator: ", "))")
        return nil
      }
      let value = member.value.value, kind = manifest?.facts.first { $0.name == name }?.kind
      let isNumber = comparison != .equal && kind == nil
      if let wanted = Self.wanted(
        isNumber ? .number : kind, for: value, isEquality: comparison == .equal)
      {
        complain(
          "expect.value", "\"\(member.name)\" takes \(wanted), so this is never met",
          at: member.value.range,
          hint: wanted == "a text" ? "write it in quotes" : "write \(wanted), without quotes")
        return nil
      }
      return Pipeline.Expectation(fact: name, comparison: comparison, value: member.value.value)
    }
    for least in expectations where least.comparison == .atLeast {
      let most = expectations.first { $0.fact == least.fact && $0.comparison == .atMost }
      if let node, let most, let low = least.value.doubleValue, let high = most.value.doubleValue,
        low > high
      {
        complain(
          "expect.value",
          "\(least.fact) cannot be \(Self.text(least.value)) at least and \(Self.text(most.value)) at most",
          at: node.range, hint: "exchange them")
      }
    }
    return expectations
  }

  private static func text(_ value: JSON) -> String { String(decoding: value.line, as: UTF8.self) }

  mutating func emit(
    _ node: JSONNode, steps: [KnownStep], texts: [NamedText] = []
  ) -> Pipeline.Emit? {
    // A name alone is an entry that says no more.
    let from = node.value.stringValue == nil ? node["from"] : node
    let text = from?.value.stringValue ?? "", optional = text.hasSuffix("?")
    guard let from,
      let reference = reference(
        from, steps: steps, text: optional ? String(text.dropLast()) : text)
    else { return nil }
    if let name = node["as"] {
      checkTemplate(name, texts, ofResult: true)
      if name.value.stringValue?.contains("/") == true {
        complain(
          "template.outside", "a result's name has no folder in it", at: name.range,
          hint: "put the folder into \"to\" of the pipeline")
      }
      // A label may be the whole name of what was attached to something.
      if let text = name.value.stringValue, !text.contains("."), !text.contains("{label}"),
        let ending = ending(of: reference, steps: steps)
      {
        complain(
          "template.ending", "the file has no ending by which other programs know what it is",
          at: name.range, hint: "write \"\(text).\(ending)\"", severity: .warning)
      }
    }
    return Pipeline.Emit(
      from: reference, otherwise: node["else"].flatMap { self.reference($0, steps: steps) },
      optional: optional, name: node["as"]?.value.stringValue)
  }

  /// How a file with what a reference means is called; nil where only its source tells.
  private func ending(of reference: Reference, steps: [KnownStep]) -> String? {
    guard case .artifact(let id, let role) = reference else { return nil }
    return steps.first { $0.id == id }?.manifest?.outputs.first { $0.role == role }?.fileExtension
  }

  /// - Parameter ofResult: whether it names one result, not the folder of all.
  mutating func checkTemplate(
    _ node: JSONNode, _ texts: [NamedText], ofResult: Bool = false
  ) {
    let text = node.value.stringValue ?? ""
    let places = (ofResult ? [NameTemplate.label] : []) + texts.flatMap(\.placeholders)
    let template = NameTemplate(text)
    if template.isUnbalanced {
      complain(
        "template.brace", "a brace has no partner, so it would stand in the name as it is",
        at: node.range, hint: "places are written {stem}")
    }
    for unknown in template.unknown(besides: places) {
      let known = (NameTemplate.known + places).map { "{\($0)}" }.joined(separator: " ")
      let declares =
        unknown.hasPrefix("text:") ? "\"texts\" of the pipeline says what to look for; " : ""
      complain(
        "template.unknown", "{\(unknown)} stands for nothing", at: node.range,
        hint: "\(declares)known: \(known)")
    }
    let parts = text.split(separator: "/")
    if let name = parts.last(where: { $0.hasPrefix(".") }), !name.hasPrefix("..") {
      complain(
        "template.hidden", "a name that begins with a dot is hidden", at: node.range,
        hint: ofResult && name == parts.last && !name.contains("{stem}")
          ? "name the file before its ending: {stem}\(name)" : "leave out the dot",
        severity: .warning)
    }
    if text.hasPrefix("/") || text.split(separator: "/").contains("..") {
      complain(
        "template.outside", "results stay inside the outbox", at: node.range,
        hint: "leave out the leading slash and ..")
    }
  }
}
