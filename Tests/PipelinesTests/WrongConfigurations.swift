import Testing

/// The files of Tests/Fixtures/configurations/wrong, with the complaints that each is to give.
extension ConfigurationFileTests {
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
    Wrong("one-level-up", shape: true, hint: "it belongs in \"modified\": { \"olderThan\": … }") {
      [Fault("key.unknown", 3, 41)]
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
        Fault("match.never", 17, 19), Fault("match.never", 19, 37), Fault("place.shell", 4, 13),
        Fault("companion.pattern", 20, 56), Fault("expect.value", 21, 62),
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
        Fault("value.kind", 6, 67), Fault("value.kind", 8, 71),
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
    Wrong("meant", shape: false, hint: "did you mean \"image/jpeg\"?") {
      [
        Fault("match.never", 6, 53), Fault("if.form", 8, 47), Fault("if.form", 9, 47),
        Fault("if.value", 10, 47), Fault("step.reads", 16, 55), Fault("match.never", 19, 43),
        Fault("match.never", 20, 42), Fault("match.never", 21, 42), Fault("place.shell", 21, 66),
      ]
    },
    Wrong("together", shape: false, hint: "such as \"scans.example.org\"") {
      [
        Fault("match.never", 3, 42), Fault("place.shell", 4, 13), Fault("place.shell", 5, 14),
        Fault("web.hosts", 6, 71), Fault("match.never", 11, 25),
        Fault("onclash.duplicates", 17, 18),
        Fault("if.value", 19, 52), Fault("if.value", 20, 52),
      ]
    },
    Wrong("no-rows", shape: false, hint: "leave out the dot") {
      [
        Fault("series.rows", 7, 17), Fault("template.hidden", 8, 42),
        Fault("series.each", 13, 17),
      ]
    },
    Wrong("fact-type", shape: false, hint: "leave the condition out") {
      [Fault("if.type", 6, 62)]
    },
    Wrong("skipped", shape: false, hint: "write \"ocr.pdf?\"") {
      [Fault("emit.skipped", 11, 16), Fault("emit.skipped", 11, 27)]
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
}
