package import PluginKit

/// All steps that can be used, and which plugin offers each.
package struct PluginCatalog: Sendable {
  /// How a plugin's steps are run.
  package enum Program: Sendable, Equatable {
    /// A worker program of ours that forks for each job, by file name.
    case worker(String)
    /// A foreign program in its folder, that speaks procd/1 or takes its input by environment.
    case foreign(Foreign)
  }

  package struct Foreign: Sendable, Equatable {
    package var folder: String
    package var command: [String]
    package var speaksProtocol: Bool
    package var network: Bool
    package var readableFolders: [String]
    /// What tells the files of its folder from those that were there before they were changed.
    package var stamp: String
    package init(
      folder: String, command: [String], speaksProtocol: Bool, network: Bool,
      readableFolders: [String], stamp: String = ""
    ) {
      self.folder = folder
      self.command = command
      self.speaksProtocol = speaksProtocol
      self.network = network
      self.readableFolders = readableFolders
      self.stamp = stamp
    }
  }

  package struct Entry: Sendable {
    package var step: StepManifest
    package var plugin: String
    package var version: String
    package var program: Program

    /// What results depend on besides options and inputs.
    var identity: String {
      guard case .foreign(let foreign) = program, !foreign.stamp.isEmpty else {
        return "\(plugin) \(version)"
      }
      return "\(plugin) \(version) \(foreign.stamp)"
    }
  }

  package private(set) var entries: [String: Entry] = [:]
  package private(set) var plugins: [(manifest: PluginManifest, program: Program)] = []

  /// Why a program of procd's own could not be asked for its steps; nil where all were.
  package var unasked: String?

  package init() {}

  /// Adds a plugin. A step name that is taken already stays with the plugin that came first.
  package mutating func add(_ manifest: PluginManifest, run program: Program) {
    plugins.append((manifest, program))
    for step in manifest.steps where entries[step.name] == nil {
      entries[step.name] = Entry(
        step: step, plugin: manifest.name, version: manifest.version, program: program)
    }
  }

  package subscript(use: String) -> Entry? { entries[use] }
  package var stepNames: [String] { entries.keys.sorted() }
}

/// Who says a line: procd to a plugin, the plugin, or the plugin on standard error.
package enum PluginTalk: Sendable { case toPlugin, byPlugin, aside }
