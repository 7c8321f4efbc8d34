package import Pipelines
package import PluginKit

/// The commands that foreign plugins add, by name.
package struct PluginCommands: Sendable {
  package struct Command: Sendable {
    package var manifest: CommandManifest
    package var plugin: String
    package var foreign: PluginCatalog.Foreign
  }

  /// In the order in which plugins were found.
  package private(set) var all: [Command] = []
  /// Commands that cannot be called, each with the reason in a sentence.
  package private(set) var hidden: [String] = []

  /// - Parameter taken: the names of procd's own commands, which win.
  package init(_ catalog: PluginCatalog, taken: Set<String>) {
    for (manifest, program) in catalog.plugins {
      guard case .foreign(let foreign) = program else { continue }
      for command in manifest.commands {
        if taken.contains(command.name) {
          hidden.append(
            "\(foreign.folder): its command \"\(command.name)\" cannot be called: procd has one of"
              + " that name")
        } else if let first = self[command.name] {
          hidden.append(
            "\(foreign.folder): its command \"\(command.name)\" cannot be called: \(first.plugin)"
              + " has one of that name")
        } else {
          all.append(Command(manifest: command, plugin: manifest.name, foreign: foreign))
        }
      }
    }
  }

  package subscript(name: String) -> Command? { all.first { $0.manifest.name == name } }
}

/// Why a command could not do its work, for people.
package struct CommandFailure: Error, Sendable {
  /// As the table in docs/commands.md has them.
  package enum Status: Int32, Sendable {
    case usage = 64
    case input = 65
    case programMissing = 69
    case resultPlace = 73
    case results = 74
    case later = 75
    case configuration = 78
  }
  package var message: String
  package var status: Status
  /// Whether the command needed more than it may have.
  package var isLimit = false
}
