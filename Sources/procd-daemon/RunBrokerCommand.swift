import ArgumentParser
import Files
import Fleet
import Glibc
import PlainText
import PluginKit
import SystemPackage
import Workers

struct RunBrokerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-broker",
    abstract: "Run the installed nats-server with a configuration made for a fleet.",
    discussion: """
      Writes broker.conf into the folder and, at the first start, a login into broker.login, which every machine of \
      the fleet names as "credentials". Then it runs nats-server in its place. Documents pass through the broker \
      encrypted with the fleet's key, which the broker does not have.
      """)

  @Option(help: "The address to listen on, HOST:PORT.")
  var listen = "127.0.0.1:4222"

  @Option(help: "The folder for its configuration, its login and the data in transit.")
  var store: String

  @Option(help: "How much it may keep on disk, such as 4GiB.")
  var bytes = "4GiB"

  @Flag(help: "Write each message to the disk at once (nats-server 2.10 or later).")
  var sync = false

  @Option(help: "The file with its TLS certificate.")
  var certificate: String?

  @Option(help: "The file with the private key of that certificate.")
  var certificateKey: String?

  @Option(help: "Its name in a cluster of brokers.")
  var name: String?

  @Option(help: "The address for the other brokers of a cluster, HOST:PORT.")
  var clusterListen: String?

  @Option(parsing: .upToNextOption, help: "The others' addresses, HOST:PORT.")
  var routes: [String] = []

  func validate() throws {
    guard (certificate == nil) == (certificateKey == nil) else {
      throw ValidationError("--certificate and --certificate-key go together")
    }
    guard Quantity.bytes(bytes) != nil else {
      throw ValidationError("--bytes is a size, such as 4GiB")
    }
    guard routes.isEmpty || clusterListen != nil else {
      throw ValidationError("--routes needs --cluster-listen and --name")
    }
    guard clusterListen == nil || name != nil else {
      throw ValidationError("each broker of a cluster needs its own --name")
    }
    for place in [listen, clusterListen].compactMap(\.self) + routes
    where place.wholeMatch(of: /[^\s"\/]+:[0-9]{1,5}/) == nil {
      throw ValidationError("\(place) is no HOST:PORT")
    }
  }

  func run() throws {
    let program = try program()
    if sync { try requireSync(of: program) }
    let folder: Folder, path: FilePath
    do throws(FileError) {
      folder = try Folder.make(absolutePath(store), mode: 0o700)
      path = folder.path.appending("broker.conf")
      _ = try folder.writeDurably(
        Array(text(login: try login(in: folder), folder.path).utf8), as: "broker.conf")
    } catch {
      Console.complain("procd: the broker's folder cannot be used: \(error)")
      throw ExitCode(73)
    }
    Console.complain(
      "procd: \(program) at \(listen); machines of the fleet need \(folder.path.appending("broker.login").printable)"
        + " as their \"credentials\", besides the key")
    let words: [String] = [program, "-c", path.string]
    var copies = unsafe words.map { unsafe strdup($0) }
    unsafe copies.append(nil)
    unsafe execv(program, &copies)
    Console.complain(
      "procd: \(program) cannot be started: \(unsafe String(cString: strerror(errno)))")
    throw ExitCode(69)
  }

  /// Returns the path of the installed server.
  private func program() throws(ExitCode) -> String {
    let folders = ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"]
    let programs: [String] = folders.map { "\($0)/nats-server" }
    guard let program = programs.first(where: { unsafe access($0, X_OK) == 0 }) else {
      Console.complain("procd: nats-server is not installed; on Debian: apt install nats-server")
      throw ExitCode(69)
    }
    return program
  }

  /// Refuses servers that do not know `sync_interval: always`: they take the word for a duration and do not start.
  private func requireSync(of program: String) throws(ExitCode) {
    var version = ""
    _ = ProgramRun([program, "--version"], environment: [], milliseconds: 10_000).runBlocking(
      while: { true }, line: { version += String(decoding: $0, as: UTF8.self) })
    guard let numbers = version.firstMatch(of: /v(\d+)\.(\d+)/), let major = Int(numbers.1),
      let minor = Int(numbers.2), (major, minor) >= (2, 10)
    else {
      Console.complain(
        "procd: --sync needs nats-server 2.10 or later, such as that of Debian 13; installed is \(version)"
      )
      throw ExitCode(69)
    }
  }

  /// The login, made with the first start: a line USER:PASSWORD.
  private func login(in folder: Folder) throws(FileError) -> (user: Substring, password: Substring)
  {
    if try !folder.exists("broker.login") {
      try folder.writeDurably(
        Array("procd:\(FleetKey.random(bytes: 24))\n".utf8), as: "broker.login")
    }
    let text = String(
      decoding: try folder.reading("broker.login").readAll(limit: 4096), as: UTF8.self)
    let parts = text.split(whereSeparator: \.isNewline).first?.split(separator: ":", maxSplits: 1)
    guard let parts, parts.count == 2 else {
      throw FileError("read", folder.path.appending("broker.login"), .invalidArgument)
    }
    return (parts[0], parts[1])
  }

  /// The server's own format of configuration.
  private func text(login: (user: Substring, password: Substring), _ folder: FilePath) -> String {
    func quoted(_ text: some StringProtocol) -> String {
      "\"" + text.map { "\\\"".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }
    let user = "user: \(quoted(login.user)), password: \(quoted(login.password))"
    var text = """
      # Written by `procd fleet run-broker` at each start: changes are lost.
      listen: \(quoted(listen))
      max_payload: 1MB
      jetstream {
        store_dir: \(quoted(folder.appending("store").string))
        max_memory_store: \(max(64 << 20, (Quantity.bytes(bytes) ?? 0) / 4))
        max_file_store: \(Quantity.bytes(bytes) ?? 0)\(sync ? "\n  sync_interval: always" : "")
      }
      authorization { \(user) }

      """
    if let name { text += "server_name: \(quoted(name))\n" }
    if let certificate, let certificateKey {
      text += """
        tls {
          cert_file: \(quoted(absolutePath(certificate).string))
          key_file: \(quoted(absolutePath(certificateKey).string))
        }

        """
    }
    if let clusterListen {
      let others = routes.map { quoted("nats://\(login.user):\(login.password)@\($0)") }
      text += """
        cluster {
          name: "procd"
          listen: \(quoted(clusterListen))
          authorization { \(user) }
          routes: [\(others.joined(separator: ", "))]
        }

        """
    }
    return text
  }
}
