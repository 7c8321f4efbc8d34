import ArgumentParser
import Conveyor
import Files
import Fleet
import Glibc
import Logging
import PlainText
import PluginKit
import ReadingArguments
import ServiceLifecycle
import SystemPackage
import UnixSignals
import Workers

struct WorkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Run steps for a procd on another machine, as its helper.",
    discussion: """
      Needs no configuration, inbox or outbox: only the broker, the fleet's key, and the same \
      procd and languages as the machine that has the files. Runs until SIGTERM, Ctrl-C or `procd \
      fleet drain`. After a signal, running steps have 20 s to finish, and are otherwise done \
      elsewhere; after drain they finish.
      """)

  @OptionGroup var fleet: FleetOptions

  @Option(help: "How many steps run at once; one per core when left out.")
  var slots: Int?

  @Option(help: "This machine's name for the others; its host name if left out.")
  var name: String?

  @Option(help: "A folder for files in transit; one in $TMPDIR when left out.")
  var scratch: String?

  @Option(
    parsing: .upToNextOption,
    help: "Folders with plugins, like \"plugins\" in the keeper's configuration.")
  var plugins: [String] = []

  @Option(help: "How log lines look: text or json.")
  var logFormat: RunCommand.LogFormat = .text

  func validate() throws {
    if let slots, !(1...1024).contains(slots) { throw ValidationError("--slots is 1 to 1024") }
  }

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let name = name ?? machineName
    let (setup, key) = try fleet.setup(nil, name: "helper \(name)")
    let logger = Logger(label: "procd") { _ in
      LineLogHandler(format: logFormat == .json ? .json : .text)
    }
    let installation = Installation.ofThisProgram()
    let (catalog, problems) = installation.catalog(
      configured: plugins.map(absolutePath), landlockCeiling: landlockCeiling())
    for problem in problems { logger.warning("\(problem.place): \(problem.message)") }
    let builds = await StepBuild.all(of: catalog, programs: installation.programs) { step in
      // Whether it travels is the keeper's word.
      step.travels || !step.outputs.isEmpty
    }
    let place = try scratchFolder()
    defer { place.remove() }
    let helper: Helper
    do throws(FileError) {
      helper = try Helper(
        key: key, name: name, version: ProgramVersion.number, setup: setup,
        pool: try WorkerPool(
          WorkerSetup(
            programs: installation.programs.string, landlockCeiling: landlockCeiling()),
          slots: slots ?? coreCount()),
        slots: slots ?? coreCount(), catalog: catalog, builds: builds, scratch: place.folder
      ) { Self.tell($0, logger) }
    } catch {
      Console.complain("procd: this machine cannot be a helper: \(error)")
      throw Status.deferred
    }
    let ending = Task {
      for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
        helper.drain()
        // Asked again: now. The broker gives what runs here to others.
        signal(SIGTERM) { _ in _exit(143) }
        signal(SIGINT) { _ in _exit(130) }
        Task {
          try? await Task.sleep(for: .seconds(20))
          helper.stopNow()
        }
      }
    }
    await helper.serve()
    ending.cancel()
  }

  /// One for this run; what killed ones left in the folder that was named is removed.
  private func scratchFolder() throws -> ScratchFolder {
    do throws(FileError) {
      guard let scratch else { return try ScratchFolder(for: Self.purpose) }
      try ScratchFolder.removeLeft(by: Self.purpose, in: absolutePath(scratch))
      let place = try ScratchFolder(for: Self.purpose, in: absolutePath(scratch))
      _ = place.folder.lock()
      return place
    } catch {
      Console.complain("procd: there is no space for temporary files: \(error)")
      throw Status.deferred
    }
  }

  private static let purpose = "work"

  private static func tell(_ event: Helper.Event, _ logger: Logger) {
    switch event {
    case .connected: logger.info("connected to the broker; waiting for work")
    case .trouble(let why): logger.warning("\(why)")
    case .began(let order, let step):
      logger.info("began", metadata: ["order": "\(order)", "step": "\(step)"])
    case .ended(let order, let outcome, let milliseconds):
      logger.info(
        "ended",
        metadata: ["order": "\(order)", "outcome": "\(outcome)", "ms": "\(milliseconds)"])
    case .dropped(let what): logger.warning("\(what)")
    case .draining: logger.info("takes nothing more")
    }
  }
}
