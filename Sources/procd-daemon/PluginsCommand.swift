import ArgumentParser
import Conveyor
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct PluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List the steps that pipelines can use; write and try plugins of your own.",
    subcommands: [ListPluginsCommand.self, NewPluginCommand.self, TryPluginCommand.self],
    defaultSubcommand: ListPluginsCommand.self)
}

struct ListPluginsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the steps that pipelines can use, with their options.")

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let (catalog, problems) = options.plugins()
    for problem in problems {
      Console.complain(PlainText(lines: "\(problem.place): \(problem.message)"))
    }
    for hidden in PluginCommands(catalog, taken: ForeignCommands.ownNames).hidden {
      Console.complain("\(hidden)")
    }
    if json {
      Console.print(json: .array(catalog.plugins.map(\.manifest.json)))
      return
    }
    for (manifest, program) in catalog.plugins {
      let origin = if case .foreign(let foreign) = program { foreign.folder } else { "built in" }
      Console.print("\(manifest.name) \(manifest.version) (\(origin)): \(manifest.about)")
      for command in manifest.commands {
        Console.print("  command \(command.name): \(command.about)")
      }
      for step in manifest.steps {
        Console.print("  \(step.name): \(step.about)")
        Console.print("    reads  \(step.accepts.joined(separator: ", "))")
        if !step.outputs.isEmpty {
          let roles = step.outputs.map { "\($0.role) (.\($0.fileExtension))" }
          Console.print("    gives  \(roles.joined(separator: ", "))")
        }
        for option in step.options.fields {
          let value = option.byDefault.map { String(decoding: $0.line, as: UTF8.self) } ?? "none"
          Console.print("    option \(option.key) = \(value): \(option.about)")
        }
      }
    }
  }
}

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print a JSON Schema: of pipelines.json, of reports, or of plugin.json.",
    discussion: """
      The schema of pipelines.json includes the steps that are available here: those that come with procd, and those \
      of the plugins named in the configuration, if there is one.
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable { case pipelines, report, plugin }

  @Argument(help: "pipelines, report or plugin.")
  var kind: Kind = .pipelines

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    switch kind {
    case .pipelines:
      Console.print(json: ConfigurationShape.schema(catalog: options.plugins().catalog))
    case .report:
      Console.print(
        json: Report.shape.schema(title: "A procd report", identifier: "procd:report:1"))
    case .plugin:
      Console.print(
        json:
          PluginManifest.shape.schema(title: "A procd plugin", identifier: "procd:plugin:1"))
    }
  }
}
