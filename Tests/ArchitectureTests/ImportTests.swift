import Foundation
import SystemPackage
import TestSupport
import Testing

/// The import table of docs/architecture.md: imports go only downwards, and only as listed.
@Suite struct ImportTests {
  /// What each room may import of our own rooms.
  private static let rooms: [String: Set<String>] = [
    "Bytes": [], "PlainText": [], "Files": ["CLinux", "PlainText"], "Confinement": ["CLinux"],
    "SQLiteFiles": ["Files"], "PluginKit": ["Confinement", "CLinux"],
    "PDFSyntax": ["Bytes", "CZlib"],
    "ImageHeaders": ["Bytes"],
    "Pipelines": ["PluginKit", "PlainText"], "PDFText": ["PDFSyntax", "Bytes"],
    "PDFWriter": ["PDFSyntax", "Bytes"], "TableText": ["PDFText", "PDFSyntax", "Bytes"],
    "MarkdownText": ["TableText", "PDFText", "Bytes"],
    "Intake": ["Pipelines", "PluginKit", "Files", "CLinux"],
    "JobLedger": ["Pipelines", "PluginKit", "SQLiteFiles"],
    "Series": ["PluginKit", "SQLiteFiles", "Bytes"],
    "Notices": ["Pipelines", "PluginKit", "SQLiteFiles"],
    "Outbox": ["Pipelines", "PluginKit", "Files", "PlainText", "CLinux"],
    "Workers": ["PluginKit", "Pipelines", "Confinement", "Files", "CLinux"],
    "Probe": [
      "PluginKit", "CMagic", "Bytes", "ImageHeaders", "PDFSyntax", "PDFText", "TableText",
    ],
    "ImageOCR": [
      "PluginKit", "CTesseract", "CHeif", "Bytes", "ImageHeaders", "PDFSyntax", "PDFText",
      "PDFWriter",
    ],
    "PDFInput": ["PluginKit", "PDFText", "PDFSyntax", "Bytes"],
    "PDFTextExtraction": [
      "PluginKit", "Bytes", "MarkdownText", "PDFSyntax", "PDFText", "PDFInput",
    ],
    "StatusRows": ["PluginKit", "Bytes", "PDFSyntax", "PDFText", "PDFInput", "TableText"],
    "TableRows": ["PluginKit", "Bytes", "PDFSyntax", "PDFText", "PDFInput", "TableText"],
    "Guide": ["Guide", "PluginKit", "CXML", "CZlib"],
    "Notes": [
      "Notes", "PluginKit", "Bytes", "PDFSyntax", "PDFText", "PDFWriter", "PDFInput", "CHarfBuzz",
      "CFriBidi",
      "CFontconfig", "CXML",
    ],
    "Conveyor": [
      "Intake", "JobLedger", "Series", "Notices", "Workers", "Outbox", "Pipelines", "PluginKit",
      "Confinement", "Files", "PlainText",
    ],
    "ReadingArguments": [],
    "procd": [
      "ReadingArguments", "MarkdownText", "PDFSyntax", "PDFText", "TableText", "Confinement",
      "Bytes", "PlainText",
    ],
    "procd-daemon": [
      "ReadingArguments", "Conveyor", "Intake", "JobLedger", "Series", "Notices", "Pipelines",
      "PluginKit", "Confinement", "Files", "PlainText",
    ],
    "procd-net": ["Pipelines", "PluginKit", "Confinement", "Files"],
    "procd-worker": ["PluginKit", "Probe", "PDFTextExtraction", "StatusRows", "TableRows"],
    "procd-worker-ocr": ["PluginKit", "ImageOCR"],
    "Speech": [
      "PluginKit", "Bytes", "PDFSyntax", "PDFText", "PDFInput", "TableText", "CEspeak", "CSndfile",
    ],
  ]

  /// Which rooms may import a package from outside.
  private static let packages: [String: Set<String>] = [
    "Crypto": ["Files", "PDFSyntax", "procd-net"], "CryptoExtras": ["PDFSyntax"],
    "GRDB": ["Guide", "JobLedger", "Notices", "SQLiteFiles", "Series"],
    "AsyncHTTPClient": ["procd-net"],
    "NIOCore": ["procd-net"],
    "NIOHTTP1": ["procd-net"], "NIOPosix": ["procd-net"], "NIOSSL": ["procd-net"],
    "Logging": ["Conveyor", "procd-daemon"], "ServiceLifecycle": ["Conveyor", "procd-daemon"],
    "UnixSignals": ["procd-daemon"],
    "ArgumentParser": ["ReadingArguments", "procd", "procd-daemon"],
    "SystemPackage": [
      "Files", "Pipelines", "Intake", "JobLedger", "Notices", "Series", "SQLiteFiles", "Outbox",
      "Workers", "Conveyor", "Bytes", "Confinement", "PluginKit", "PDFInput", "ReadingArguments",
      "ImageOCR",
      "Guide", "Notes", "Speech", "procd", "procd-daemon", "procd-net",
    ],
    "FoundationEssentials": [
      "JobLedger", "Notices", "Series", "Pipelines", "PDFSyntax", "Conveyor", "procd-net",
    ],
  ]

  private static let everywhere: Set<String> = ["Glibc", "Synchronization"]

  private struct Source {
    var room: String
    var name: String
    var text: String

    var imports: [String] {
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
          words[..<place].allSatisfy({
            ["public", "package", "internal", "@preconcurrency"].contains($0)
          })
        else { return nil }
        return words[place + 1]
      }
    }
  }

  private static func sources() -> [Source] {
    ["Sources", "Plugins"].flatMap { top -> [Source] in
      let base = Programs.repository.appending(top).string
      return (FileManager.default.subpaths(atPath: base) ?? []).compactMap { path in
        guard path.hasSuffix(".swift"), !path.hasPrefix("Examples/"),
          let data = FileManager.default.contents(atPath: "\(base)/\(path)")
        else { return nil }
        return Source(
          room: String(path.prefix { $0 != "/" }), name: path,
          text: String(decoding: data, as: UTF8.self))
      }
    }
  }

  @Test func `imports go only where the table says`() {
    let sources = Self.sources()
    #expect(sources.count > 100)
    for source in sources {
      guard let allowed = Self.rooms[source.room] else {
        Testing.Issue.record("\(source.room) stands in no table")
        continue
      }
      for name in source.imports where !Self.everywhere.contains(name) {
        if Self.rooms[name] != nil || name.hasPrefix("C") && Self.packages[name] == nil {
          #expect(allowed.contains(name), "\(source.name) imports \(name)")
        } else {
          #expect(
            Self.packages[name]?.contains(source.room) == true, "\(source.name) imports \(name)")
        }
      }
    }
  }

  @Test func `each C library is imported by few files`() {
    let sources = Self.sources()
    for (library, most) in [
      ("CZlib", 4), ("CMagic", 1), ("CTesseract", 20), ("CEspeak", 1),
      ("CSndfile", 1), ("CHarfBuzz", 1), ("CFriBidi", 1), ("CFontconfig", 1), ("CXML", 2),
    ] {
      let importers = sources.filter { $0.imports.contains(library) }
      #expect(!importers.isEmpty && importers.count <= most, "\(library): \(importers.map(\.name))")
    }
  }

  @Test func `files stay short, tables apart`() {
    for source in Self.sources() where !source.name.contains("/Data/") {
      let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 500, "\(source.name) has \(lines) lines")
    }
  }
}
