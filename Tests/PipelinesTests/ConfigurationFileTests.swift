import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Pipelines

@Suite struct ConfigurationFileTests {
  private static func text(_ kind: String, _ name: String) throws -> [UInt8] {
    let path = Steps.fixtures.appending("\(kind)/\(name).json").string
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func names(_ kind: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Steps.fixtures.appending(kind).string)
      .map { $0.replacing(".json", with: "") }.sorted()
  }

  @Test(arguments: wrong)
  func `a wrong file gives all its complaints, each at its place`(_ wrong: Wrong) throws {
    let text = try Self.text("wrong", wrong.name)
    let file = ConfigurationFile(
      name: "\(wrong.name).json", text: text, catalog: Steps.catalog)
    let found = file.complaints.map { complaint in
      let place = file.place(of: complaint.range.lowerBound)
      return Fault(complaint.code, place.line, place.column)
    }
    func sorted(_ faults: [Fault]) -> [Fault] {
      faults.sorted { ($0.line, $0.column, $0.code) < ($1.line, $1.column, $1.code) }
    }
    #expect(sorted(found) == sorted(wrong.faults()))
    #expect(found.map { [$0.line, $0.column] } == sorted(found).map { [$0.line, $0.column] })
    if let hint = wrong.hint {
      #expect(file.complaints.contains { $0.hint?.contains(hint) == true }, "no hint says \(hint)")
    }
    // Rules that never match or do nothing are warnings: the file still means something.
    let isUseless = ["shadowed", "unused", "no-rule", "no-ending", "skipped"].contains(
      wrong.name)
    #expect((file.configuration == nil) == !isUseless)
    #expect(file.hasErrors == !isUseless)
    for fault in wrong.faults() {
      #expect(file.rendered().contains("\(wrong.name).json:\(fault.line):\(fault.column): "))
    }
  }

  @Test(arguments: [true, false])
  func `what a step of procd cannot read is an error, and of a plugin a warning`(isOurs: Bool)
    throws
  {
    var catalog = PluginCatalog()
    let step = StepManifest(
      name: "count.words", about: "", accepts: ["text/plain"],
      outputs: [OutputManifest("count", mime: "text/plain", fileExtension: "txt")])
    catalog.add(
      PluginManifest(name: "words", version: "1", about: "", steps: [step]),
      run: isOurs
        ? .worker("procd-worker")
        : .foreign(
          .init(
            folder: "/p", command: ["./count"], speaksProtocol: true, network: false,
            readableFolders: [])))
    let text = """
      {"version": 1, "pipelines": [{"id": "a", "match": {"mime": "image/png"},
      "steps": [{"id": "count", "use": "count.words"}], "emit": ["count.count"]}]}
      """
    let file = ConfigurationFile(name: "t", text: Array(text.utf8), catalog: catalog)
    #expect(file.complaints.map(\.code) == ["step.reads"])
    #expect(file.hasErrors == isOurs)
    // Of what the rule takes it can read some: that is told of, unless a condition chooses.
    for (condition, isTold) in [("", isOurs), (#", "if": "probe.mime == text/plain""#, false)] {
      let partly = text.replacing(
        #""mime": "image/png""#, with: #""mime": ["text/plain", "image/png"]"#
      ).replacing(#""use": "count.words""#, with: #""use": "count.words"\#(condition)"#)
      let mixed = ConfigurationFile(name: "t", text: Array(partly.utf8), catalog: catalog)
      #expect(mixed.complaints.contains { $0.code == "step.reads" } == isTold, "\(partly)")
      #expect(!mixed.hasErrors, "\(mixed.complaints)")
    }
  }

  @Test(
    arguments: [
      ("~/out", true), ("$HOME/out", true), ("${DATA}/out", true), ("%h/out", true),
      ("Scans$/out", false), ("a~b", false), ("50%home", false),
    ])
  func `what a shell would replace is no place`(path: String, isTold: Bool) {
    let text = #"{"version": 1, "outbox": "\#(path)", "pipelines": []}"#
    let file = ConfigurationFile(name: "t", text: Array(text.utf8), catalog: Steps.catalog)
    #expect(file.complaints.contains { $0.code == "place.shell" } == isTold)
  }

  @Test(arguments: wrong)
  func `the schema refuses what is of the wrong shape and nothing else`(_ wrong: Wrong) throws {
    let text = try Self.text("wrong", wrong.name)
    guard let shape = wrong.shape else {
      #expect(throws: JSONError.self) { try JSONReader.read(text) }
      return
    }
    let value = try JSONReader.read(text).value
    let violations = SchemaChecker(ConfigurationShape.schema(catalog: Steps.catalog))
      .violations(of: value)
    #expect(violations.isEmpty == !shape, "\(violations)")
  }

  @Test func `every wrong file stands in the table`() throws {
    #expect(try Self.names("wrong") == Self.wrong.map(\.name).sorted())
  }

  @Test func `parser and schema take every right file`() throws {
    let names = try Self.names("right")
    #expect(names.count >= 2)
    let checker = SchemaChecker(ConfigurationShape.schema(catalog: Steps.catalog))
    for name in names {
      let text = try Self.text("right", name)
      let file = ConfigurationFile(name: name, text: text, catalog: Steps.catalog)
      #expect(file.complaints.isEmpty, "\(file.rendered())")
      #expect(file.configuration != nil)
      #expect(checker.violations(of: try JSONReader.read(text).value) == [])
    }
  }

  /// Changes one value of a right file after the other into something else: parser and schema must
  /// judge each alike.
  @Test func `parser and schema agree on mistakes in every place`() throws {
    let right = try JSONReader.read(try Self.text("right", "everything")).value
    let checker = SchemaChecker(ConfigurationShape.schema(catalog: Steps.catalog))
    let odd: [JSON] = [
      .null, true, -1, 0, 5000, 1.5, "", "x", "2s", ".5s", "2.s", "1.5.0s", "7GB", ".5GB", "3 Mpx",
      "eng", [], ["x"], [1], [:], ["x": 1], ["$x": 1],
    ]
    var refused = 0, taken = 0
    for place in Self.places(in: right) {
      for value in odd {
        let changed = Self.setting(right, place[...], value)
        let text = changed.text
        let file = ConfigurationFile(name: "x", text: text, catalog: Steps.catalog)
        let shapeCodes: Set = [
          "key.unknown", "key.missing", "option.unknown", "value.kind", "value.unknown",
          "value.empty", "step.unknown",
        ]
        let wrong = file.complaints.contains { shapeCodes.contains($0.code) }
        // What only meaning can tell: an empty range of pages.
        if file.complaints.contains(where: { $0.message.hasPrefix("pages are written") }) {
          continue
        }
        // A step of another name makes the options those of another step.
        let violations = checker.violations(of: changed)
        #expect(
          violations.isEmpty == !wrong,
          "\(place.map(\.description)) = \(value): \(violations) against \(file.rendered())")
        if wrong { refused += 1 } else { taken += 1 }
      }
    }
    #expect(refused > 500 && taken > 100, "\(refused) refused, \(taken) taken")
  }

  private enum Key: CustomStringConvertible {
    case name(String), index(Int)
    var description: String {
      switch self {
      case .name(let name): name
      case .index(let index): "[\(index)]"
      }
    }
  }

  private static func places(in value: JSON) -> [[Key]] {
    switch value {
    case .object(let members):
      members.flatMap { member in
        [[Key.name(member.name)]] + places(in: member.value).map { [.name(member.name)] + $0 }
      }
    case .array(let values):
      values.enumerated().flatMap { index, value in
        [[Key.index(index)]] + places(in: value).map { [.index(index)] + $0 }
      }
    default: []
    }
  }

  private static func setting(_ value: JSON, _ place: ArraySlice<Key>, _ new: JSON) -> JSON {
    guard let first = place.first else { return new }
    switch (first, value) {
    case (.name(let name), .object):
      return value.setting(name, setting(value[name] ?? .null, place.dropFirst(), new))
    case (.index(let index), .array(var values)):
      values[index] = setting(values[index], place.dropFirst(), new)
      return .array(values)
    default: return value
    }
  }

  @Test func `a file means what it says`() throws {
    let file = ConfigurationFile(
      name: "everything", text: try Self.text("right", "everything"), catalog: Steps.catalog)
    let meant = try #require(file.configuration)
    #expect(meant.inbox.path == "in")
    #expect(!meant.inbox.recursive)
    #expect(meant.inbox.settle == 250)
    #expect(meant.inbox.settleUnleased == 1500)
    #expect(meant.inbox.settleEndMark == 3_600_000)
    #expect(meant.inbox.rescan == 86_400_000)
    #expect(meant.inbox.poll == 3000)
    #expect(meant.inbox.watch == .events)
    #expect(meant.inbox.ignore == ConfigurationShape.shippedIgnores + ["*.bak", "drafts/"])
    #expect(meant.outbox.path == "out")
    #expect(meant.outbox.layout == .folder)
    #expect(!meant.outbox.keepsSourceTime)
    #expect(meant.archive.path == "kept")
    #expect(meant.quarantine.path == "bad")
    #expect(meant.spool == "own")
    #expect(meant.workers == 3)
    #expect(meant.duplicates == .report)
    #expect(meant.isolationRequired)
    #expect(meant.pluginFolders == ["more"])
    let defaults = meant.defaults
    #expect((defaults.timeout, defaults.stall, defaults.files) == (90_000, 30_000, 12))
    #expect(defaults.retry.attempts == 5)
    #expect(defaults.retry.backoff == 2000)
    #expect(defaults.retry.factor == 1.5)
    #expect(defaults.retry.max == 60_000)
    #expect(defaults.limits.memory == 512 << 20)
    #expect(defaults.limits.output == 1_000_000_000)
    #expect(defaults.limits.pages == 7)
    #expect(defaults.limits.pixels == 2_500_000)
    let pipeline = try #require(meant.pipelines.first)
    #expect(pipeline.to == "{yyyy}/{pipeline}")
    let steps = pipeline.steps
    #expect(steps.map(\.id) == ["ocr", "text", "rows"])
    #expect(steps[0].timeout == 1_200_000)
    #expect(steps[1].timeout == 90_000)
    #expect(steps.map(\.stall) == [30_000, 30_000, 30_000])
    #expect(steps.map(\.attempts) == [1, 5, 5])
    #expect(steps[0].options.strings("languages") == ["eng", "deu"])
    #expect(steps[0].condition == Condition("probe.pagesWithoutText > 0"))
    #expect(steps[0].inputs.map(\.from) == [[.source]])
    #expect(steps[1].inputs.map(\.from) == [[.artifact(step: "ocr", role: "pdf"), .source]])
    #expect(steps[2].inputs.map(\.role) == ["source", "more"])
    #expect(
      steps[1].expectations == [
        Pipeline.Expectation(fact: "pages", comparison: .atLeast, value: 1),
        Pipeline.Expectation(fact: "pages", comparison: .atMost, value: 9),
      ])
    #expect(
      pipeline.emits == [
        Pipeline.Emit(
          from: .artifact(step: "text", role: "text"), otherwise: nil, optional: false, name: nil),
        Pipeline.Emit(
          from: .artifact(step: "ocr", role: "pdf"), otherwise: nil, optional: true, name: nil),
        Pipeline.Emit(
          from: .artifact(step: "rows", role: "csv"),
          otherwise: .artifact(step: "rows", role: "json"), optional: true,
          name: "{stem}-{sha8}.csv"),
      ])
  }

  @Test func `what is left out has its default, and options of steps too`() throws {
    let file = ConfigurationFile(
      name: "minimal", text: try Self.text("right", "minimal"), catalog: Steps.catalog)
    let meant = try #require(file.configuration)
    #expect(meant.inbox == Configuration.Inbox())
    #expect(meant.outbox == Configuration.Outbox())
    #expect(meant.defaults == Configuration.Defaults())
    #expect(meant.duplicates == .reuse)
    #expect(meant.pipelines.first?.match.isEverything == true)
    let scan = Steps.read(
      """
      {"version": 1, "pipelines": [{"id": "s", "steps": [{"id": "o", "use": "ocr.tesseract"}],
        "emit": ["o.pdf"]}]}
      """)
    #expect(scan.configuration?.pipelines[0].steps[0].options.strings("languages") == ["eng"])
  }

  @Test(arguments: [#""t.layout""#, #""t.layout?""#, #"{"from": "t.layout"}"#])
  func `an output that is emitted is asked for`(emit: String) throws {
    func layout(_ emits: String) -> Bool? {
      let file = Steps.read(
        """
        {"version": 1, "pipelines": [{"id": "s", "steps": [{"id": "t", "use": "pdf.text"}],
          "emit": [\(emits)]}]}
        """)
      return file.configuration?.pipelines[0].steps[0].options.flag("layout")
    }
    #expect(layout(emit) == true)
    #expect(layout(#""t.text""#) == false)
  }

  @Test func `a comment member beside a known one changes nothing`() throws {
    let rules = #""pipelines": [{"id": "all", "match": "*", "emit": ["source"]}]"#
    let plain = try #require(Steps.read(#"{"version": 1, \#(rules)}"#).configuration)
    let file = Steps.read(#"{"$comment": [1], "version": 1, \#(rules), "$note": "x"}"#)
    #expect(file.complaints.isEmpty)
    #expect(file.configuration?.inbox == plain.inbox)
  }

  @Test func `the hash of a pipeline follows its results, not its description`() throws {
    func canonical(_ extra: String, options: String = "{}") throws -> [UInt8] {
      let file = Steps.read(
        """
        {"version": 1, "pipelines": [{"id": "s", \(extra)
          "steps": [{"id": "o", "use": "ocr.tesseract", "with": \(options)}], "emit": ["o.pdf"]}]}
        """)
      return try #require(file.configuration).pipelines[0].canonical.line
    }
    let plain = try canonical("")
    #expect(try canonical(#""about": "Scans","#) == plain)
    #expect(try canonical("", options: #"{"languages": ["eng"]}"#) == plain)
    #expect(try canonical("", options: #"{"languages": ["deu"]}"#) != plain)
    #expect(try canonical(#""to": "x","#) != plain)
  }

  @Test func `the shipped file has no fault and is the built-in one`() throws {
    let shipped = try String(
      contentsOfFile: Programs.repository.appending("pipelines.json").string, encoding: .utf8)
    let file = Steps.read(shipped)
    #expect(file.complaints.isEmpty, "\(file.rendered())")
    #expect(file.configuration?.pipelines.count == 3)
    let source = try String(
      contentsOfFile: Programs.repository
        .appending("Sources/procd-daemon/BuiltInConfiguration.swift").string, encoding: .utf8)
    let parts = source.components(separatedBy: "\"\"\"")
    #expect(parts.count == 3)
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }
    // Who converts single files needs no page.
    let pageless = lines(shipped).filter { !$0.hasPrefix("\"web\":") }
    #expect(lines(parts[1]).filter { $0 != "#" } == pageless)
    #expect(pageless.count == lines(shipped).count - 1)
  }

  @Test func `a caret stands under the place in question`() {
    let file = Steps.read("{\n  \"version\": 1, \"pipelnes\": []\n}")
    let lines = file.rendered().split(separator: "\n").map(String.init)
    let shown = lines.firstIndex { $0.hasSuffix("\"version\": 1, \"pipelnes\": []") }
    if let shown, lines.indices.contains(shown + 1) {
      let caret = lines[shown + 1].firstIndex(of: "^").map {
        lines[shown + 1].distance(from: lines[shown + 1].startIndex, to: $0)
      }
      let word = lines[shown].range(of: "\"pipelnes\"").map {
        lines[shown].distance(from: lines[shown].startIndex, to: $0.lowerBound)
      }
      #expect(caret == word)
      #expect(lines[shown + 1].contains("^~~~~~~~~~ did you mean \"pipelines\"?"))
    } else {
      Issue.record("the line is not shown: \(file.rendered())")
    }
  }
}

extension Match {
  fileprivate var isEverything: Bool {
    if case .all(let parts) = self { parts.isEmpty } else { false }
  }
}
