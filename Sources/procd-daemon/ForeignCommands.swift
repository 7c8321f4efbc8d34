import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import SystemPackage

/// Commands that plugins add: `procd NAME …`, `procd -c FILE NAME …`.
enum ForeignCommands {
  /// Names that no plugin can take.
  static let ownNames = Set(
    Procd.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"])

  /// What was typed, where it may be meant for a plugin.
  private struct Call {
    var configuration: String?
    var name: String
    var arguments: [String]

    /// Nil for procd's own commands and options.
    init?(_ words: [String]) {
      var rest = words[...]
      if let first = rest.first, first == "-c" || first == "--config" {
        rest.removeFirst()
        configuration = rest.popFirst()
      } else if let first = rest.first, first.hasPrefix("--config=") {
        rest.removeFirst()
        configuration = String(first.dropFirst("--config=".count))
      }
      guard let name = rest.popFirst(), !name.hasPrefix("-"),
        !ForeignCommands.ownNames.contains(name)
      else { return nil }
      self.name = name
      arguments = Array(rest)
    }
  }

  private struct Surroundings {
    var commands: PluginCommands
    var active: ActiveConfiguration?
  }

  /// Runs a plugin's command where one is meant; says so where there is no such command.
  ///
  /// - Returns: the exit status; nil where the words are for procd itself.
  static func run(_ words: [String]) -> Int32? {
    guard let call = Call(words) else { return nil }
    guard let surroundings = surroundings(call.configuration) else {
      return Status.configuration.rawValue
    }
    guard let command = surroundings.commands[call.name] else {
      let known = ownNames.union(surroundings.commands.all.map(\.manifest.name)).sorted()
      let near = nearestName(to: call.name, among: known).map { "; did you mean \($0)?" } ?? ""
      Console.complain(
        "procd: there is no command \(call.name.plain)\(near) (procd help lists all)")
      return 64
    }
    let caller = geteuid()
    if command.manifest.state, let active = surroundings.active {
      do { try ConfigurationOption.becomeOwner(of: active.spool) } catch {
        return Status.notPermitted.rawValue
      }
    }
    do throws(CommandFailure) {
      return try CommandCall(
        command, arguments: call.arguments, installation: .ofThisProgram(),
        active: surroundings.active, landlockCeiling: landlockCeiling(), recognize: recognize
      ).run(absolutePath)
    } catch {
      // Who called procd may do what the user cannot whose spool it is.
      let isPlace = !error.isLimit && [.input, .resultPlace].contains(error.status)
      let isOther = geteuid() != caller && isPlace
      let cure =
        isOther
        ? "; this runs as user \(Accounts.currentUser), who owns the spool: give - instead, for standard input or"
          + " output, or a place that is open to that user" : ""
      Console.complain("procd \(call.name): \(error.message)\(cure)")
      return error.status.rawValue
    }
  }

  private static func recognize(
    _ file: FilePath, _ result: FilePath, _ passwords: FilePath?
  ) -> Int32 {
    // What the plugin makes of a photo goes by lines and by places on the page: those of the sheet.
    Converting()?.run(file, result, cropsPhotos: true, passwords: passwords) ?? 127
  }

  /// The commands that there are. Mistakes in the configuration are no obstacle: what it says of
  /// plugin folders counts all the same. Nil, with a complaint, where one was named that is not
  /// there.
  private static func surroundings(_ named: String?) -> Surroundings? {
    var option = ConfigurationOption()
    option.file = named
    let path = option.path()
    do {
      let loaded = try option.loader.load(path)
      return Surroundings(
        commands: PluginCommands(loaded.catalog, taken: ownNames), active: loaded.active)
    } catch {
      if named != nil {
        Console.complain("\(path): the configuration cannot be read: \(error.errno)")
        return nil
      }
      let (catalog, _) = Installation.ofThisProgram().catalog(
        configured: [], landlockCeiling: landlockCeiling())
      return Surroundings(commands: PluginCommands(catalog, taken: ownNames))
    }
  }

  // MARK: - Help

  /// Prints procd's help with the commands of plugins, where that is what was asked for.
  ///
  /// - Returns: whether it was printed; without such commands procd's own help says all.
  static func help(_ words: [String]) -> Bool {
    guard [[], ["help"], ["-h"], ["--help"]].contains(words),
      let commands = surroundings(nil)?.commands.all, !commands.isEmpty
    else { return false }
    let own = Procd.helpMessage()
    let section = "OF PLUGINS:\n" + commands.map(entry).joined() + "\n"
    // Before the last line, which points to the help of single commands.
    let end = own.firstRange(of: "  See 'procd help")?.lowerBound ?? own.endIndex
    Console.print(PlainText(lines: "\(own[..<end])\(section)\(own[end...])"))
    return true
  }

  /// Set as procd's own commands are.
  private static func entry(_ command: PluginCommands.Command) -> String {
    let indent = 26, width = 80
    let name = "  \(command.manifest.name)"
    var lines: [String] = [], line = name
    if name.count >= indent - 1 {
      lines.append(name)
      line = ""
    }
    line += String(repeating: " ", count: indent - line.count)
    let about = "\(command.manifest.about) (\(command.plugin))"
    for word in about.plain.split(separator: " ") {
      if line.count + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
      }
      line += line.count == indent ? word : " \(word)"
    }
    return (lines + [line, ""]).joined(separator: "\n")
  }
}
