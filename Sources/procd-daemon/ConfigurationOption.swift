import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import SystemPackage

/// Which configuration a command works with.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: [.customShort("c"), .customLong("config")],
    help: ArgumentHelp(
      "The configuration; otherwise $PROCD_CONFIG, ./pipelines.json, /etc/procd/pipelines.json; for convert, built-in rules.",
      valueName: "file"))
  var file: String?

  /// What the environment names; an empty variable is none.
  private static var named: String? {
    unsafe getenv("PROCD_CONFIG").map { unsafe String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  /// The absolute path of the configuration.
  func path(_ argument: String? = nil) -> FilePath {
    let environment = Self.named
    if let named = argument ?? file ?? environment { return absolutePath(named) }
    let here = absolutePath("pipelines.json")
    if here.allows(F_OK) { return here }
    // One that was moved away here while its procd runs is still the one that is meant.
    return Self.system.allows(F_OK) && loader.running(here) == nil ? Self.system : here
  }

  private static let system = FilePath("/etc/procd/pipelines.json")

  private func isNamed(_ argument: String?) -> Bool {
    argument != nil || file != nil || Self.named != nil
  }

  /// Whether there is one, or one was named.
  var isThere: Bool {
    file != nil || Self.named != nil || path().allows(F_OK)
  }

  /// Reads the configuration, or tells all that is wrong with it and ends with 78.
  ///
  /// - Parameters:
  ///   - warns: whether warnings are told too.
  ///   - probed: the folders that the command goes into; nil if it goes into none, or asks by itself.
  func load(
    _ argument: String? = nil, warns: Bool = true, probed: ActiveConfiguration.ProbedFolders? = nil
  ) throws -> ActiveConfiguration {
    let active = try Self.accepted(read(argument), warns: warns)
    try Self.refuseSilent(active, probed)
    return active
  }

  /// Ends the command with 75 if a folder that it goes into does not answer: it might never return from there.
  static func refuseSilent(
    _ active: ActiveConfiguration, _ probed: ActiveConfiguration.ProbedFolders?
  ) throws {
    let silent = probed.map { active.silentFolders($0) } ?? []
    for folder in silent { Console.complain("procd: \(folder.sentence)") }
    if !silent.isEmpty { throw Status.deferred }
  }

  /// - Parameter warns: whether warnings are told too: not by commands that have another matter.
  private static func accepted(
    _ loaded: ConfigurationLoader.Loaded, warns: Bool
  ) throws -> ActiveConfiguration {
    guard let active = loaded.active else {
      Console.complain(PlainText(lines: loaded.file.rendered()), end: "")
      // A step may be unknown because its plugin could not be read.
      for problem in loaded.pluginProblems {
        Console.complain(PlainText(lines: "\(problem.place): \(problem.message)"))
      }
      Console.complain("\(summary(loaded.file.complaints)); nothing was done")
      throw Status.configuration
    }
    if warns, !loaded.file.complaints.isEmpty {
      Console.complain(PlainText(lines: loaded.file.rendered()), end: "", priority: .warning)
    }
    active.configuration.timeZone.map(countDays)
    return active
  }

  /// The same for commands that only look: where a running procd goes by an earlier text of a file that is
  /// wrong by now, that text counts.
  ///
  /// - Parameter answers: given what a procd says at its status socket to who may not look into its spool, where the file
  ///   has mistakes by now; says whether that was an answer.
  /// - Returns: nil where it was.
  func loadToLook(
    orTell answers: ((JSON) throws -> Bool)?
  ) throws -> ActiveConfiguration? {
    let path = path()
    if !path.allows(F_OK), errno == ENOENT, let running = loader.running(path) {
      Console.complain(
        "procd: \(path.printable) is gone; the running procd goes by what it was before")
      return running
    }
    let loaded = try read()
    guard let running = loader.running(path) else {
      if loaded.active == nil, let answers,
        let answer = StatusAnswer.ask(loader.statusSocket(path)), try answers(answer)
      {
        Self.tellMistakes(path)
        return nil
      }
      return try Self.accepted(loaded, warns: false)
    }
    if let active = loaded.active {
      // Else the running one has taken up, or will, what is changed.
      guard !active.hasFolders(of: running) else { return active }
      Console.complain(
        "procd: \(path.printable) names other folders than the running procd has; they count when it is"
          + " started again")
    } else {
      Self.tellMistakes(path)
    }
    return running
  }

  /// Why a procd could not start now that was started with a file and its folders; nil where it could.
  func obstacleToStart(_ path: String, _ active: ActiveConfiguration) -> String? {
    guard let loaded = try? loader.load(absolutePath(path)).active else {
      return "its configuration cannot be used as it is now (`procd check` tells why)"
    }
    return loaded.hasFolders(of: active) ? nil : "its configuration names other folders by now"
  }

  static func tellMistakes(_ path: FilePath) {
    Console.complain(
      "procd: \(path.printable) has mistakes (`procd check` tells them); the running procd goes by what"
        + " it was before")
  }

  func loadToLook(
    probed: ActiveConfiguration.ProbedFolders? = nil
  ) throws -> ActiveConfiguration {
    guard let active = try loadToLook(orTell: nil) else { throw Status.configuration }
    try Self.refuseSilent(active, probed)
    return active
  }

  /// The same, for commands that look into the spool, which is closed to all but procd's own user.
  ///
  /// - Parameter probed: the folders that the command goes into; nil if it goes into none, or asks by itself.
  func loadWithSpool(
    probed: ActiveConfiguration.ProbedFolders? = nil
  ) throws -> ActiveConfiguration {
    let active = try loadToLook()
    try Self.open(active)
    try Self.refuseSilent(active, probed)
    Self.tellLoss(active)
    return active
  }

  /// Makes sure that the spool may be looked into, or says who may.
  static func open(_ active: ActiveConfiguration) throws {
    try Self.becomeOwner(of: active.spool)
    if let refusal = Self.refusal(of: active.spool) {
      Console.complain("procd: \(refusal)")
      throw Status.notPermitted
    }
  }

  /// Says what of the ledger was lost, which has to be asked before anything opens it. One that runs has told it.
  static func tellLoss(_ active: ActiveConfiguration) {
    if let lost = active.lostLedger, !DaemonLock.isHeld(active) {
      Console.complain("procd: \(lost.plain)")
    }
  }

  /// Why a spool cannot be looked into, and what to do; nil where it can.
  static func refusal(of spool: FilePath) -> PlainText? {
    guard Self.isClosed(spool) else { return nil }
    let owner = Self.owner(of: spool).flatMap { Accounts.userName($0.user) } ?? "procd"
    return
      "\(spool.printable) is open to user \(owner) alone, who runs procd; ask as that user, with sudo -u \(owner) in front"
  }

  /// Makes root the user whose spool it is: what root made there, that user could not use.
  static func becomeOwner(of spool: FilePath) throws {
    guard geteuid() == 0, let owner = owner(of: spool), owner.user != 0 else { return }
    // With all groups of that user: a folder may be open by one of them alone.
    let name = Accounts.userName(owner.user)
    let hasGroups =
      name.map { name in unsafe name.withCString { unsafe initgroups($0, owner.group) == 0 } }
      ?? (setgroups(0, nil) == 0)
    guard hasGroups, setgid(owner.group) == 0, setuid(owner.user) == 0 else {
      Console.complain(
        "procd: \(spool.printable) is user \(owner.user)'s, and this process cannot become that user"
      )
      throw Status.notPermitted
    }
  }

  /// Nil where the folder is not there, or cannot be seen.
  private static func owner(of folder: FilePath) -> (user: UInt32, group: UInt32)? {
    guard let name = folder.lastComponent,
      let status = try? Folder.open(folder.removingLastComponent()).status(FilePath(name: name)),
      status.kind == .folder
    else { return nil }
    return (status.owner, status.group)
  }

  /// Why root does not run procd on a spool, and what to do; nil where it does.
  static func refusalAsRoot(_ spool: FilePath) -> (message: String, cure: String)? {
    guard geteuid() == 0, let owner = owner(of: spool), owner.user != 0 else { return nil }
    let name = Accounts.userName(owner.user) ?? String(owner.user)
    return (
      "\(spool.printable) is user \(name)'s", "run it as that user, with sudo -u \(name) in front"
    )
  }

  /// Whether a spool is another user's.
  static func isClosed(_ spool: FilePath) -> Bool {
    !spool.allows(R_OK | X_OK) && errno == EACCES
  }

  func read(_ argument: String? = nil) throws -> ConfigurationLoader.Loaded {
    let path = path(argument)
    do {
      // Its last name is enough where it stands here, and nowhere else.
      let isHere = path.removingLastComponent() == absolutePath("_").removingLastComponent()
      return try loader.load(path, as: isHere ? nil : path.printable)
    } catch {
      let what: PlainText =
        error.errno == .noSuchFileOrDirectory
        ? "there is no configuration \(path.printable)\(isNamed(argument) ? "" : ", nor \(Self.system.string)")"
        : "the configuration \(path.printable) cannot be read: \(error.errno)"
      let cure: PlainText =
        switch error.errno {
        case .permissionDenied:
          "give user \(Accounts.currentUser) the right to read it, and to enter the folders above it"
        case .isDirectory: "name the file, such as \(path.printable)/pipelines.json"
        default:
          "write one with procd init, name one with -c, or start in a folder that has a pipelines.json"
        }
      Console.complain("procd: \(what)\nprocd: \(cure)")
      throw Status.configuration
    }
  }

  /// The plugins that the configuration names, and those that come with procd; the latter alone without one, or where it
  /// cannot be read, which is told then.
  func plugins() -> (catalog: PluginCatalog, problems: [Installation.Problem]) {
    let loaded = isThere ? try? read() : nil
    return loaded.map { ($0.catalog, $0.pluginProblems) }
      ?? Installation.ofThisProgram().catalog(configured: [])
  }

  var loader: ConfigurationLoader {
    ConfigurationLoader(installation: .ofThisProgram(), landlockCeiling: landlockCeiling())
  }

  static func summary(_ complaints: [Complaint]) -> String {
    let errors = complaints.count { $0.severity == .error }
    let warnings = complaints.count - errors
    func counted(_ count: Int, _ word: String) -> String {
      "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    return [
      errors > 0 ? counted(errors, "error") : nil,
      warnings > 0 ? counted(warnings, "warning") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

/// For tests: behave as on a kernel with an older Landlock.
func landlockCeiling() -> Int? {
  unsafe getenv("PROCD_LANDLOCK").flatMap { unsafe Int(String(cString: $0)) }
}

extension NetProgram {
  /// The one beside this program, confined as a configuration asks for.
  static func ofThisProgram(_ active: ActiveConfiguration) -> NetProgram {
    NetProgram(
      .ofThisProgram(), landlockCeiling: landlockCeiling(),
      isolationRequired: active.configuration.isolationRequired)
  }
}

/// A path as typed, made absolute.
func absolutePath(_ text: String) -> FilePath {
  let path = FilePath(typed: text)
  guard path.isRelative else { return path.lexicallyNormalized() }
  var buffer = [CChar](repeating: 0, count: 4096)
  let current = unsafe getcwd(&buffer, buffer.count).map { unsafe FilePath(platformString: $0) }
  return (current ?? "/").appending(path.components).lexicallyNormalized()
}
