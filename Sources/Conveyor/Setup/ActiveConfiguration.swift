package import Files
internal import Glibc
package import Intake
package import Outbox
package import Pipelines
internal import PluginKit
package import SystemPackage

/// A configuration that passed its check, with all that is derived from it once.
package struct ActiveConfiguration: Sendable {
  package var configuration: Configuration
  package var catalog: PluginCatalog
  /// The folder of pipelines.json; relative paths start here.
  package var base: FilePath
  /// The file that it was read from, absolute; nil where it is none.
  package var file: FilePath?
  package var router: Router
  /// Which files of the inbox belong together.
  package var companionRules: CompanionRules
  /// By pipeline id: the hash of the pipeline as meant, plugin versions included.
  package var hashes: [String: String]
  /// Who may do what with the files of each place. A group that this machine does not have is left out.
  package var access: [Place: PlaceAccess]
  /// The text that it was read from.
  package let text: [UInt8]

  package init(
    _ configuration: Configuration, catalog: PluginCatalog, base: FilePath, text: [UInt8] = [],
    file: FilePath? = nil
  ) {
    self.file = file
    self.configuration = configuration
    self.text = text
    self.catalog = catalog
    self.base = base
    router = Router(configuration.pipelines)
    companionRules = CompanionRules(configuration.pipelines)
    hashes = Dictionary(
      configuration.pipelines.map { ($0.id, sha256($0.canonical.line)) },
      uniquingKeysWith: { first, _ in first })
    access = Dictionary(
      uniqueKeysWithValues: Place.allCases.map { place in
        let wanted = configuration.access(place)
        return (
          place, PlaceAccess(mode: wanted.mode, group: wanted.group.flatMap(Accounts.group))
        )
      })
  }

  /// What tells this text of a configuration from others.
  package var mark: String { String(sha256(text).prefix(16)) }

  /// What tells its folders from those of others; a running procd keeps those that it was started with.
  package var foldersMark: String {
    let all = ([inbox, spool] + Place.allCases.map(folder)).map(\.printable).joined(separator: "\n")
    return String(sha256(Array(all.utf8)).prefix(16))
  }

  package func absolute(_ path: String) -> FilePath {
    let path = FilePath(path)
    return path.isAbsolute ? path : base.appending(path.components).lexicallyNormalized()
  }

  package var inbox: FilePath { absolute(configuration.inbox.path) }
  package var spool: FilePath { absolute(configuration.spool) }

  /// The inbox with what the rules say of its folders.
  ///
  /// - Parameter wake: called when something may have changed; nil where nobody waits for changes.
  package func inboxFolder(wake: (@Sendable () -> Void)?) -> Inbox {
    let inbox = Inbox(
      path: inbox, settings: configuration.inbox, others: Place.allCases.map(folder) + [spool],
      wake: wake)
    tell(inbox)
    return inbox
  }

  /// Tells the inbox what the rules say of its folders, and which files belong together.
  func tell(_ inbox: Inbox) {
    let router = router
    inbox.pair(companionRules)
    inbox.gather { path in
      let name = path.lastComponent.map { FilePath(name: $0).repaired.text } ?? ""
      return router.leastFiles(ofFolder: path.repaired.text, name: name)
    }
  }

  /// Where figures for a monitoring system are written; nil where none are wanted.
  package var metricsFile: FilePath? { configuration.metricsFile.map { absolute($0) } }
  /// Where the status is told; nil where nobody else is to ask.
  package var statusSocket: FilePath? { configuration.statusSocket.map { absolute($0) } }
  package var metricsSocket: FilePath? { configuration.metricsSocket.map { absolute($0) } }

  /// Whether a socket is not to be expected: its folder is the unit's, which is not there for a single run by hand.
  package func lacksSocketFolder(_ socket: FilePath?, once: Bool) -> Bool {
    once && socket.map { !$0.removingLastComponent().allows(F_OK) } ?? false
  }

  /// Whether all folders are those of another configuration.
  package func hasFolders(of other: ActiveConfiguration) -> Bool {
    foldersMark == other.foldersMark
  }

  package func folder(_ place: Place) -> FilePath {
    absolute(written(place))
  }

  /// A place as the configuration writes it, for reports.
  package func written(_ place: Place) -> String {
    switch place {
    case .outbox: configuration.outbox.path
    case .archive: configuration.archive.path
    case .quarantine: configuration.quarantine.path
    }
  }
}

/// Finds, reads and checks a configuration.
package struct ConfigurationLoader: Sendable {
  package let installation: Installation
  package let landlockCeiling: Int?

  package init(installation: Installation, landlockCeiling: Int? = nil) {
    self.installation = installation
    self.landlockCeiling = landlockCeiling
  }

  package struct Loaded: Sendable {
    package var path: FilePath
    package var file: ConfigurationFile
    package var catalog: PluginCatalog
    package var pluginProblems: [Installation.Problem]
    /// Nil while there are errors.
    package var active: ActiveConfiguration?
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - name: what people call it; its last component where it is left out.
  package func load(_ path: FilePath, as name: String? = nil) throws(FileError) -> Loaded {
    let folder = try Folder.open(path.removingLastComponent())
    guard let last = path.lastComponent else {
      throw FileError("open", path, .noSuchFileOrDirectory)
    }
    // Links are followed here: the configuration's own place is the administrator's.
    let text = try folder.following(FilePath(name: last)).readAll(limit: 16 << 20)
    return load(text, name: name ?? last.string, path: path)
  }

  /// What a running procd goes by where the file was changed since into something that cannot be read; nil
  /// where none runs that was started with this file.
  ///
  /// - Parameter path: of the configuration, absolute.
  package func running(_ path: FilePath) -> ActiveConfiguration? {
    let base = path.removingLastComponent()
    let written = try? Folder.open(base).following(FilePath(path.lastComponent?.string ?? ""))
      .readAll(limit: 16 << 20)
    let named = written.flatMap { text in
      (try? JSONReader.read(text).value["spool"]?.stringValue)
        // A text with a mistake says it too.
        ?? String(decoding: text, as: UTF8.self)
        .firstMatch(of: #/"spool"\s*:\s*"([^"\\]+)"/#).map { String($0.1) }
    }
    for spool in [named, "spool"].compactMap(\.self) {
      let place = FilePath(spool).isAbsolute ? FilePath(spool) : base.appending(spool)
      // Cheap first: what runs by the text that stands there needs no asking.
      guard let folder = try? Folder.open(place),
        let text = try? folder.reading(Spool.runningName).readAll(limit: 16 << 20),
        text != written, let running = Health.asked(spool: place, patience: 1000),
        // Another configuration beside this one may have the usual spool. One that hangs cannot say which it has, and
        // counts where this one has that spool.
        running.pulse != nil || spool == named ?? "spool",
        Self.isSameFile(running.pulse?.configuration, path),
        let active = load(text, name: path.lastComponent?.string ?? "", path: path).active
      else { continue }
      return active
    }
    return nil
  }

  /// Whether a running procd was started with a configuration, whatever way its folder was named.
  ///
  /// - Parameter running: what it says; nil where it is an older one that does not.
  static func isSameFile(_ running: String?, _ path: FilePath) -> Bool {
    guard let running, running != path.repaired.text else { return true }
    let other = FilePath(running)
    guard other.lastComponent == path.lastComponent else { return false }
    let one = other.removingLastComponent(), two = path.removingLastComponent()
    do throws(FileError) {
      guard try PathPlace.lies(one, in: two) else { return false }
      return try PathPlace.lies(two, in: one)
    } catch {
      // Another procd is not acted on for want of knowing.
      return false
    }
  }

  package func load(_ text: [UInt8], name: String, path: FilePath) -> Loaded {
    let base = path.removingLastComponent()
    // The file alone first: its plugin folders are needed to know the steps.
    let plain = ConfigurationFile(name: name, text: text, catalog: nil)
    let folders = plain.pluginFolders.map { text in
      let folder = FilePath(text)
      return folder.isAbsolute ? folder : base.appending(folder.components)
    }
    let (catalog, problems) = installation.catalog(
      configured: folders, landlockCeiling: landlockCeiling)
    let file = ConfigurationFile(name: name, text: text, catalog: catalog)
    return Loaded(
      path: path, file: file, catalog: catalog, pluginProblems: problems,
      active: file.configuration.map {
        ActiveConfiguration($0, catalog: catalog, base: base, text: text, file: path)
      })
  }
}
