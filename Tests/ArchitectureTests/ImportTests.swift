import Foundation
import SystemPackage
import TestSupport
import Testing

/// The tables of docs/architecture.md: imports go only downwards, and only as listed.
@Suite struct ImportTests {
  /// The rows of a table with two or three columns, by the names in the first: the names in the last.
  private static func table(under head: String) throws -> [(names: [String], last: [String])] {
    let path = Programs.repository.appending("docs/architecture.md").string
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0 == head })
    return lines[(first + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (
        cells[0].split(separator: " ").map { $0.trimmingCharacters(in: ["`"]) },
        cells[cells.count - 1].split(separator: ", ").map(String.init).filter { $0 != "–" }
      )
    }
  }

  /// What each room may import of our own rooms, and which stand above it in the table.
  private static func rooms() throws -> [String: Set<String>] {
    var rooms: [String: Set<String>] = [:]
    for (names, imports) in try table(under: "| room | is about | imports |") {
      for name in imports {
        #expect(rooms[name] != nil, "\(names) imports \(name), which stands below it or nowhere")
      }
      for name in names { rooms[name] = Set(imports) }
    }
    return rooms
  }

  /// Which rooms may import a package from outside.
  private static func packages() throws -> [String: Set<String>] {
    var packages: [String: Set<String>] = [:]
    for (names, rooms) in try table(under: "| package | rooms |") {
      for name in names { packages[name] = Set(rooms) }
    }
    return packages
  }

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

  private static func sources(below tops: [String] = ["Sources", "Plugins"]) -> [Source] {
    tops.flatMap { top -> [Source] in
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

  @Test func `imports go only where the table says, and the table says no more`() throws {
    let sources = Self.sources(), rooms = try Self.rooms(), packages = try Self.packages()
    #expect(sources.count > 100)
    var used: [String: Set<String>] = [:]
    for source in sources {
      guard let allowed = rooms[source.room] else {
        Testing.Issue.record("\(source.room) stands in no table")
        continue
      }
      for name in source.imports where !Self.everywhere.contains(name) && name != source.room {
        used[source.room, default: []].insert(name)
        if rooms[name] != nil {
          #expect(allowed.contains(name), "\(source.name) imports \(name)")
        } else {
          #expect(packages[name]?.contains(source.room) == true, "\(source.name) imports \(name)")
        }
      }
    }
    for (room, allowed) in rooms {
      let idle = allowed.subtracting(used[room] ?? [])
      #expect(idle.isEmpty, "\(room) imports nothing of \(idle)")
    }
    for (package, importers) in packages {
      let idle = importers.filter { used[$0]?.contains(package) != true }
      #expect(idle.isEmpty, "\(package) is not imported by \(idle)")
    }
  }

  /// Each room of the table is a target, and depends on nothing else than the table says.
  @Test func `Package.swift declares what the table says`() throws {
    let path = Programs.repository.appending("Package.swift").string
    let text = String(
      decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    let rooms = try Self.rooms()
    var declared: Set<String> = []
    for match in text.matches(of: /(?:room|plugin|program)\(\s*"([^"]+)",\s*\[([^\]]*)\]/) {
      let name = String(match.1)
      let own = Set(match.2.matches(of: /"([^"]+)"/).map { String($0.1) })
      declared.insert(name)
      let allowed = rooms[name] ?? []
      #expect(
        rooms[name] != nil && allowed.isSubset(of: own), "\(name) lacks \(allowed.subtracting(own))"
      )
      #expect(
        own.isSubset(of: allowed.union(["CSerialOpenMP"])), "\(name): \(own.subtracting(allowed))")
    }
    #expect(declared.count > 25, "\(declared.count)")
  }

  @Test func `each C library is imported by few files`() {
    let sources = Self.sources()
    for (library, most) in [
      ("CZlib", 5), ("CMagic", 1), ("CTesseract", 20), ("CEspeak", 1),
      ("CSndfile", 2), ("CHarfBuzz", 1), ("CFriBidi", 1), ("CFontconfig", 1), ("CXML", 2),
    ] {
      let importers = sources.filter { $0.imports.contains(library) }
      #expect(!importers.isEmpty && importers.count <= most, "\(library): \(importers.map(\.name))")
    }
  }

  /// `make build` builds what helps the tests, and links no library of tests.
  @Test func `only tests import the library of tests`() {
    let sources = Self.sources(below: ["Tests"])
    #expect(sources.contains { $0.room == "TestSupport" })
    for source in sources where !source.room.hasSuffix("Tests") {
      #expect(!source.imports.contains("Testing"), "\(source.name)")
    }
  }

  @Test func `files stay short, tables apart`() {
    for source in Self.sources() where !source.name.contains("/Data/") {
      let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 500, "\(source.name) has \(lines) lines")
    }
  }
}
