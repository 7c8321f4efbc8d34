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

  /// What is wrong with a file: the code and where it points.
  struct Fault: Equatable, CustomStringConvertible {
    var code: String, line: Int, column: Int
    init(_ code: String, _ line: Int, _ column: Int) {
      (self.code, self.line, self.column) = (code, line, column)
    }
    var description: String { "\(code) \(line):\(column)" }
  }

  struct Wrong: CustomTestStringConvertible, Sendable {
    var name: String
    var faults: @Sendable () -> [Fault]
    /// Whether a schema can know that the file is wrong; nil where it is no JSON.
    var shape: Bool?
    var hint: String?
    init(
      _ name: String, shape: Bool?, hint: String? = nil, _ faults: @escaping @Sendable () -> [Fault]
    ) {
      (self.name, self.shape, self.hint, self.faults) = (name, shape, hint, faults)
    }
    var testDescription: String { name }
  }

  static let wrong: [Wrong] = [
    Wrong("unknown-key", shape: true, hint: "did you mean \"inbox\"?") {
      [Fault("key.unknown", 3, 3)]
    },
    Wrong("mistyped-key", shape: true, hint: "did you mean \"pipelines\"?") {
      [Fault("key.unknown", 3, 3)]
    },
    Wrong("bad-day", shape: true) {
      [Fault("value.kind", 3, 63), Fault("value.kind", 3, 85)]
    },
    Wrong("refused-edition", shape: false, hint: "number or replace") {
      [Fault("onclash.series", 3, 61)]
    },
    Wrong("replace-folder", shape: false, hint: "leave out onClash, or the layout") {
      [Fault("outbox.onClash", 4, 41)]
    },
    Wrong("fleet", shape: false, hint: "\"credentials\" names its file") {
      [
        Fault("url.server", 4, 16), Fault("url.server", 4, 16), Fault("step.stays", 5, 14),
        Fault("value.patience", 5, 44),
      ]
    },
    Wrong("unknown-option", shape: true, hint: "did you mean \"languages\"?") {
      [Fault("option.unknown", 6, 66)]
    },
    Wrong("option-outside", shape: true, hint: "\"with\": { \"languages\": … }") {
      [Fault("key.unknown", 6, 56)]
    },
    Wrong("option-value", shape: true, hint: "did you mean \"turn\"?") {
      [Fault("value.unknown", 6, 80)]
    },
    Wrong("never", shape: false, hint: "did you mean \"image/jpeg\"?") {
      [
        Fault("match.never", 7, 26), Fault("match.never", 8, 26), Fault("match.never", 9, 26),
        Fault("match.never", 10, 38), Fault("ref.fact", 11, 74), Fault("step.reads", 14, 40),
        Fault("match.never", 16, 37),
        Fault("match.never", 17, 19), Fault("place.shell", 4, 13),
      ]
    },
    Wrong("blind", shape: false, hint: "without quotes") {
      [
        Fault("match.never", 3, 68), Fault("match.never", 5, 37), Fault("match.never", 6, 37),
        Fault("match.never", 7, 56), Fault("expect.value", 9, 78),
      ]
    },
    Wrong("patterns", shape: false, hint: "did you mean \"*.pdf\"?") {
      [
        Fault("match.never", 4, 42), Fault("match.never", 5, 41), Fault("match.never", 6, 40),
        Fault("match.never", 7, 40), Fault("template.brace", 7, 68), Fault("match.never", 8, 39),
        Fault("match.never", 9, 40), Fault("match.never", 10, 39),
      ]
    },
    Wrong("unknown-step", shape: true, hint: "did you mean \"pdf.text\"?") {
      [Fault("step.unknown", 6, 40)]
    },
    Wrong("bad-reference", shape: false, hint: "did you mean \"ocr\"?") {
      [
        Fault("ref.step", 8, 50), Fault("ref.artifact", 9, 50), Fault("ref.form", 10, 50),
        Fault("ref.fact", 10, 63), Fault("if.form", 11, 50), Fault("ref.fact", 11, 77),
        Fault("ref.step", 13, 16), Fault("template.unknown", 13, 59),
        Fault("template.unknown", 14, 13), Fault("template.outside", 14, 13),
      ]
    },
    Wrong("duplicate-id", shape: false) {
      [
        Fault("step.reads", 7, 37), Fault("id.twice", 7, 59), Fault("step.reads", 7, 71),
        Fault("id.twice", 11, 13), Fault("id.twice", 12, 25),
      ]
    },
    Wrong("overlapping-places", shape: false) {
      [Fault("place.overlap", 4, 13), Fault("place.overlap", 6, 17)]
    },
    Wrong("bad-regex", shape: false) { [Fault("value.regex", 6, 37)] },
    Wrong("bad-pages", shape: false) { [Fault("value.kind", 6, 37)] },
    Wrong("bad-quantities", shape: true, hint: "write \"2s\" for seconds") {
      [
        Fault("value.kind", 3, 24), Fault("value.kind", 3, 35), Fault("value.kind", 3, 58),
        Fault("value.kind", 5, 14), Fault("value.kind", 6, 27), Fault("value.kind", 6, 52),
        Fault("value.kind", 6, 67),
      ]
    },
    Wrong("trailing-comma", shape: nil) { [Fault("json", 4, 1)] },
    Wrong("comment", shape: nil) { [Fault("json", 2, 3)] },
    Wrong("comment-value", shape: nil) { [Fault("json", 2, 14)] },
    Wrong("duplicate-key", shape: nil) { [Fault("json", 4, 3)] },
    Wrong("shadowed", shape: false) {
      [Fault("route.shadowed", 10, 13)]
    },
    Wrong("unused", shape: false, hint: "{stem}.pdf") {
      [
        Fault("step.unused", 7, 17), Fault("template.hidden", 8, 42),
        Fault("template.hidden", 9, 13),
      ]
    },
    Wrong("habits", shape: nil) { [Fault("json", 4, 3)] },
    Wrong("quotes", shape: nil) { [Fault("json", 3, 3)] },
    Wrong("conditions", shape: false, hint: "did you mean \"application/pdf\"?") {
      [
        Fault("if.form", 7, 47), Fault("if.form", 8, 47), Fault("match.never", 9, 47),
        Fault("if.value", 10, 47), Fault("if.value", 11, 47), Fault("if.value", 12, 47),
      ]
    },
    Wrong("no-ending", shape: false, hint: "write \"{yyyy} {stem}.txt\"") {
      [Fault("template.ending", 8, 45)]
    },
    Wrong("no-rule", shape: false, hint: "procd init") { [Fault("route.none", 3, 16)] },
    Wrong("many-at-once", shape: true, hint: "leave the quotes out") {
      [
        Fault("key.missing", 1, 1), Fault("value.kind", 2, 12), Fault("value.kind", 3, 14),
        Fault("value.unknown", 4, 17), Fault("value.kind", 5, 14), Fault("value.kind", 7, 13),
        Fault("key.unknown", 7, 26), Fault("value.empty", 7, 47),
        Fault("value.kind", 10, 26), Fault("key.unknown", 10, 39), Fault("value.empty", 10, 63),
        Fault("key.unknown", 10, 76), Fault("value.kind", 11, 40), Fault("value.kind", 11, 52),
        Fault("key.unknown", 12, 18),
      ]
    },
    Wrong("three-kinds", shape: true, hint: "did you mean \"settle\"?") {
      [Fault("key.unknown", 3, 31), Fault("value.kind", 4, 14), Fault("ref.artifact", 10, 16)]
    },
    Wrong("no-follow-ups", shape: true) {
      [
        Fault("value.kind", 3, 12), Fault("key.unknown", 7, 7),
        Fault("key.unknown", 9, 11), Fault("step.unknown", 10, 52), Fault("ref.step", 18, 16),
        Fault("value.kind", 21, 58), Fault("ref.step", 23, 32), Fault("key.unknown", 25, 7),
      ]
    },
    Wrong("unknown-folder", shape: true) { [Fault("key.unknown", 3, 3)] },
    Wrong("not-an-object", shape: true) { [Fault("value.kind", 1, 1)] },
    Wrong("version", shape: true) { [Fault("value.kind", 1, 14)] },
    Wrong("cut-off", shape: nil) { [Fault("json", 4, 1)] },
    Wrong("accented-column", shape: true, hint: "did you mean \"pipelines\"?") {
      [Fault("key.unknown", 1, 35)]
    },
    Wrong("companions", shape: false, hint: "\"{stem}.xfdf\"") {
      [
        Fault("companion.match", 5, 33), Fault("companion.pattern", 10, 16),
        Fault("companion.pattern", 10, 31), Fault("companion.pattern", 10, 47),
        Fault("companion.pattern", 10, 57), Fault("companion.pattern", 10, 75),
        Fault("companion.gather", 14, 60), Fault("companion.none", 18, 60),
        Fault("step.unknown", 13, 5), Fault("id.twice", 19, 25), Fault("ref.companions", 19, 16),
        Fault("companion.emit", 24, 15),
      ]
    },
    Wrong("name-with-folder", shape: false) { [Fault("template.outside", 7, 45)] },
  ]

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
    let isUseless = ["shadowed", "unused", "no-rule", "no-ending"].contains(wrong.name)
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
    #expect(meant.inbox.ignore == ConfigurationShape.shippedIgnores + ["*.bak"])
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
          otherwise: .artifact(step: "rows", role: "json"), optional: false,
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
