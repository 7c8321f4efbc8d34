import ArgumentParser
import Conveyor
import Files
import Fleet
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct FleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "List and set up the machines that share the work.",
    subcommands: [
      ListFleetCommand.self, FleetKeyCommand.self, DrainCommand.self, RunBrokerCommand.self,
    ], defaultSubcommand: ListFleetCommand.self)
}

/// How the fleet is reached: as the configuration says, or as on a helper, by options.
struct FleetOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: "The broker, if no configuration names it: nats://HOST:4222 or tls://HOST:4222.")
  var servers: [String] = []

  @Option(help: "The file with the key that all machines of the fleet share.")
  var key: String?

  @Option(help: "The file with the login at the broker.")
  var credentials: String?

  @Option(help: "The certificates of the authority that signed the broker's certificate.")
  var authority: String?

  /// - Parameter active: the configuration that counts where no options are given.
  func setup(_ active: ActiveConfiguration?, name: String) throws -> (FleetLink.Setup, FleetKey) {
    let programs = Installation.ofThisProgram().programs.string
    if servers.isEmpty, let active, let fleet = active.configuration.fleet {
      return (
        FleetLink.Setup(
          programs: programs, connection: active.connection(fleet, name: name),
          landlockCeiling: landlockCeiling()), try read(active.absolute(fleet.key))
      )
    }
    guard !servers.isEmpty, let key else {
      throw ValidationError("give the broker with --servers and the key with --key")
    }
    let isKnown = servers.allSatisfy { $0.hasPrefix("nats://") || $0.hasPrefix("tls://") }
    guard isKnown else {
      throw ValidationError("servers are written nats://HOST:4222 or tls://HOST:4222")
    }
    let connection = FleetConnection(
      servers: servers, credentials: credentials.map { absolutePath($0).string },
      authority: authority.map { absolutePath($0).string }, name: "procd \(name)")
    return (
      FleetLink.Setup(
        programs: programs, connection: connection, landlockCeiling: landlockCeiling()),
      try read(absolutePath(key))
    )
  }

  private func read(_ path: FilePath) throws -> FleetKey {
    do throws(FleetFailure) { return try FleetKey(file: path) } catch {
      Console.complain("procd: \(error.message)")
      throw Status.configuration
    }
  }
}

struct ListFleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the machines: their slots, what they are doing, and why one gets no work.")

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var fleet: FleetOptions
  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    let active = fleet.servers.isEmpty ? try options.loadToLook() : nil
    if let active, active.configuration.fleet == nil {
      throw ValidationError(
        "\(options.path().printable) has no \"fleet\"; a broker is named with --servers and --key")
    }
    let (setup, key) = try fleet.setup(active, name: "list")
    let look = try await FleetLook.look(setup, key)
    if json {
      Console.print(json: Self.json(look))
    } else {
      for line in Self.lines(look, setup.connection) { Console.print("\(line)") }
    }
    if look.failure != nil { throw ExitCode(1) }
  }

  static func lines(_ look: FleetLook, _ connection: FleetConnection) -> [String] {
    let servers = connection.servers.joined(separator: ", ")
    if let failure = look.failure { return ["\(servers): \(failure.message)"] }
    let keepers = look.machines.filter { $0.kind == .keeper }
    let helpers = look.machines.filter { $0.kind == .helper }
    let slots = helpers.reduce(0) { $0 + $1.slots }
    var lines = [
      "\(servers): \(counted(keepers.count, "keeper")), \(counted(helpers.count, "helper"))"
        + " with \(counted(slots, "slot"))"
    ]
    for keeper in keepers {
      lines.append(
        "keeper \(keeper.name): \(counted(keeper.busy, "order")) out, procd \(keeper.version)")
    }
    for helper in helpers {
      lines.append(
        "helper \(helper.name): \(helper.busy) of \(helper.slots) busy, \(helper.done) done,"
          + " procd \(helper.version)")
      for reason in reasons(helper, keepers) { lines.append("  gets no work: \(reason)") }
      for keeper in keepers {
        for lack in helper.partly(for: keeper.builds) { lines.append("  \(lack)") }
      }
      for note in helper.notes { lines.append("  \(note)") }
      let skew = abs(helper.clock - Int(time(nil)))
      if skew > 120 { lines.append("  its clock is \(skew / 60) min off; nothing depends on it") }
    }
    if keepers.isEmpty {
      lines.append("no procd with this key and \"fleet\" runs: there is no work")
    }
    if helpers.isEmpty {
      lines.append("no helper is connected: start `procd work` with this key on another machine")
    }
    if look.hasStrangers {
      lines.append("machines with another key are connected to this broker too; they take no part")
    }
    return lines
  }

  /// Why a helper gets no work from any keeper.
  private static func reasons(_ helper: Presence, _ keepers: [Presence]) -> [String] {
    let reasons = keepers.map { helper.whyIdle(for: $0.builds) }
    return reasons.contains(nil) ? [] : Set(reasons.compactMap(\.self)).sorted()
  }

  private static func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }

  private static func json(_ look: FleetLook) -> JSON {
    let keepers = look.machines.filter { $0.kind == .keeper }
    return [
      "failure": look.failure.map { ["code": .string($0.code), "message": .string($0.message)] },
      "roundTripMicroseconds": .integer(look.roundTrip),
      "otherKeys": .bool(look.hasStrangers),
      "machines": .array(
        look.machines.map { machine in
          [
            "kind": .string(machine.kind.rawValue), "name": .string(machine.name),
            "slots": .integer(machine.slots), "busy": .integer(machine.busy),
            "done": .integer(machine.done), "version": .string(machine.version),
            "draining": .bool(machine.isDraining),
            "noWork": machine.kind == .helper
              ? .array(reasons(machine, keepers).map { .string($0) }) : nil,
            "steps": .array(
              machine.builds.map { ["step": .string($0.step), "build": .string($0.digest)] }),
          ]
        }),
    ]
  }
}

struct FleetKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make a key for a fleet. Every machine in it needs a copy of the file.",
    discussion: """
      Whoever has the key can give orders, answer them and read the documents that travel. Copy it as you \
      would a password.
      """)

  @Argument(help: "The file to make, such as /etc/procd/fleet.key.")
  var file: String

  func run() throws {
    let path = absolutePath(file)
    guard let name = path.lastComponent else { throw ValidationError("\(file) names no file") }
    do throws(FileError) {
      let folder = try Folder.open(path.removingLastComponent())
      let made = try folder.creating(FilePath(name: name), mode: 0o600)
      try made.write(Array(FleetKey.make().utf8).span)
      try made.sync()
    } catch {
      Console.complain("procd: the key cannot be created: \(error)")
      throw ExitCode(73)
    }
    Console.print(
      "\(path.printable) was made; copy it to every machine of the fleet, and to nobody else")
  }
}

struct DrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain",
    abstract: "Let a helper finish its current steps, take no more work, and exit.")

  @Argument(help: "The helper's name, as `procd fleet` lists it.")
  var name: String

  @OptionGroup var fleet: FleetOptions
  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    let active = fleet.servers.isEmpty ? try options.loadToLook() : nil
    let (setup, key) = try fleet.setup(active, name: "drain")
    let before = try await FleetLook.look(setup, key)
    let helpers = before.machines.filter { $0.kind == .helper }.map(\.name)
    guard before.failure == nil, helpers.contains(name) else {
      Console.complain(
        "procd: \(before.failure?.message ?? "no helper is called \(name.plain)")"
          + (helpers.isEmpty ? "" : "; the helpers are: \(helpers.joined(separator: ", "))"))
      throw ExitCode(1)
    }
    let after = try await FleetLook.look(
      setup, key, saying: Presence(.drain, name: name, life: FleetKey.random()))
    let left = after.machines.first { $0.kind == .helper && $0.name == name }
    Console.print(
      left.map { "\(name.plain) takes nothing more; \($0.busy) of its slots are still busy" }
        ?? "\(name.plain) has ended")
  }
}
