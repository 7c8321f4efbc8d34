package import PluginKit
package import SystemPackage

/// A configuration as it is meant: defaults filled in, units read, references resolved.
package struct Configuration: Sendable {
  /// Paths as written; relative ones start at the folder of the file.
  package var inbox: Inbox
  package var outbox: Outbox
  package var archive: Archive
  package var quarantine: Quarantine
  package var spool: String
  /// The zone in which days are counted; nil for UTC.
  package var timeZone: String?
  /// How long deleted documents can be brought back, in milliseconds; nil for ever.
  package var keepDeleted: Int?
  package var workers: Int?
  package var duplicates: Duplicates
  package var isolationRequired: Bool
  package var defaults: Defaults
  package var pluginFolders: [String]
  package var pipelines: [Pipeline] = []

  package var sources: [Source] = []
  package var notify: [NotifyTarget] = []
  /// Other machines that steps may run on; nil where there are none.
  package var fleet: Fleet?
  /// Whether the texts of documents are kept for searching while procd runs.
  package var isIndexed: Bool
  /// The page in the browser; nil where there is none.
  package var web: Web?
  /// Where figures for a monitoring system are written.
  package var metricsFile: String?
  package var metricsSocket: String?
  /// A local socket at which the status is told, and the group whose members may ask.
  package var statusSocket: String?
  package var statusGroup: String?
  package var isMeasured: Bool { metricsFile != nil || metricsSocket != nil }

  /// What does not hang on plugins, as it is written; what is left out is as ``ConfigurationShape`` has it.
  init(_ written: JSON) {
    let set = Options(ConfigurationShape.file, written)
    inbox = Inbox(set["inbox"])
    outbox = Outbox(set["outbox"])
    archive = Archive(set["archive"])
    quarantine = Quarantine(set["quarantine"])
    spool = set.text("spool")
    timeZone = set.string("timeZone")
    keepDeleted = Quantity.milliseconds(set.text("keepDeleted"))
    workers = set.integer("workers")
    duplicates = set.choice("duplicates", .reuse)
    isolationRequired = set.string("isolation") == "required"
    defaults = Defaults(set["defaults"])
    pluginFolders = set.strings("plugins")
    isIndexed = set.flag("find")
    web = set["web"].map(Web.init)
    metricsFile = set["metrics"]?["file"]?.stringValue
    metricsSocket = set["metrics"]?["socket"]?.stringValue
    statusSocket = set["status"]?["socket"]?.stringValue
    statusGroup = set["status"]?["group"]?.stringValue
  }

  package func access(_ place: Place) -> Access {
    switch place {
    case .outbox: outbox.access
    case .archive: archive.access
    case .quarantine: quarantine.access
    }
  }

  package enum Duplicates: String, Sendable, CaseIterable { case reuse, report, again, refuse }

  package struct Inbox: Sendable, Equatable {
    package enum Watch: String, Sendable { case auto, events, poll }
    package var path: String
    package var recursive: Bool
    /// Milliseconds, as all times here.
    package var settle: Int
    package var settleFolder: Int
    package var settleUnleased: Int
    package var settleEndMark: Int
    package var rescan: Int
    package var watch: Watch
    package var poll: Int
    /// How long a sub-folder must have been empty to be removed; nil for never.
    package var removeEmpty: Int?
    /// The shipped list and what the file adds, and the marker.
    package var ignore: [String]
    /// The name of a file without which the folder is not taken for what is meant.
    package var marker: String?

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.inbox, written, short: "path")
      path = set.text("path")
      recursive = set.flag("recursive")
      settle = set.milliseconds("settle")
      settleFolder = set.milliseconds("settleFolder")
      settleUnleased = set.milliseconds("settleUnleased")
      settleEndMark = set.milliseconds("settleEndMark")
      rescan = set.milliseconds("rescan")
      watch = set.choice("watch", .auto)
      poll = set.milliseconds("poll")
      removeEmpty = set.string("removeEmpty").flatMap(Quantity.milliseconds)
      marker = set.string("marker")
      ignore =
        ConfigurationShape.shippedIgnores + set.strings("ignore") + (marker.map { [$0] } ?? [])
    }
  }

  package struct Outbox: Sendable, Equatable {
    package enum Layout: String, Sendable { case flat, folder }
    package var path: String
    package var layout: Layout
    /// A folder below the outbox that reports are put into, by its components; nil for beside their results.
    package var reports: FilePath?
    package var keepsSourceTime: Bool
    package var access: Access

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.outbox, written, short: "path")
      path = set.text("path")
      layout = set.choice("layout", .flat)
      let reports = set.text("reports")
      self.reports = reports == "beside" ? nil : FilePath(reports)
      keepsSourceTime = set.string("mtime") == "source"
      access = Access(set)
    }
  }

  package struct Archive: Sendable, Equatable {
    package var path: String
    package var access: Access
    /// For originals of rules without a time of their own.
    package var keep: KeepTime

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.archive, written, short: "path")
      path = set.text("path")
      access = Access(set)
      keep = KeepTime(set.text("keep"))
    }
  }

  /// How long an original stays once its job is done.
  package struct KeepTime: Sendable, Equatable {
    /// Nil for ever, 0 not at all.
    package var milliseconds: Int?

    /// - Parameter text: `forever`, `no` or a duration.
    package init(_ text: String) {
      milliseconds = text == "no" ? 0 : Quantity.milliseconds(text)
    }
  }

  /// Returns how long originals of a rule are kept: its own time, or that of the archive if the rule has none or no
  /// longer exists.
  package func keepTime(ofRule id: String?) -> KeepTime {
    pipelines.first { $0.id == id }?.keep ?? archive.keep
  }

  /// All times after which originals go, in milliseconds.
  package var keepTimes: [Int] {
    (pipelines.map { $0.keep ?? archive.keep } + [archive.keep]).compactMap(\.milliseconds)
  }

  package struct Quarantine: Sendable, Equatable {
    package var path: String
    package var access: Access

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.quarantine, written, short: "path")
      path = set.text("path")
      access = Access(set)
    }
  }

  /// Who may do what with the files of a place, and how it is known.
  package struct Access: Sendable, Equatable {
    /// Permission bits; nil for what files get of themselves: 0660 what procd makes, their own what
    /// was dropped.
    package var mode: UInt32?
    /// The name or number of a group; nil for the group of the source.
    package var group: String?
    /// The name of a file without which the folder is not taken for what is meant.
    package var marker: String?

    fileprivate init(_ set: Options) {
      marker = set.string("marker")
      mode = set.string("mode").flatMap(Quantity.permissions)
      group = set.string("group")
    }
  }

  package struct Defaults: Sendable, Equatable {
    package var timeout: Int
    package var stall: Int
    package var retry: Retry
    package var limits = StepLimits()
    package var files: Int

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.defaults, written)
      timeout = set.milliseconds("timeout")
      stall = set.milliseconds("stall")
      retry = Retry(set["retry"])
      let limit = Options(ConfigurationShape.limits, set["limits"])
      limits.memory = Quantity.bytes(limit.text("memory")) ?? 0
      limits.output = Quantity.bytes(limit.text("output")) ?? 0
      limits.pages = limit.integer("pages") ?? 0
      limits.pixels = Quantity.pixels(limit.text("pixels")) ?? 0
      files = limit.integer("files") ?? 0
    }
  }

  package struct Retry: Sendable, Equatable {
    package var attempts: Int
    package var backoff: Int
    package var factor: Double
    package var max: Int

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.retry, written)
      attempts = set.integer("attempts") ?? 0
      backoff = set.milliseconds("backoff")
      factor = set.double("factor") ?? 0
      max = set.milliseconds("max")
    }

    /// Milliseconds to wait after this many charged attempts.
    package func wait(after attempts: Int) -> Int {
      var wait = Double(backoff)
      for _ in 1..<Swift.max(1, min(attempts, 100)) { wait = min(wait * factor, Double(max)) }
      return Int(min(wait, Double(max)))
    }
  }
}

extension Options {
  /// What is written, with the defaults of its declaration. Where the shape is wrong somewhere, which is told
  /// elsewhere, its value is empty.
  ///
  /// - Parameter short: the member that a text alone stands for.
  init(_ shape: ObjectShape, _ written: JSON?, short: String? = nil) {
    var written = written ?? [:]
    if let short, let text = written.stringValue { written = [short: .string(text)] }
    self.init(checked: shape.filled(written))
  }

  func text(_ name: String) -> String { string(name) ?? "" }

  fileprivate func milliseconds(_ name: String) -> Int {
    Quantity.milliseconds(text(name)) ?? 0
  }

  fileprivate func choice<Choice: RawRepresentable>(
    _ name: String, _ otherwise: Choice
  ) -> Choice where Choice.RawValue == String {
    string(name).flatMap(Choice.init) ?? otherwise
  }
}
