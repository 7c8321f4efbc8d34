import PluginKit
import Testing

@testable import Pipelines

@Suite struct RoutingTests {
  private func facts(
    _ mime: String = "application/pdf", name: String = "a.pdf", path: String? = nil,
    size: Int = 100, candidates: [String]? = nil
  ) -> RoutingFacts {
    RoutingFacts(
      mime: mime, candidates: candidates ?? [mime], name: name, path: path ?? name, size: size)
  }

  private enum Answer: Equatable { case yes, no, asks(String) }

  private func answer(
    _ match: String, _ file: RoutingFacts, _ answers: TextAnswers = [:]
  ) throws -> Answer {
    switch try Steps.matching(match).route(file, answers: answers).answer {
    case .pipeline(0): .yes
    case .pipeline: .no
    case .unmatched: .no
    case .ask(let question): .asks(question.regex)
    }
  }

  @Test(arguments: [
    ("*", "a.pdf", true), ("*", "", true), ("*", "in/a.pdf", false), ("**", "in/a.pdf", true),
    ("*.pdf", "a.pdf", true), ("*.pdf", "a.pdf.txt", false), ("*.pdf", "x/a.pdf", false),
    ("in/*", "in/a", true), ("in/*", "in/b/a", false), ("in/**", "in/b/a", true),
    ("*/*.pdf", "a/b.pdf", true), ("*/*.pdf", "a/b/c.pdf", false),
    ("**/*.pdf", "a/b/c.pdf", true), ("**/*.pdf", "a.pdf", false),
    ("**/x/*.pdf", "a/x/b/x/c.pdf", true), ("**/x/*.pdf", "a/x/b/c.pdf", false),
    ("a?c", "abc", true), ("a?c", "ac", false), ("a?c", "aéc", true),
    ("*a*b*c", "1a2b3c", true), ("*a*b*c", "1a2c3b", false), ("a*a*a", "aa", false),
    ("", "", true), ("", "a", false), ("[ab]", "[ab]", true), ("A*", "ab", false),
  ])
  func `a pattern takes what it says`(pattern: String, text: String, matches: Bool) {
    #expect(glob(pattern, matches: text) == matches)
  }

  @Test(arguments: [
    // Composed in the pattern, decomposed in the name, as macOS has them.
    ("Rechnung f\u{FC}r*", "Rechnung fu\u{308}r Ada.txt", false, true),
    ("Scan ?.txt", "Scan u\u{308}.txt", false, true), ("\u{DC}BER*", "u\u{308}ber.txt", true, true),
    ("\u{DC}BER*", "u\u{308}ber.txt", false, false), ("SCAN.PDF", "scan.pdf", true, true),
  ])
  func `letters are the same however they are composed`(
    pattern: String, text: String, ignoresCase: Bool, matches: Bool
  ) {
    #expect(glob(pattern, matches: text, ignoresCase: ignoresCase) == matches)
  }

  @Test func `a pattern of many stars is decided at once`() {
    let pattern = String(repeating: "*a", count: 2000) + "b"
    #expect(!glob(pattern, matches: String(repeating: "a", count: 4000)))
  }

  @Test func `the first rule that matches is taken, and the trace says why others were not`() {
    let file = Steps.read(
      """
      {"version": 1, "pipelines": [
        {"id": "images", "match": {"mime": "image/*"}, "emit": ["source"]},
        {"id": "small", "match": {"size": {"max": "1KiB"}},
         "steps": [{"id": "t", "use": "pdf.text"}], "emit": ["t.text"]},
        {"id": "rest", "steps": [{"id": "t", "use": "pdf.text"}], "emit": ["t.text"]}]}
      """)
    let router = Router(file.configuration?.pipelines ?? [])
    let (answer, trace) = router.route(facts())
    guard case .pipeline(1) = answer else {
      Issue.record("not the second rule: \(answer)")
      return
    }
    #expect(trace.map(\.pipeline) == ["images", "small"])
    #expect(trace.map(\.taken) == [false, true])
    #expect(trace[0].reason == "type is application/pdf, not image/*")
    let (other, _) = router.route(facts(), passedOver: ["small"])
    guard case .pipeline(2) = other else {
      Issue.record("a rule that was passed over was taken again: \(other)")
      return
    }
    let (none, all) = router.route(facts(), passedOver: ["small", "rest"])
    guard case .unmatched = none else {
      Issue.record("something took it: \(none)")
      return
    }
    #expect(all.count == 3)
  }

  @Test func `names beside a type are those of files of that type`() {
    let file = Steps.read(
      """
      {"version": 1, "pipelines": [
        {"id": "mail", "match": {"any": [{"mime": "message/rfc822"}, {"name": "*.eml"}]},
         "emit": ["source"]},
        {"id": "named", "match": {"name": "*.eml"}, "emit": ["source"]},
        {"id": "images", "match": {"mime": "image/*", "name": "x*"}, "emit": ["source"]}]}
      """)
    let router = Router(file.configuration?.pipelines ?? [])
    func nearly(_ mime: String) -> [Bool] { router.route(facts(mime)).trace.map(\.takesType) }
    #expect(nearly("application/vnd.ms-excel") == [false, true, false])
    #expect(nearly("image/png") == [false, true, true])
  }

  @Test func `a question about text is put only when cheap conditions leave it open`() throws {
    let match = #"{"text": {"regex": "Total"}, "mime": "application/pdf", "name": "a*"}"#
    #expect(try answer(match, facts()) == .asks("Total"))
    #expect(try answer(match, facts("image/png")) == .no)
    #expect(try answer(match, facts(name: "b.pdf")) == .no)
    let any = #"{"any": [{"text": {"regex": "Total"}}, {"mime": "application/pdf"}]}"#
    #expect(try answer(any, facts()) == .yes)
    #expect(try answer(any, facts("image/png")) == .asks("Total"))
    let all = #"{"all": [{"text": {"regex": "Total"}}, {"size": {"min": "1KB"}}]}"#
    #expect(try answer(all, facts()) == .no)
    #expect(try answer(all, facts(size: 1000)) == .asks("Total"))
    #expect(try answer(#"{"not": {"text": {"regex": "Total"}}}"#, facts()) == .asks("Total"))
  }

  @Test func `an answered question decides by its number of lines`() throws {
    let match = #"{"text": {"pages": "1-2", "regex": "x", "lines": 3}}"#
    let question = TextQuestion(
      pages: try #require(PageSelection("1-2")), regex: "x", lines: 3)
    #expect(try answer(match, facts(), [question: 2]) == .no)
    #expect(try answer(match, facts(), [question: 3]) == .yes)
    let two = #"{"all": [\#(match), {"text": {"regex": "y"}}]}"#
    #expect(try answer(two, facts(), [question: 3]) == .asks("y"))
    #expect(try answer(two, facts(), [question: 0]) == .no)
  }

  @Test func `conditions combine as all, any and not say`() throws {
    let pdf = #"{"mime": "application/pdf"}"#, named = #"{"name": "b*"}"#
    #expect(try answer(#"{"all": [\#(pdf), \#(named)]}"#, facts()) == .no)
    #expect(try answer(#"{"any": [\#(pdf), \#(named)]}"#, facts()) == .yes)
    #expect(try answer(#"{"not": \#(named)}"#, facts()) == .yes)
    #expect(try answer(#"{"not": {"any": [\#(pdf), \#(named)]}}"#, facts()) == .no)
    #expect(try answer(#"{"not": {"not": \#(pdf)}}"#, facts()) == .yes)
    #expect(try answer(#"{"mime": ["image/*", "application/pdf"]}"#, facts()) == .yes)
    #expect(try answer("{}", facts()) == .yes)
  }

  @Test func `type, path and size are compared as written`() throws {
    let candidates = ["application/zip", "application/vnd.oasis.opendocument.text"]
    #expect(
      try answer(
        #"{"mime": "application/vnd.oasis.*"}"#, facts("application/zip", candidates: candidates))
        == .no)
    #expect(
      try answer(
        #"{"mime": "application/vnd.oasis.opendocument.text"}"#,
        facts("application/zip", candidates: candidates)) == .yes)
    #expect(try answer(#"{"mime": "APPLICATION/PDF"}"#, facts("application/pdf; x=y")) == .yes)
    #expect(try answer(#"{"path": "in/*.pdf"}"#, facts(path: "in/a.pdf")) == .yes)
    #expect(try answer(#"{"path": "*.pdf"}"#, facts(path: "in/a.pdf")) == .no)
    #expect(try answer(#"{"size": {"min": "100B", "max": "100B"}}"#, facts()) == .yes)
    #expect(try answer(#"{"size": {"min": "101B"}}"#, facts()) == .no)
    #expect(try answer(#"{"size": {"max": "99B"}}"#, facts()) == .no)
  }

  @Test(arguments: [
    (#"{"from": "2026-11-25"}"#, true), (#"{"from": "2026-11-26"}"#, false),
    (#"{"until": "2026-11-25"}"#, true), (#"{"until": "2026-11-24"}"#, false),
    (#"{"from": "2026-11-01", "until": "2026-11-30"}"#, true),
    (#"{"olderThan": "2h"}"#, true), (#"{"olderThan": "3h"}"#, false),
    (#"{"newerThan": "2h"}"#, true), (#"{"newerThan": "1h"}"#, false),
    (#"{"olderThan": "1h", "until": "2020-01-01"}"#, false),
  ])
  func `a file matches by when it was changed, and how long ago that was when it came`(
    condition: String, matches: Bool
  ) throws {
    var file = facts()
    // 2026-11-25T22:00:00Z, and two hours later.
    file.modified = 1_795_644_000_000
    file.arrived = 1_795_651_200_000
    let match = #"{"modified": \#(condition)}"#
    #expect(try answer(match, file) == (matches ? .yes : .no))
    // Of a file that is not here yet nothing is known.
    #expect(try Steps.matching(match).mayTake(path: "a.pdf"))
  }

  @Test func `a star takes every file`() throws {
    #expect(try answer(#""*""#, facts("image/png")) == .yes)
  }

  @Test(arguments: [
    ("probe.pages > 0", true), ("probe.pages >= 3", true), ("probe.pages > 3", false),
    ("probe.pages<4", true), ("probe.pages <= 2", false), ("probe.pages == 3", true),
    ("probe.pages == 3.0", true), ("probe.pages != 3", false), ("probe.locked == true", true),
    ("probe.locked != true", false), ("probe.mime == image/png", true),
    ("probe.mime != image/gif", true), ("probe.mime > 1", false), ("probe.none == 0", false),
    ("probe.none != 0", false), ("other.pages > 0", false),
  ])
  func `a condition compares a fact, and a missing fact makes it false`(
    text: String, holds: Bool
  ) throws {
    let condition = try #require(Condition(text))
    let facts: JSON = ["pages": 3, "locked": true, "mime": "image/png"]
    #expect(condition.holds(["probe": facts]) == holds)
  }

  @Test(arguments: ["", "pages > 0", "probe.pages", "probe.pages >", "> 0", "probe. > 0", ".x > 0"])
  func `what is no comparison is none`(text: String) {
    #expect(Condition(text) == nil)
  }

  @Test func `an expectation holds only for a fact that is there`() {
    typealias Expectation = Pipeline.Expectation
    let facts: JSON = ["rows": 5, "kind": "list", "exact": 2.0]
    func holds(_ fact: String, _ comparison: Expectation.Comparison, _ value: JSON) -> Bool {
      Expectation(fact: fact, comparison: comparison, value: value).holds(for: facts)
    }
    #expect(holds("rows", .atLeast, 5))
    #expect(!holds("rows", .atLeast, 6))
    #expect(holds("rows", .atMost, 5))
    #expect(!holds("rows", .atMost, 4))
    #expect(holds("kind", .equal, "list"))
    #expect(!holds("kind", .equal, "table"))
    #expect(holds("exact", .equal, 2))
    #expect(!holds("kind", .atLeast, 0))
    #expect(!holds("none", .atMost, 5))
    #expect(!holds("none", .equal, .null))
  }

  @Test(
    arguments: ["all", "1", "2-5", "3-3", "-1", "1-", "2-5,9"].map { ($0, true) }
      + ["0", "5-2", "-", "", "x", "1-2-3", "1,", "--1", "all,1"].map { ($0, false) })
  func `pages are numbers, ranges or all`(text: String, valid: Bool) {
    #expect((PageSelection(text) != nil) == valid)
  }

  @Test func `waits between attempts grow to their limit`() {
    var retry = Configuration.Retry()
    (retry.backoff, retry.factor, retry.max) = (1000, 3, 10_000)
    #expect([1, 2, 3, 4, 1_000_000].map(retry.wait) == [1000, 3000, 9000, 10_000, 10_000])
  }
}

@Suite struct NameTemplateTests {
  @Test func `known places are filled in and unknown ones are found`() {
    let template = NameTemplate("{yyyy}/{stem}-{sha8}.{ext}")
    #expect(template.unknown(besides: []) == [])
    #expect(
      template.filled(["yyyy": "2026", "stem": "a", "sha8": "0f", "ext": "pdf"]) == "2026/a-0f.pdf")
    #expect(NameTemplate("{stem}{yy}{zz}").unknown(besides: []) == ["yy", "zz"])
    #expect(NameTemplate("plain").filled([:]) == "plain")
    #expect(NameTemplate("{}").unknown(besides: []) == [""])
    #expect(["{stem", "stem}", "{{stem}}", "{a}{"].allSatisfy { NameTemplate($0).isUnbalanced })
    #expect(!NameTemplate("{stem}/x").isUnbalanced)
  }

  @Test func `a value cannot make folders or leave one`() {
    #expect(NameTemplate("x/{stem}").filled(["stem": "a/b"]) == "x/a_b")
    #expect(NameTemplate("x/{stem}").filled(["stem": ".."]) == "x/__")
    // Nor hide what it names.
    #expect(NameTemplate("{stem}/{ext}.txt").filled(["stem": ".a", "ext": ".."]) == "_a/_..txt")
    #expect(NameTemplate("{stem}.txt").filled(["stem": ""]) == "_txt")
    #expect(NameTemplate("x/.{stem}").filled(["stem": "a"]) == "x/.a")
    #expect(NameTemplate("x/{stem}").filled(["stem": "."]) == "x/_")
    #expect(NameTemplate("{stem}").filled(["stem": "..."]) == "_..")
    #expect(NameTemplate("x/.{stem}/y").filled(["stem": "."]) == "x/__/y")
    #expect(NameTemplate("x/{stem}/y").filled([:]) == "x//y")
  }
}
