import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Files that are attached to a PDF, with the recipe of docs/how-to.md.
@Suite(.enabled(if: Programs.find("qpdf") != nil, "SKIPPED: qpdf is not installed"))
struct AttachedFilesTests {
  private let site: Site

  init() throws {
    site = try Site()
    let path = Programs.repository.appending("docs/how-to.md").string
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let recipe = try #require(
      text.split(separator: "```json\n").first { $0.contains(#""use": "pdf.attachments""#) }?
        .split(separator: "\n```").first)
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "pipelines": [\(recipe)] }
      """, to: "pipelines.json")
  }

  /// Attaches files to a sample, by names that are given.
  private func attach(_ files: [(key: String, name: String, text: String)], to target: String)
    throws
  {
    let samples = Programs.repository.appending("docs/samples")
    var words = [samples.appending("report-mixed.pdf").string]
    for (number, file) in files.enumerated() {
      try site.place.write(file.text, to: "parts/\(number)")
      words += [
        "--add-attachment", site.place("parts/\(number)").string, "--filename=\(file.name)",
        "--key=\(file.key)", "--",
      ]
    }
    try FileManager.default.createDirectory(
      atPath: site.place("inbox").string, withIntermediateDirectories: true)
    let made = try Programs.run(
      try #require(Programs.find("qpdf")), words + [site.place(target).string])
    try #require(made.status == 0, "\(made)")
  }

  private func outbox() -> [String] {
    (FileManager.default.subpaths(atPath: site.place("outbox").string) ?? []).sorted()
  }

  private func report(_ name: String) throws -> JSON {
    try JSONReader.read([UInt8](try #require(site.place.read("outbox/\(name)")))).value
  }

  @Test func `an invoice comes out with its XML`() throws {
    try attach([("x", "factur-x.xml", "<invoice/>")], to: "inbox/4711.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      outbox().filter { !$0.hasSuffix(".json") } == [
        "invoices", "invoices/4711", "invoices/4711/4711.pdf", "invoices/4711/4711.txt",
        "invoices/4711/factur-x.xml",
      ], "\(outbox())")
    #expect(site.place.read("outbox/invoices/4711/factur-x.xml") == Data("<invoice/>".utf8))
    // The command, which gives the text alone, says that there is more.
    let extracted = try site.run("extract", "archive/4711.pdf")
    #expect(extracted.errors.contains("factur-x.xml; the step pdf.attachments"), "\(extracted)")
  }

  @Test func `no name of an attached file leads out of its folder or over another`() throws {
    let names = [
      "../../../escaped", "/etc/escaped", "same.txt", "same.txt", "a\nb\u{202E}.txt", "..", "",
      ".procd", "hostile.txt", "hostile.pdf",
    ]
    try attach(
      names.enumerated().map { ("\($0)", $1, "content \($0)") }, to: "inbox/hostile.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let files = outbox().filter { $0.hasPrefix("invoices/hostile/") }
    let contents = files.compactMap { site.place.read("outbox/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }
    for number in names.indices {
      #expect(contents.count { $0 == "content \(number)" } == 1, "\(number): \(files)")
    }
    #expect(!files.contains { $0.contains("\n") || $0.contains("\u{202E}") }, "\(files)")
    #expect(
      !site.place.exists("escaped") && !FileManager.default.fileExists(atPath: "/etc/escaped"))
    // The text of the document and the document itself keep their names.
    #expect(files.contains("invoices/hostile/hostile.pdf"))
  }

  @Test func `an attached file that is damaged is named, and the others come out`() throws {
    try attach(
      [
        ("a", "good.txt", "all is well"),
        ("b", "bad.txt", String(repeating: "0123456789", count: 500)),
      ],
      to: "whole.pdf")
    var bytes = try #require(site.place.read("whole.pdf"))
    let size = try #require(bytes.range(of: Data("/Size 5000".utf8)))
    let start = try #require(
      bytes.range(of: Data("stream\n".utf8), in: size.upperBound..<bytes.count))
    for index in start.upperBound + 4..<start.upperBound + 12 { bytes[index] ^= 0xFF }
    try site.place.write(bytes, to: "inbox/damaged.pdf")
    _ = try site.run("run", "--once")
    #expect(site.place.read("outbox/invoices/damaged/good.txt") == Data("all is well".utf8))
    let report = try #require(outbox().first { $0.hasSuffix("damaged.pdf.report.json") })
    let told = try self.report(report)
    #expect(told["partial"] == true, "\(told)")
    #expect("\(told)".contains("the attached file bad.txt is damaged"), "\(told)")
  }
}
