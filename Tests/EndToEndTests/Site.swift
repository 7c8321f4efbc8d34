import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// A folder with a configuration, as somebody would set procd up.
final class Site {
  let place = TemporaryFolder()

  /// The shipped configuration, with a shorter wait.
  init(_ change: (String) -> String = { $0 }) throws {
    let shipped = try String(
      contentsOfFile: Programs.repository.appending("pipelines.json").string, encoding: .utf8)
    // Its page would be at the same port for all tests.
    let pageless = shipped.replacing("  \"web\": \"127.0.0.1:8750\",\n", with: "")
    #expect(pageless != shipped)
    let quick = pageless.replacing(
      #""inbox": "inbox""#,
      with:
        #""inbox": { "path": "inbox", "settle": "200ms", "settleFolder": "200ms", "settleEndMark": "200ms" }"#
    )
    #expect(quick != shipped)
    try place.write(change(quick), to: "pipelines.json")
    try FileManager.default.createDirectory(
      atPath: place("inbox").string, withIntermediateDirectories: true)
  }

  /// A document whose second page cannot be read: its content is said to be compressed, and is not.
  static var halfPDF: String {
    let pages = PDFBuilder.pages([PDFBuilder.lines(["whole"]), PDFBuilder.lines(["broken"])])
    let parts = String(decoding: pages, as: UTF8.self).components(separatedBy: "/Length")
    #expect(parts.count == 3)
    return "\(parts[0])/Length\(parts[1])/Filter/FlateDecode/Length\(parts[2])"
  }

  @discardableResult
  func run(_ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", arguments, in: place.path)
  }

  func watch() throws -> Programs.Running {
    try Programs.start("procd", ["run", "--existing", "process"], in: place.path)
  }

  func put(sample: String, as name: String? = nil) throws {
    let path = Programs.repository.appending("docs/samples/\(sample)").string
    let data = try #require(FileManager.default.contents(atPath: path))
    try place.write(data, to: "inbox/\(name ?? sample)")
  }

  /// All files but those that SQLite has beside a ledger while somebody looks into it.
  var lastingFiles: [String] { place.lastingFiles }

  /// As a disk that fails might leave it.
  func damageLedger() throws {
    for name in ["ledger.sqlite-wal", "ledger.sqlite-shm"] where place.exists("spool/\(name)") {
      try FileManager.default.removeItem(atPath: place("spool/\(name)").string)
    }
    let header = Data("SQLite format 3\0".utf8)
    try place.write(header + Data(repeating: 0x55, count: 20_000), to: "spool/ledger.sqlite")
  }

  /// Makes all jobs but the newest ten days older.
  static func age(_ ledger: FilePath) throws {
    let script = """
      import sqlite3, sys
      ledger = sqlite3.connect(sys.argv[1])
      ledger.execute("UPDATE job SET finished = finished - 864000000"
                     " WHERE id <> (SELECT id FROM job ORDER BY finished DESC LIMIT 1)")
      ledger.commit()
      """
    let result = try Programs.run(
      try #require(Programs.find("python3")),
      ["-c", script, ledger.string],
      in: ledger.removingLastComponent())
    #expect(result.status == 0, "\(result.errors)")
  }

  static func pdf(_ text: String) -> Data { Data(PDFBuilder.pages([PDFBuilder.lines([text])])) }

  func json(_ path: String) throws -> JSON {
    try JSONReader.read(Array(try #require(place.read(path), "\(path) is missing"))).value
  }

  /// The report of a file in the outbox.
  func report(_ name: String) throws -> JSON { try json("outbox/\(name).report.json") }

  /// All files of the places that people see, with their content.
  var contents: [String: Data] {
    var contents: [String: Data] = [:]
    for folder in ["inbox", "outbox", "archive", "quarantine"] {
      for name in place.files(below: folder) {
        contents["\(folder)/\(name)"] = place.read("\(folder)/\(name)")
      }
    }
    return contents
  }

  /// What still lies in the daemon's own folder besides its ledger.
  var leftovers: [String] {
    place.files(below: "spool").filter {
      $0.contains("/") && !$0.hasPrefix("state/")
    }
  }
}

extension TemporaryFolder {
  /// All files but those that SQLite has beside a database while somebody looks into it.
  var lastingFiles: [String] {
    files().filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
  }
}
