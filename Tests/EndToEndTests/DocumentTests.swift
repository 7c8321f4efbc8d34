import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The documents for people: what they link to is there, and the commands that they show exist.
@Suite struct DocumentTests {
  private static let documents: [String] = {
    let root = Programs.repository.string
    func below(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? [])
        .filter { $0.hasSuffix(".md") }.map { folder == "." ? $0 : "\(folder)/\($0)" }
    }
    return (below(".") + below("docs") + below("Plugins")).sorted()
  }()

  private struct Document {
    var text: String
    /// Without what stands between fences.
    var prose: String
    /// Lines of blocks and spans of code.
    var code: [String]

    init(_ path: String) throws {
      text = try String(
        contentsOfFile: Programs.repository.appending(path).string, encoding: .utf8)
      var inside = false, prose: [String] = [], code: [String] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        if line.hasPrefix("```") {
          inside.toggle()
        } else if inside || line.hasPrefix("    ") {
          code.append(line)
        } else {
          prose.append(line)
        }
      }
      self.prose = prose.joined(separator: "\n")
      let spans = self.prose.replacing("\n", with: " ").matches(of: #/`([^`]+)`/#)
      self.code = code + spans.map { String($0.1) }
    }

    /// What `#…` may lead to: the headings, as forges make addresses of them.
    var anchors: Set<String> {
      Set(
        prose.matches(of: #/(?m)^#+ (.*)$/#).map { match in
          String(match.1).lowercased().filter {
            $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
          }.replacing(" ", with: "-")
        })
    }
  }

  @Test(arguments: documents)
  func `links lead somewhere`(path: String) throws {
    let document = try Document(path)
    for match in document.prose.matches(of: #/\]\(([^)\s]+)\)/#) {
      let link = String(match.1)
      guard !link.hasPrefix("http://"), !link.hasPrefix("https://") else { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? FilePath(path)
        : FilePath(path).removingLastComponent().appending(String(parts[0])).lexicallyNormalized()
      let whole = Programs.repository.appending(target.components)
      #expect(FileManager.default.fileExists(atPath: whole.string), "\(path): \(link)")
      if parts.count > 1, target.extension == "md" {
        #expect(
          try Document(target.string).anchors.contains(String(parts[1])), "\(path): \(link)")
      }
    }
  }

  /// Options by command, as the program itself declares them.
  private static func commands() throws -> [String: Set<String>] {
    let dump = try Programs.run("procd-daemon", ["--experimental-dump-help"])
    let top = try JSONReader.read(Array(dump.output.utf8)).value
    var commands: [String: Set<String>] = [:]
    for command in top["command"]?["subcommands"]?.arrayValue ?? [] {
      commands[command["commandName"]?.stringValue ?? ""] = options(of: command)
    }
    return commands
  }

  /// Its own, and those of the commands below it.
  private static func options(of command: JSON) -> Set<String> {
    var options: Set<String> = ["--help", "--version"]
    for argument in command["arguments"]?.arrayValue ?? [] {
      for name in argument["names"]?.arrayValue ?? [] where name["kind"] == "long" {
        options.insert("--\(name["name"]?.stringValue ?? "")")
      }
    }
    for below in command["subcommands"]?.arrayValue ?? [] {
      options.formUnion(self.options(of: below))
    }
    return options
  }

  /// What follows the program's name in the guide for plugins: a plugin's command, and comments.
  private static let others = ["docs/plugins.md": ["letters", "sets", "checks"]]
  /// Commands of the plugins that come with procd; their options are their own.
  private static let ofPlugins: Set<String> = ["guide", "notes", "podcast", "speak"]

  @Test func `commands and options that are shown exist`() throws {
    let commands = try Self.commands()
    #expect(commands.count > 15 && commands["convert"]?.contains("--update") == true)
    var seen = 0
    for path in Self.documents {
      for line in try Document(path).code {
        for match in line.matches(of: #/(?:^|[^\w\/.-])procd ([a-z][a-z-]*)((?: [^|#;&]*)?)/#) {
          let command = String(match.1)
          // A user of that name, as in `sudo -u procd procd check`.
          if command == "procd" || Self.others[path]?.contains(command) == true
            || Self.ofPlugins.contains(command)
          {
            continue
          }
          let known = try #require(commands[command], "\(path): \(line)")
          seen += 1
          for option in match.2.matches(of: #/(?:^| )(--[a-z][a-z-]*)/#) {
            #expect(known.contains(String(option.1)), "\(path): \(line)")
          }
        }
      }
    }
    #expect(seen > 50)
  }

  @Test func `the manual page says what the commands declare`() throws {
    let made = try Programs.run(
      "/usr/bin/env",
      [
        "python3", Programs.repository.appending("docs/make-manual.py").string,
        Programs.folder.appending("procd-daemon").string,
      ])
    let path = Programs.repository.appending("docs/procd.1").string
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(made.status == 0 && made.output == kept, "make manual writes it anew")
  }

  @Test func `each key of the configuration is described`() throws {
    let schema = try JSONReader.read(Array(try Programs.run("procd", ["schema"]).output.utf8)).value
    let text = try Document("docs/configuration.md").text
    var names: Set<String> = []
    func collect(_ json: JSON) {
      for member in json.members ?? [] where member.name != "allOf" {
        if member.name == "properties" {
          for property in member.value.members ?? [] { names.insert(property.name) }
        }
        collect(member.value)
      }
      for element in json.arrayValue ?? [] { collect(element) }
    }
    collect(schema)
    #expect(names.count > 60)
    for name in names.sorted() {
      #expect(
        text.contains("| `\(name)` |") || text.contains("\"\(name)\":"), "no word of \(name)")
    }
  }
}
