import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// `procd plugins new NAME`: a plugin that works, to be changed.
struct NewPluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a small plugin that works, to start from.")

  enum Language: String, ExpressibleByArgument, CaseIterable {
    case python, swift, shell
    case swiftPackage = "swift-package"
  }

  @Argument(
    help: "The plugin's name, in lowercase, such as word-list; its folder gets the same name.")
  var name: String

  @Option(
    help: """
      python and swift speak procd/1; shell is a plain command; swift-package is a package of Swift that uses \
      procd's library PluginKit.
      """)
  var language: Language = .python

  @Option(
    name: [.customLong("in")],
    help: ArgumentHelp(
      "Where the plugin's folder is created; plugins when left out, and the current folder for swift-package.",
      valueName: "dir"))
  var place: String?

  @Option(
    help: ArgumentHelp(
      "For swift-package: the folder or the repository with procd's sources; those of this procd when left out.",
      valueName: "dir|url"))
  var sources: String?

  func validate() throws {
    guard name.wholeMatch(of: /[a-z][a-z0-9-]{0,39}/) != nil else {
      throw ValidationError("A plugin's name has small letters, digits and -, such as word-list.")
    }
    if language == .swiftPackage, PackageSources(sources) == nil {
      throw ValidationError(
        sources.map { "There is no package of procd in \($0)." }
          ?? "This procd does not run where it was built: name the folder or the repository of its sources with --sources."
      )
    }
  }

  private var parent: String { place ?? (language == .swiftPackage ? "." : "plugins") }
  private var folder: FilePath { absolutePath(parent).appending(name) }

  func run() throws {
    do {
      guard try Folder.standing(folder) == nil else {
        Console.complain("procd: \(folder.printable) is there already; nothing was written")
        throw ExitCode(73)
      }
      var made = try Folder.make(folder)
      if language == .swiftPackage, let procd = PackageSources(sources) {
        let package = try made.creating("Package.swift", mode: 0o644)
        try package.write(packageManifest(on: procd).span)
        let sources = try made.makeFolders(FilePath("Sources").appending(name))
        try sources.creating("main.swift", mode: 0o644).write(script.span)
        // Apart from the sources: whatever is in its folder is what the plugin is known by.
        made = try made.makeFolders(FilePath("plugins").appending(name))
      } else if language == .swift {
        try made.creating(FilePath("\(name).swift"), mode: 0o644).write(script.span)
      } else {
        let program = try made.creating(FilePath(name), mode: 0o755)
        try program.write(script.span)
        try program.setMode(0o755)
      }
      let about = try made.creating("plugin.json", mode: 0o644)
      try about.write(manifest.text.span)
      try about.setMode(0o644)
    } catch let error as FileError {
      Console.complain("procd: \(error)")
      throw ExitCode(73)
    }
    if language == .swiftPackage { return tellOfPackage() }
    let shown = "\(parent.plain)/\(name.plain)"
    Console.print("\(shown) has a plugin that counts the lines of texts. Next:")
    if language == .swift {
      // Linked with what it needs: where it runs, it sees the system's folders and its own only.
      Console.print(
        "  swiftc -O -static-stdlib -o \(shown)/\(name.plain) \(shown)/\(name.plain).swift")
    }
    Console.print(
      """
        procd plugins try \(shown) some.txt
        "plugins": ["\(parent.plain)"] in pipelines.json, and a rule with "use": "\(step.plain)"
      """)
  }

  private func tellOfPackage() {
    let shown = parent == "." ? name.plain : "\(parent.plain)/\(name.plain)"
    Console.print(
      """
      \(shown) has a package with a plugin that counts the lines of texts. Next:
        cd \(shown)
        swift build -c release --static-swift-stdlib
        cp .build/release/\(name.plain) plugins/\(name.plain)/
        procd plugins try plugins/\(name.plain) some.txt
        "plugins": ["\(shown)/plugins"] in pipelines.json, and a rule with "use": "\(step.plain)"
      """)
  }

  private func packageManifest(on sources: PackageSources) -> [UInt8] {
    let text = String(decoding: PackageResources.package_swift_txt, as: UTF8.self)
      .replacing("NAME", with: name).replacing("PROCD", with: sources.identity)
      .replacing("DEPENDENCY", with: sources.dependency)
    return Array(text.utf8)
  }

  /// The name of its step.
  private var step: String { "\(name.split(separator: "-").joined(separator: "_")).count" }

  private var manifest: JSON {
    [
      "name": .string(name), "version": "0.1.0", "about": "Counts the lines of texts",
      "command": [.string("./\(name)")],
      "protocol": language == .shell ? "command" : "procd/1",
      "steps": .object([
        .init(
          step,
          [
            "about": "Counts the lines of a text", "accepts": ["text/*"],
            "outputs": ["json": ["mime": "application/json", "extension": "json"]],
            "options": [
              "least": [
                "type": "integer", "about": "Texts with fewer lines are refused", "default": 1,
                "minimum": 0,
              ]
            ], "facts": facts,
          ])
      ]),
    ]
  }

  private var facts: JSON? {
    let lines = "How many lines there are"
    return switch language {
    case .shell: nil
    case .python, .swift: ["lines": .string(lines)]
    case .swiftPackage:
      [
        "lines": ["about": .string(lines), "type": "number"],
        "longest": ["about": "The longest line, up to 80 characters", "type": "string"],
        "average": ["about": "How many characters a line has", "type": "number"],
        "blank": ["about": "Whether there are no lines", "type": "boolean"],
      ]
    }
  }

  private var script: [UInt8] {
    switch language {
    case .python: PackageResources.plugin_py
    case .swift: PackageResources.plugin_swift_txt
    case .shell: PackageResources.plugin_sh
    case .swiftPackage: PackageResources.package_main_swift_txt
    }
  }
}

/// `procd plugins try FOLDER FILE`: one step of a plugin on one file, as a rule would run it.
struct TryPluginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try", abstract: "Run one step of a plugin on a file, confined as in a rule.")

  @Argument(help: "The plugin's folder, with its plugin.json.")
  var folder: String

  @Argument(help: "A file that the step reads.")
  var file: String

  @Option(help: ArgumentHelp("Which of its steps; the first when left out.", valueName: "name"))
  var step: String?

  @Option(help: ArgumentHelp("An option of the step, in JSON.", valueName: "option=value"))
  var set: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A folder for the results; without it they are only listed.", valueName: "dir"))
  var output: String?

  @Flag(help: "Show every line between procd and the plugin.")
  var talk = false

  func run() async throws {
    let place = absolutePath(folder)
    guard (try? Folder.open(place)) != nil else {
      Console.complain(
        "procd: \(folder.plain) is no folder: name the folder that has the plugin's plugin.json")
      throw Status.inputQuarantined
    }
    guard absolutePath(file).allows(F_OK) else {
      Console.complain("procd: \(file.plain): there is no such file")
      throw Status.inputQuarantined
    }
    let installation = Installation.ofThisProgram()
    let (catalog, problems) = installation.catalog(
      configured: [place.removingLastComponent()], landlockCeiling: landlockCeiling())
    for problem in problems where problem.place.hasPrefix(place.string) {
      Console.complain(PlainText(lines: "\(problem.place): \(problem.message)"))
    }
    let found = catalog.plugins.first { _, program in
      if case .foreign(let foreign) = program { FilePath(foreign.folder) == place } else { false }
    }
    guard let manifest = found?.manifest,
      let tried = step.map({ name in manifest.steps.first { $0.name == name } })
        ?? manifest.steps.first
    else {
      Console.complain(
        "procd: \(place.printable) has no plugin with \(step.map { "the step \($0)" } ?? "a step") that"
          + " procd could take; `procd plugins` lists all")
      throw Status.inputQuarantined
    }
    let scratch = try ScratchFolder(for: "try")
    defer { scratch.remove() }
    let results = output.map(absolutePath) ?? scratch.path.appending("results")
    let active = try active(tried, installation)
    // A plugin that cannot start or keeps its lines to itself is told of soon; with the talk that shows by itself.
    for problem in talk
      ? [] : installation.silentPlugins(of: active, landlockCeiling: landlockCeiling())
    {
      Console.complain("procd: \(problem.message)")
      throw Status.inputQuarantined
    }
    let bench = try Workbench(
      active, installation: installation, in: results, slots: 1,
      landlockCeiling: landlockCeiling(), overhear: talk ? Self.show : nil)
    defer { bench.close() }
    do throws(WorkbenchFailure) {
      let path = absolutePath(file)
      let made = try await bench.convert(
        path, as: path.lastComponent.map { FilePath(name: $0) } ?? "file", role: nil)
      defer { bench.discard(made.job) }
      if !tried.accepts.contains(where: { mediaType(made.mime, matches: $0) }) {
        Console.complain(
          "procd: plugin.json says that \(tried.name) reads \(tried.accepts.joined(separator: ", ")); this file is"
            + " \(made.mime)")
      }
      try tell(made, of: path, from: bench, by: tried)
    } catch {
      var failure = error.failure
      if failure.code == "result.none" {
        failure = PluginFailure(
          .internal, "result.missing", "the step said that it is done and gave no result",
          hint: "plugin.json declares \(tried.outputs.map(\.role).joined(separator: ", "))")
      }
      Console.complain(
        "\(tried.name): \(failure.message) [\(failure.code), class \(failure.class.rawValue)]")
      if let hint = failure.hint { Console.complain("  \(hint)") }
      throw Status.inputQuarantined
    }
  }

  private static let show: @Sendable (PluginTalk, [UInt8]) -> Void = { said, bytes in
    let mark =
      switch said {
      case .toPlugin: "→"
      case .byPlugin: "←"
      case .aside: "!"
      }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // What the launcher passes on begins with a mark of its own.
      Console.print("\(mark) \(String(line.drop { $0 != "{" && said != .aside }).plain)")
    }
  }

  /// A configuration with one rule, which runs the step and gives all that it makes.
  private func active(
    _ step: StepManifest, _ installation: Installation
  ) throws -> ActiveConfiguration {
    var options: JSON = [:]
    for assignment in set {
      let parts = assignment.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("--set takes option=value, not \(assignment).")
      }
      options = options.setting(
        parts[0], JSON.typed(parts[1], as: step.options[parts[0]]?.shape))
    }
    let rule: JSON = [
      "id": "try", "steps": [["id": "step", "use": .string(step.name), "with": options]],
      "emit": .array(step.outputs.map { .string("step.\($0.role)?") }),
    ]
    let text: JSON = [
      "version": 1, "plugins": [.string(absolutePath(folder).removingLastComponent().string)],
      // Who tries wants to see what happens, not whether it happens again.
      "defaults": ["retry": ["attempts": 1]],
      "pipelines": [rule],
    ]
    let loader = ConfigurationLoader(
      installation: installation, landlockCeiling: landlockCeiling())
    let loaded = loader.load(text.text, name: "the trial", path: absolutePath("pipelines.json"))
    guard let active = loaded.active else {
      Console.complain(PlainText(lines: loaded.file.rendered()), end: "")
      throw Status.configuration
    }
    return active
  }

  /// How a fact differs from what plugin.json says of it; nil where it does not.
  private static func oddness(_ fact: JSON.Member, _ step: StepManifest) -> String? {
    guard let declared = step.facts.first(where: { $0.name == fact.name }) else {
      return "plugin.json declares no fact \(fact.name), so no condition can ask for it"
    }
    let isSo =
      switch declared.kind {
      case .number: fact.value.doubleValue != nil
      case .boolean: fact.value.boolValue != nil
      case .string: fact.value.stringValue != nil
      case nil: true
      }
    return isSo
      ? nil
      : "plugin.json says that \(fact.name) is a \(declared.kind?.rawValue ?? ""), and it is none"
  }

  private func tell(
    _ made: Workbench.Converted, of path: FilePath, from bench: Workbench, by tried: StepManifest
  ) throws(WorkbenchFailure) {
    for step in made.steps {
      Console.print(
        "\(step.use): \(step.outcome.rawValue) in \(step.wallMilliseconds) ms, \(step.cpuMilliseconds) ms of processor"
          + " time")
      for member in step.facts.members ?? [] {
        Console.print(
          "  fact   \(member.name) = \(String(decoding: member.value.line, as: UTF8.self))")
        if let odd = Self.oddness(member, tried) { Console.complain("procd: \(odd.plain)") }
      }
      for note in step.notes { Console.print("  note   \(note)") }
    }
    for result in made.results {
      Console.print(
        "  result \(result.role): \(result.mime), \(ByteCount.text(result.bytes))", end: "")
      guard output != nil else {
        Console.print(" (-o DIR keeps it)")
        continue
      }
      let name = FilePath((path.stem ?? "file") + result.ending)
      try bench.place(
        bench.placing(result.staged, at: name, sparing: [path], isLast: true))
      Console.print(": \(absolutePath(output ?? "").appending(name.components).printable)")
    }
  }
}
