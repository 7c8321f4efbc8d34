import ArgumentParser
import Conveyor
import Files
import Glibc
import PageAPI
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import Synchronization
import SystemPackage
import Workers

struct WebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Show the page: see, drop, find and act in a browser.",
    discussion: """
      If the configuration has "web", procd run serves the page by itself. procd web also works \
      while no procd runs, and then shows what has been done so far.
      """,
    subcommands: [ServeWebCommand.self, OpenWebCommand.self, WebPasswordCommand.self],
    defaultSubcommand: ServeWebCommand.self)

  /// What the page listens to where the configuration says nothing.
  static func web(_ active: ActiveConfiguration) throws -> Configuration.Web {
    guard let web = active.configuration.web ?? Configuration.Web(short: "127.0.0.1:8750") else {
      throw Status.configuration
    }
    return web
  }
}

/// How the page is reached.
struct PageLink {
  let web: Configuration.Web
  let token: String

  init(_ active: ActiveConfiguration) throws {
    web = try WebCommand.web(active)
    token = try PageSecrets(in: active.spool).token()
  }

  /// The socket in the spool at which the page that is shown tells its link.
  private static let socketName = FilePath("web")

  /// Tells the link as long as the page is shown; nil where the file system has no sockets.
  func tell(in spool: FilePath) -> AnsweringSocket? {
    guard let folder = try? Folder.open(spool) else { return nil }
    return try? AnsweringSocket(in: folder, as: Self.socketName) { [url] in Array(url.utf8) }
  }

  /// The link of the page that is shown; nil where none is, or none that can be asked.
  static func shown(in spool: FilePath) -> String? {
    guard let folder = try? Folder.open(spool),
      let answer = try? folder.ask(socketName, patience: 1000)
    else { return nil }
    return String(decoding: answer, as: UTF8.self)
  }

  /// The link by the name that a proxy in front of the page has; nil where there is none.
  var proxied: String? {
    guard web.behindProxy, case .port = web.place, let name = web.hosts.first else { return nil }
    return "https://\(name)/open?token=\(token)"
  }

  var url: String {
    switch web.place {
    case .port(let host, let port):
      let name = host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host
      return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)/open?token=\(token)"
    case .socket, nil:
      return "https://\(web.hosts.first ?? "localhost")/open?token=\(token)"
    }
  }
}

struct ServeWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page until Ctrl-C (the default).")

  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let active = try options.loadWithSpool()
    let web = try WebCommand.web(active)
    let secrets = try PageSecrets(in: active.spool)
    let password = try secrets.password()
    guard web.isLocal || password != nil else {
      Console.complain(
        "procd: others can reach \(web.listen): set a password first, with procd web password")
      throw Status.configuration
    }
    var setup = PageSetup(
      host: nil, port: 0, socket: nil, hosts: web.hosts, behindProxy: web.behindProxy,
      token: try secrets.token(), password: password, ended: try secrets.ended(),
      uploads: web.uploads,
      version: ProgramVersion.number)
    switch web.place {
    case .port(let host, let port): (setup.host, setup.port) = (host, port)
    case .socket(let path): setup.socket = active.absolute(path).string
    case nil: throw Status.configuration
    }
    let link = try PageLink(active), shown = Mutex<AnsweringSocket?>(nil)
    let answers = PageAnswers(options, active, setup)
    let desk = PageDesk(
      setup, programs: Installation.ofThisProgram().programs,
      isolationRequired: active.configuration.isolationRequired, answers
    ) {
      // The page is this one's now: what an earlier one left comes from nobody.
      let inbox = active.silentFolders(.inbox).isEmpty ? [active.inbox] : []
      for place in inbox + [active.spool] {
        guard let folder = try? Folder.open(place) else { continue }
        HandIn.removeLeft(in: folder, way: Uploads.way)
      }
      answers.trials.removeLeft(in: active.spool)
      answers.archives.removeLeft(in: active.spool)
      answers.parts.removeLeft(in: active.spool)
      let socket = link.tell(in: active.spool)
      shown.withLock { $0 = socket }
      Console.print("page  \(link.url)")
    }
    let why = try await desk.serve()
    shown.withLock { $0 }?.close()
    answers.uploads.giveUpAll()
    answers.trials.dropAll()
    answers.archives.dropAll()
    answers.parts.dropAll()
    Console.complain("procd: the page ended: \(why)")
    throw Status.deferred
  }
}

struct OpenWebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Print the link that opens the page.")

  @Flag(help: "Make a new link; the old one and all sessions end when the page is started again.")
  var renew = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.loadWithSpool()
    if renew { try PageSecrets(in: active.spool).renew() }
    let link = try PageLink(active).url
    var shown = PageLink.shown(in: active.spool), pulse: Pulse?
    // One that just begins, or was ended and comes back, is there in a moment.
    let end = ContinuousClock.now + .seconds(5)
    while shown == nil {
      pulse = Health.ask(active).pulse
      guard pulse != nil || DaemonLock.isHeld(active), active.configuration.web != nil, .now < end,
        pulse?.troubles.contains(where: { $0.hasPrefix(PageProcess.notShown) }) != true
      else { break }
      usleep(100_000)
      shown = PageLink.shown(in: active.spool)
    }
    // Who has the link has all documents: it is not sent to whatever else answers at that address.
    if shown == nil,
      let trouble = pulse?.troubles.first(where: { $0.hasPrefix(PageProcess.notShown) })
        ?? Self.stranger(at: active, pulse)
    {
      Console.complain("procd: \(trouble)")
      throw Status.deferred
    }
    Console.print("\(link)")
    if let proxied = try PageLink(active).proxied { Console.print("\(proxied)") }
    if let shown, shown != link {
      Console.complain(
        "procd: the page that is shown now keeps its old link until it is started again")
    }
    guard shown == nil else { return }
    if active.configuration.web == nil {
      Console.complain(
        "procd: no page is shown now: the configuration has no \"web\", so procd run shows none; procd web does while it"
          + " runs")
    } else if pulse == nil {
      Console.complain(
        "procd: no procd is running here: start procd run, or procd web, before you open it")
    } else {
      Console.complain(
        "procd: the running procd does not show it (yet): a \"web\" that was added needs a restart")
    }
  }
}

extension OpenWebCommand {
  /// What is said where another program listens to the address of a page that is not shown; nil where none does.
  private static func stranger(at active: ActiveConfiguration, _ pulse: Pulse?) -> String? {
    // Where one runs that cannot be asked, for want of sockets in its spool, the page may be its own.
    guard pulse != nil || !DaemonLock.isHeld(active),
      case .port(_, let port)? = (try? WebCommand.web(active))?.place,
      !PageAddress.isFree(UInt16(clamping: port))
    else { return nil }
    let why = pulse == nil ? "no procd is running here" : "the page is not shown yet"
    return
      "\(why), and another program answers at port \(port), where it would be: give \"web\" another address, or"
      + " stop that program"
  }
}

struct WebPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password",
    abstract: "Set the password of the page; it is read from the terminal or standard input.")

  @Flag(help: "Remove the password: the link alone opens the page.")
  var remove = false

  @OptionGroup var options: ConfigurationOption

  /// Shorter ones are guessed.
  private static let least = 8

  func run() throws {
    let active = try options.loadWithSpool()
    let secrets = try PageSecrets(in: active.spool)
    if remove {
      try secrets.set(password: nil)
    } else {
      guard let password = Self.read("Password: ") else { throw ExitCode(1) }
      guard password.count >= Self.least else {
        throw ValidationError("a password needs \(Self.least) letters or more")
      }
      if isatty(0) == 1, Self.read("Again: ") != password {
        throw ValidationError("the two are not the same")
      }
      guard let hash = PasswordHash.make(password) else { throw ExitCode(1) }
      try secrets.set(password: hash)
    }
    Console.print("it takes effect when the page is started again")
  }

  /// Reads a line without showing it.
  private static func read(_ prompt: PlainText) -> String? {
    guard isatty(0) == 1 else { return readLine() }
    Console.complain(prompt, end: "")
    var before = termios()
    unsafe tcgetattr(0, &before)
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(0, TCSAFLUSH, &quiet)
    defer {
      unsafe tcsetattr(0, TCSAFLUSH, &before)
      Console.complain("")
    }
    return readLine()
  }
}

/// Keeps `procd web` running beside `procd run`: a program of its own, so that nothing of the page can hold up the work.
struct PageProcess {
  let configuration: FilePath
  /// The daemon's own folder, by which its processes are found.
  let spool: FilePath
  let tell: @Sendable (String?) -> Void

  /// How a trouble of the page begins.
  static let notShown = "the page is not shown: "

  /// Until the task is cancelled.
  func serve() async {
    var pause = 1, told: String?
    while !Task.isCancelled {
      var run = ProgramRun(
        [
          Installation.ofThisProgram().programs.appending("procd-daemon").string, "web", "-c",
          configuration.string,
        ], environment: Self.environment,
        milliseconds: .max / 4)
      run.mark = SpoolMark(spool: spool.string)
      let task = Cancellation(), isShown = Atomic<Bool>(false)
      let outcome = await withTaskCancellationHandler {
        await run.run(
          while: { !task.isCancelled.load(ordering: .relaxed) },
          line: { _ in
            isShown.store(true, ordering: .relaxed)
            tell(nil)
          })
      } onCancel: {
        task.isCancelled.store(true, ordering: .relaxed)
      }
      guard !Task.isCancelled else { return }
      // One that could be shown is shown again at once; one that cannot, by and by.
      pause = isShown.load(ordering: .relaxed) ? 1 : min(300, pause * 2)
      let why = outcome.lastErrorLine.map { String($0.trimmingPrefix("procd: ")) } ?? "it ended"
      // One that was shown in between is told of again.
      if why != told || isShown.load(ordering: .relaxed) { tell(why) }
      told = why
      try? await Task.sleep(for: .seconds(pause))
    }
  }

  static var environment: [String] {
    var entries: [String] = [], place = unsafe environ
    while let entry = unsafe place.pointee {
      unsafe entries.append(String(cString: entry))
      unsafe place += 1
    }
    return entries
  }
}

/// Whether a task was cancelled, for who is no task.
private final class Cancellation: Sendable {
  let isCancelled = Atomic<Bool>(false)
}
