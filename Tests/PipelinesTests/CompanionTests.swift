import PluginKit
import SystemPackage
import Testing

@testable import Pipelines

@Suite struct CompanionTests {
  private static func configuration(_ pipelines: String) throws -> Configuration {
    try #require(Steps.read(#"{"version": 1, "pipelines": [\#(pipelines)]}"#).configuration)
  }

  private static func rule(_ more: String, id: String = "pairs") -> String {
    #"{"id": "\#(id)", \#(more), "steps": [{"id": "t", "use": "pdf.text"}], "emit": ["t.text"]}"#
  }

  private func rules(_ more: String...) throws -> CompanionRules {
    let rules = more.enumerated().map { Self.rule($1, id: "rule\($0)") }
    return CompanionRules(try Self.configuration(rules.joined(separator: ",")).pipelines)
  }

  @Test func `a file wants what its rule says, in its own folder`() throws {
    let rules = try rules(
      #""match": {"name": "*.pdf"}, "with": ["{stem}.xfdf", ["{name}.json", "notes-{stem}"]]"#)
    #expect(
      rules.wanted(by: "in/report.v2.pdf")
        == [
          CompanionRules.Wanted(
            names: [["report.v2.xfdf"], ["report.v2.pdf.json", "notes-report.v2"]], wait: 600_000)
        ])
    #expect(rules.wanted(by: "photo.jpg") == [])
    #expect(rules.waitOfCompanion("in/report.xfdf") == 600_000)
    #expect(rules.waitOfCompanion("in/report.pdf") == nil)
    #expect(rules.waitOfCompanion(".xfdf") == nil)
  }

  @Test func `what is a companion wants none, and the rules come in their order`() throws {
    let rules = try rules(
      #""match": {"path": "in/**"}, "with": "{stem}.xfdf", "wait": "1m""#,
      #""match": {"name": "*.pdf", "not": {"path": "in/*"}}, "with": "{stem}.json", "wait": "2m""#,
      #""match": {"name": "*.pdf"}, "with": "{stem}.txt", "wait": "3m""#)
    #expect(rules.wanted(by: "in/a.xfdf") == [])
    #expect(rules.wanted(by: "in/a.pdf").map(\.names) == [[["a.xfdf"]], [["a.txt"]]])
    #expect(rules.wanted(by: "a.pdf").map(\.names) == [[["a.json"]], [["a.txt"]]])
    #expect(rules.waitOfCompanion("a.json") == 120_000)
  }

  @Test func `names that are no UTF-8 find each other`() throws {
    let rules = try rules(#""match": {"name": "*.pdf"}, "with": "{stem}.xfdf""#)
    let stem: [UInt8] = [0xFF, 0x41, 0xC3]
    let wanted = rules.wanted(by: FilePath(bytes: stem + Array(".pdf".utf8)))
    #expect(wanted.first?.names == [[FilePath(bytes: stem + Array(".xfdf".utf8))]])
  }

  @Test func `a rule takes a file only with what it wants, and says what lacks`() throws {
    let pipelines = try Self.configuration(
      [
        Self.rule(
          #""match": {"name": "*.pdf"}, "with": ["{stem}.xfdf", ["{stem}.a", "{stem}.b"]]"#),
        Self.rule(#""match": {"mime": "application/pdf"}"#, id: "alone"),
      ].joined(separator: ",")
    ).pipelines
    func taken(_ companions: [String], name: String = "x.pdf") -> (String?, [RuleTrace]) {
      let facts = RoutingFacts(
        mime: "application/pdf", candidates: ["application/pdf"], name: name, path: name, size: 1,
        companions: companions)
      let (answer, trace) = Router(pipelines).route(facts)
      guard case .pipeline(let index) = answer else { return (nil, trace) }
      return (pipelines[index].id, trace)
    }
    #expect(taken(["x.xfdf", "x.b"]).0 == "pairs")
    let (alone, trace) = taken([])
    #expect(alone == "alone")
    #expect(trace[0].reason == "it came without x.xfdf" && trace[0].lacksCompanion)
    let (none, traces) = taken(["x.xfdf"])
    #expect(none == nil && traces[0].reason == "it came without x.a or x.b")
    #expect(traces[1].reason == "takes a file alone, this one came with x.xfdf")
    #expect(!traces[1].lacksCompanion)
  }

  @Test func `what comes with a file changes what its results are known by`() throws {
    func canonical(_ more: String) throws -> JSON {
      try Self.configuration(Self.rule(#""match": {"name": "*.pdf"}\#(more)"#)).pipelines[0]
        .canonical
    }
    #expect(try canonical("") != canonical(#", "with": "{stem}.xfdf""#))
    #expect(
      try canonical(#", "with": "{stem}.xfdf""#)
        == canonical(#", "with": "{stem}.xfdf", "wait": "3s""#))
  }

  @Test func `an arrival keeps what came with it`() throws {
    let arrival = Arrival(
      path: "in/a.pdf", device: 1, inode: 2, size: 3, modifiedSeconds: 4, modifiedNanoseconds: 5,
      arrived: 6, completeness: .lease, companions: [FilePath(bytes: [0xFF, 0x41]), "a.xfdf"])
    #expect(Arrival(arrival.json) == arrival && arrival.isHeldInFolder)
  }
}
