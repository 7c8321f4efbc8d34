internal import Files
internal import Glibc
internal import Intake
internal import Pipelines
internal import SystemPackage

/// How changes in the inbox are noticed.
struct WatchChecks {
  private let active: ActiveConfiguration
  private let daemonRuns: Bool
  init(_ doctor: Doctor) {
    active = doctor.active
    daemonRuns = doctor.daemonRuns
  }

  /// More folders than this are not counted.
  private static let most = 100_000

  func checks() -> [HealthCheck] {
    guard let inbox = try? Folder.open(active.inbox) else { return [] }
    let settings = active.configuration.inbox
    let pause = settings.poll / 1000
    if settings.watch == .poll {
      return [HealthCheck(.ok, "watch", "the inbox is looked at every \(pause) s, as configured")]
    }
    guard EventSafety.isSafe(inbox.fileSystemType()) else {
      return [
        HealthCheck(
          .warning, "watch",
          "the inbox' file system does not report all changes: it is looked at every \(pause) s",
          cure: "a local file system for the inbox, or a shorter \"poll\"")
      ]
    }
    guard let watcher = FolderWatcher(wake: {}), watcher.watch(inbox, at: "") else {
      return [
        HealthCheck(
          .problem, "watch", "the kernel gives no more inotify instances or watches",
          cure: "raise fs.inotify.max_user_instances and fs.inotify.max_user_watches by sysctl")
      ]
    }
    let folders = countFolders(inbox), allowed = FolderWatcher.limit("max_user_watches")
    if let allowed, folders * 10 > allowed * 8 {
      return [
        HealthCheck(
          .warning, "watch",
          "the inbox has \(folders) folders, and the kernel allows \(allowed) watches: what cannot be"
            + " watched is looked at every \(min(settings.poll, settings.rescan) / 1000) s",
          cure: "raise fs.inotify.max_user_watches by sysctl")
      ]
    }
    return [
      HealthCheck(
        .ok, "watch",
        "changes are reported; folders: \(folders)"
          + (allowed.map { ", watches allowed: \($0)" } ?? "")
          + (FolderWatcher.limit("max_queued_events").map { ", changes kept: \($0)" } ?? ""))
    ]
  }

  private func countFolders(_ inbox: Folder) -> Int {
    var waiting: [FilePath] = [""], count = 0
    while let path = waiting.popLast(), count < Self.most {
      count += 1
      guard let folder = try? inbox.folder(path, .guarded) else { continue }
      try? folder.forEachName { name in
        if try folder.status(name)?.kind == .folder {
          waiting.append(path.appending(name.components))
        }
      }
    }
    return count
  }
}

/// What this process and machine have: descriptors, processes, memory.
struct LimitChecks {
  private let active: ActiveConfiguration
  init(_ doctor: Doctor) { active = doctor.active }

  func checks() -> [HealthCheck] { [descriptors(), processes(), memory()].compactMap(\.self) }

  private var slots: Int { active.configuration.workers ?? coreCount() }

  private func descriptors() -> HealthCheck {
    let limit = Self.limit(of: Int32(RLIMIT_NOFILE.rawValue))
    // Pipes of workers, the ledger's files, files in the hands of jobs.
    let needed = 128 + 24 * slots
    if limit >= needed {
      return HealthCheck(.ok, "descriptors", "\(limit) files may be open at once")
    }
    return HealthCheck(
      .warning, "descriptors",
      "\(limit) files may be open at once; \(slots) workers may need \(needed)",
      cure: "LimitNOFILE= in the unit, or ulimit -n, or fewer workers")
  }

  private func processes() -> HealthCheck? {
    let limit = Self.limit(of: Self.processLimit)
    // Each slot keeps up to two warm workers; foreign steps start more.
    let needed = 32 + 8 * slots
    guard limit < needed else { return nil }
    return HealthCheck(
      .warning, "processes",
      "this user may run \(limit) processes; \(slots) workers may need \(needed)",
      cure: "LimitNPROC= and TasksMax= in the unit, or fewer workers")
  }

  private func memory() -> HealthCheck? {
    guard let proc = try? Folder.open("/proc"),
      let text = try? proc.reading("meminfo").readAll(limit: 1 << 16),
      let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
        .first(where: { $0.hasPrefix("MemAvailable:") }),
      let kibibytes = Int(line.filter(\.isNumber))
    else { return nil }
    let mebibytes = kibibytes >> 10
    // What recognition of a page needs, with room for large ones.
    let needed = 256 + 384 * slots
    if mebibytes >= needed {
      return HealthCheck(
        .ok, "memory", "\(mebibytes) MiB are free for \(slots) steps at once")
    }
    return HealthCheck(
      .warning, "memory",
      "\(mebibytes) MiB are free; \(slots) steps at once may need \(needed) MiB",
      cure: "fewer \"workers\", or more memory")
  }

  /// RLIMIT_NPROC.
  private static let processLimit: Int32 = 6

  /// The soft limit; the largest number where there is none.
  private static func limit(of kind: Int32) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(kind, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }
}
