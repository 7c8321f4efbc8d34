internal import Files
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
  /// What keeps plugins from being used, its own and those of the installation.
  package let pluginProblems: [Installation.Problem]

  package init(
    _ configuration: Configuration, catalog: PluginCatalog, base: FilePath, text: [UInt8] = [],
    file: FilePath? = nil, pluginProblems: [Installation.Problem] = []
  ) {
    self.file = file
    self.pluginProblems = pluginProblems
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

  /// The hash of a rule as it is meant now: a plugin's files may have been changed since it was read.
  func hash(of pipeline: Pipeline) -> String {
    let changes = pipeline.steps.compactMap { step -> (old: String, new: String)? in
      guard case .foreign(let plugin)? = catalog[step.use]?.program, !plugin.stamp.isEmpty,
        let stamp = (try? Folder.open(FilePath(plugin.folder))).map(Installation.stamp),
        stamp != plugin.stamp
      else { return nil }
      return (plugin.stamp, stamp)
    }
    guard !changes.isEmpty else { return hashes[pipeline.id] ?? "" }
    // As it will be once it is read again.
    let meant = changes.reduce(String(decoding: pipeline.canonical.line, as: UTF8.self)) {
      $0.replacing($1.old, with: $1.new)
    }
    return sha256(Array(meant.utf8))
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

  /// What of the ledger is gone, as people read it; nil where nothing is.
  package var lostLedger: String? {
    answer(.archive) ? (try? Folder.open(spool)).flatMap { Spool.lossTold($0, self) } : nil
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
