import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// The configuration that `convert` works with: built in or named, changed by its options.
struct ConvertSettings {
  let command: ConvertCommand

  /// With the role of the only result that is wanted, nil for all, and what tells what is made with these options from
  /// what is made with others, nil where none is given that matters.
  func active() throws -> (ActiveConfiguration, role: String?, mark: String?) {
    var active: ActiveConfiguration
    if command.options.file != nil {
      active = try command.options.load()
      try StartConditions.check(active, languages: false)
    } else {
      let text =
        command.join
        ? Array(joiningConfiguration.utf8)
        : command.split
          ? Array(splittingConfiguration.utf8) : try withFurtherRules(builtInConfiguration)
      let loaded = command.options.loader.load(
        text, name: "built-in pipelines.json",
        path: absolutePath("pipelines.json"))
      guard let built = loaded.active else {
        Console.complain(PlainText(lines: loaded.file.rendered()), end: "")
        for problem in loaded.pluginProblems {
          Console.complain(PlainText(lines: "\(problem.place): \(problem.message)"))
        }
        throw Status.configuration
      }
      active = built
    }
    var configuration = active.configuration
    if let language = command.language {
      let languages = JSON.array(language.split(separator: "+").map { .string(String($0)) })
      for index in configuration.pipelines.indices {
        configuration.pipelines[index].setOption("languages", languages, where: { _ in true })
      }
    }
    if let place = passwords {
      for index in configuration.pipelines.indices {
        configuration.pipelines[index].setOption("passwords", place, where: { _ in true })
      }
    }
    for assignment in command.set { try apply(assignment, to: &configuration) }
    let role = try command.wantedRole(in: configuration)
    if let role {
      if command.options.file == nil { Self.readPictures(for: role, &configuration) }
      configuration.pipelines = configuration.pipelines.compactMap { $0.keeping(role) }
    }
    let words =
      [
        command.language.map { "-l \($0)" }, command.split ? "--split" : nil,
        command.options.file == nil ? nil : "-c \(active.mark)",
      ].compactMap(\.self) + command.set.sorted()
    return (
      ActiveConfiguration(configuration, catalog: active.catalog, base: active.base), role,
      words.isEmpty ? nil : String(sha256(Array(words.joined(separator: "\n").utf8)).prefix(16))
    )
  }

  /// Has what is made of the text and tables of PDFs made of pictures too, once they are recognized.
  private static func readPictures(for role: String, _ configuration: inout Configuration) {
    let readers = configuration.pipelines.flatMap(\.steps).filter {
      $0.use == "pdf.text" || $0.use == "tables.rows"
    }
    guard
      let reader = readers.first(where: { $0.manifest.outputs.contains { $0.role == role } })
    else { return }
    for index in configuration.pipelines.indices {
      let last = configuration.pipelines[index].steps.last
      guard last?.use == "ocr.tesseract",
        last?.manifest.outputs.contains(where: { $0.role == role }) == false
      else { continue }
      configuration.pipelines[index].steps.append(reader)
    }
  }

  /// The configuration with a rule for tables, which comes to its turn where they are asked for, and with one for what a
  /// plugin that comes with procd reads and nothing else does, where it is there.
  private func withFurtherRules(_ text: String) throws -> [UInt8] {
    let json = try JSONReader.read(text).value
    let (catalog, _) = Installation.ofThisProgram().catalog(configured: [])
    let steps = [
      ("office.text", "office.text"), ("office.rows", "office.csv"), ("mail.read", "mail.text"),
    ]
    let tables: JSON = [
      "id": "pdf-tables", "match": ["mime": "application/pdf"],
      "steps": [
        ["id": "ocr", "use": "ocr.tesseract", "if": "probe.pagesWithoutText > 0"],
        [
          "id": "tables", "use": "tables.rows", "in": ["ocr.pdf", "source"],
          "expect": ["minTables": 1],
        ],
      ],
      "emit": ["tables.csv"],
    ]
    let rules: [JSON] = steps.compactMap { use, role in
      guard let step = catalog[use]?.step else { return nil }
      // Mail may begin like any text.
      let types = step.accepts.filter { $0 != "text/plain" }.map { JSON.string($0) }
      let match: JSON = ["any": [["mime": .array(types)], ["name": "*.eml"]]]
      return [
        "id": .string(use.replacing(".", with: "-")),
        "match": use == "mail.read" ? match : ["mime": .array(types)],
        "steps": [["id": .string(String(use.prefix { $0 != "." })), "use": .string(use)]],
        "emit": use == "mail.read" ? [.string(role), "mail.attachment?"] : [.string(role)],
      ]
    }
    return json.setting(
      "pipelines", .array((json["pipelines"]?.arrayValue ?? []) + [tables] + rules)
    ).text
  }

  /// Where passwords are kept, as an option says it; nil where none are given.
  private var passwords: JSON? {
    if let password = command.password {
      let others = unsafe getenv("PROCD_PASSWORDS").map { unsafe "\n\(String(cString: $0))" } ?? ""
      unsafe setenv("PROCD_PASSWORDS", password + others, 1)
      return ["environment": "PROCD_PASSWORDS"]
    }
    if let file = command.passwords { return ["file": .string(absolutePath(file).string)] }
    return unsafe getenv("PROCD_PASSWORDS") == nil ? nil : ["environment": "PROCD_PASSWORDS"]
  }

  private func apply(_ assignment: String, to configuration: inout Configuration) throws {
    let parts = assignment.split(separator: "=", maxSplits: 1)
    let names = parts.first?.split(separator: ".", maxSplits: 1) ?? []
    guard parts.count == 2, names.count == 2 else {
      throw ValidationError("--set takes step.option=value, not \(assignment).")
    }
    let text = String(parts[1]), step = String(names[0]), option = String(names[1])
    let steps = configuration.pipelines.flatMap(\.steps)
    let meant = steps.filter { $0.id == step || $0.use == step }
    let declared = meant.compactMap { $0.manifest.options[option]?.shape }
    let value = JSON.typed(text, as: declared.first)
    let written = try JSONReader.read(value.line)
    if let complaint = declared.lazy.flatMap({ $0.complaints(about: written) }).first {
      let hint = complaint.hint.map { "; \($0)" } ?? ""
      throw ValidationError("--set \(step).\(option): \(complaint.message)\(hint).")
    }
    var found = false
    for index in configuration.pipelines.indices {
      found =
        configuration.pipelines[index].setOption(option, value) { $0.id == step || $0.use == step }
        || found
    }
    guard !found else { return }
    let (wanted, known) =
      meant.isEmpty
      ? (step, steps.map(\.id)) : (option, meant.flatMap { $0.manifest.options.fields.map(\.key) })
    let near = nearestName(to: wanted, among: known.sorted()).map { "; did you mean \($0)?" } ?? "."
    throw ValidationError("no step \(step) has an option \(option)\(near)")
  }
}

extension Pipeline.Step {
  /// Whether it makes a result of this role of something else. A PDF that is given back with rows attached is what it was,
  /// and comes only by rules that emit it.
  fileprivate func makes(_ role: String) -> Bool {
    manifest.outputs.contains { output in
      output.role == role && !(isAsked(for: role) && manifest.accepts.contains(output.mime))
    }
  }
}

extension Pipeline {
  /// Sets an option of the steps that have it; false where none has.
  @discardableResult
  fileprivate mutating func setOption(
    _ name: String, _ value: JSON, where wanted: (Step) -> Bool
  ) -> Bool {
    var found = false
    for index in steps.indices
    where wanted(steps[index]) && steps[index].manifest.options[name] != nil {
      steps[index].options = Options(checked: steps[index].options.json.setting(name, value))
      // Which pages are read is asked for, whatever they have already.
      if name == "mode", value != "skip" { steps[index].condition = nil }
      found = true
    }
    return found
  }

  /// The pipeline with results of one role only, those that it emits or else what its last step can
  /// give, and without steps that do not lead there; nil where it cannot give that role. What several steps give on
  /// request, such as words with their places, is the first one's where that one ran: it knows the most of them.
  fileprivate func keeping(_ role: String) -> Pipeline? {
    var kept = self
    kept.emits = emits.filter {
      if case .artifact(_, role) = $0.from { true } else { false }
    }
    if kept.emits.isEmpty {
      let givers = steps.indices.filter { steps[$0].makes(role) }
      guard let last = givers.last else { return nil }
      for index in givers { kept.steps[index].ask(for: role) }
      let first = givers.first { steps[$0].isAsked(for: role) } ?? last
      let places = [first, last].map { Reference.artifact(step: steps[$0].id, role: role) }
      kept.emits = [
        Emit(from: places[0], otherwise: first == last ? nil : places[1], optional: false)
      ]
    }
    var needed: Set<String> = []
    for case .artifact(let step, _) in kept.emits.flatMap(\.references) { needed.insert(step) }
    for step in steps.reversed() where needed.contains(step.id) {
      for case .artifact(let id, _) in step.inputs.flatMap(\.from) { needed.insert(id) }
      if let condition = step.condition { needed.insert(condition.step) }
    }
    kept.steps = kept.steps.filter { needed.contains($0.id) }
    return kept
  }
}
