import Foundation
import SystemPackage
import TestSupport
import Testing

/// The plugins of Plugins/Examples, found and run as a user would have it.
@Suite struct ExamplePluginTests {
  private static let python = Programs.find("python3")

  /// A folder with a configuration that knows the examples and has one pipeline of these steps.
  private func folder(steps: String, emit: String) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let examples = Programs.repository.appending("Plugins").appending("Examples").string
    try folder.write(
      """
      {
        "version": 1,
        "inbox": { "path": "inbox", "settle": "100ms" },
        "plugins": ["\(examples)"],
        "pipelines": [
          { "id": "figures", "match": { "mime": "text/*" }, "steps": [\(steps)], "emit": [\(emit)] }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  private func report(_ path: String, in folder: TemporaryFolder) throws -> [String: Any] {
    let data = try #require(folder.read(path), "\(path) is missing; there are \(folder.files())")
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func expectToolProfile(_ step: [String: Any]) throws {
    let isolation = try #require(step["isolation"] as? [String: Any])
    #expect(isolation["profile"] as? String == "tool")
    let landlock = try #require(isolation["landlock"] as? Int)
    let missing = try #require(isolation["missing"] as? [String])
    // What an old kernel lacks is said; on one that has all of it nothing may be missing.
    if landlock >= 6 { #expect(missing.isEmpty) } else { #expect(missing.contains("signals")) }
  }

  @Test func `a shell script without protocol is a step`() throws {
    let folder = try folder(
      steps: #"{ "id": "count", "use": "word.count" }"#, emit: #""count.json""#)
    try folder.write("Hello world\nthe quick brown fox\n", to: "inbox/notes/hello.txt")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty, "\(result.errors)")

    let counted = try report("outbox/notes/hello.json", in: folder)
    #expect(counted as? [String: Int] == ["lines": 2, "words": 6, "bytes": 32])
    let report = try report("outbox/notes/hello.txt.report.json", in: folder)
    #expect(report["outcome"] as? String == "done")
    let artifact = try #require((report["artifacts"] as? [[String: Any]])?.first)
    #expect(artifact["role"] as? String == "json")
    #expect(artifact["path"] as? String == "hello.json")
    #expect(artifact["mime"] as? String == "application/json")
    let step = try #require((report["steps"] as? [[String: Any]])?.first)
    #expect(step["plugin"] as? String == "word-count 1.0.0")
    try expectToolProfile(step)
    #expect(folder.exists("archive/notes/hello.txt"))
  }

  @Test func `exit status 65 puts the file into quarantine with the script's last words`() throws {
    let folder = try folder(
      steps: #"{ "id": "count", "use": "word.count", "with": { "mostBytes": 10 } }"#,
      emit: #""count.json""#)
    try folder.write("more than ten bytes of text\n", to: "inbox/long.txt")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 65)

    let report = try report("quarantine/long.txt.report.json", in: folder)
    let error = try #require(report["error"] as? [String: Any])
    #expect(error["class"] as? String == "input")
    #expect(error["code"] as? String == "command.input")
    #expect(
      error["message"] as? String == "the file has 28 bytes, more than the 10 that are allowed")
    #expect(folder.files(below: "outbox").isEmpty)
  }

  @Test func `wrong options of a foreign step are found before anything runs`() throws {
    let folder = try folder(
      steps: #"{ "id": "count", "use": "word.count", "with": { "mostBites": 10 } }"#,
      emit: #""count.json""#)
    let result = try Programs.run("procd", ["check"], in: folder.path)
    #expect(result.status == 78)
    #expect(result.errors.contains(#"did you mean "mostBytes"?"#), "\(result.errors)")
  }

  @Test(.enabled(if: python != nil, "SKIPPED: python3 is not installed, the example needs it"))
  func `a Python program speaks procd/1`() throws {
    let folder = try folder(
      steps: #"{ "id": "letters", "use": "letters.count" }"#, emit: #""letters.csv""#)
    try folder.write("Anna and Otto\n", to: "inbox/names.txt")
    try folder.write(
      Data("Caf\u{E9} au lait and more text\n".unicodeScalars.map { UInt8($0.value) }),
      to: "inbox/latin.txt")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 65, "\(result.errors)")

    let csv = try #require(folder.read("outbox/names.csv"))
    #expect(
      String(decoding: csv, as: UTF8.self)
        == "letter,count\r\na,3\r\nn,3\r\no,2\r\nt,2\r\nd,1\r\n")
    let done = try report("outbox/names.txt.report.json", in: folder)
    let step = try #require((done["steps"] as? [[String: Any]])?.first)
    #expect(step["plugin"] as? String == "letter-frequency 1.0.0")
    #expect(step["facts"] as? [String: Int] == ["letters": 11, "different": 5])
    try expectToolProfile(step)

    let refused = try report("quarantine/latin.txt.report.json", in: folder)
    let error = try #require(refused["error"] as? [String: Any])
    #expect(error["code"] as? String == "text.encoding")
    #expect(error["hint"] as? String == "save it as UTF-8")
  }
}
