internal import Confinement
internal import Files
internal import Glibc
internal import JobLedger
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
internal import Workers

/// Looks at what a configuration needs of the machine, by trying it. Changes nothing that lasts, and
/// may run beside a daemon.
package struct Doctor: Sendable {
  let active: ActiveConfiguration
  let installation: Installation
  let landlockCeiling: Int?
  /// Whether a procd holds the spool.
  let daemonRuns: Bool
  /// Milliseconds since 1970.
  let now: Int64

  package init(
    _ active: ActiveConfiguration, _ installation: Installation, landlockCeiling: Int?,
    daemonRuns: Bool, now: Int64 = wallTime()
  ) {
    self.active = active
    self.installation = installation
    self.landlockCeiling = landlockCeiling
    self.daemonRuns = daemonRuns
    self.now = now
  }

  /// All checks, in the order in which they are told.
  package func checks() async -> [HealthCheck] {
    let silent = active.silentFolders()
    var checks = silent.map { HealthCheck(.problem, "folder.silent", $0.sentence) }
    // What has to be looked at for the rest would hang.
    if silent.isEmpty {
      checks += FolderChecks(self).checks()
      checks += WatchChecks(self).checks()
    }
    checks += await trials()
    checks += LimitChecks(self).checks()
    checks += ledger()
    checks += leftovers()
    checks += network()
    checks += await FleetChecks(active, installation, landlockCeiling: landlockCeiling).checks()
    return checks
  }

  // MARK: - Steps

  /// What is found out by running processes.
  private func trials() async -> [HealthCheck] {
    do throws(FileError) {
      let place = try TrialPlace()
      defer { place.remove() }
      return await sandbox(place) + worker(place)
    } catch {
      return [
        HealthCheck(
          .warning, "sandbox", "confinement and workers were not tried: \(error)",
          cure: "make /tmp writable, or set TMPDIR")
      ]
    }
  }

  private func sandbox(_ place: TrialPlace) async -> [HealthCheck] {
    let level = landlockCeiling.map(String.init) ?? "-"
    let told = Mutex<[[UInt8]]>([])
    let outcome = await ProgramRun(
      [
        "\(installation.programs.string)/procd-worker", "try-sandbox", place.path.string, level,
      ], environment: ["LC_ALL=C.UTF-8"], milliseconds: 10_000
    ).run(line: { line in told.withLock { $0.append(line) } })
    let lines = told.withLock { $0 }.compactMap { try? JSONReader.read($0).value }
    guard lines.count == 3 else {
      return [
        HealthCheck(
          .problem, "sandbox",
          "procd-worker could not be started to try confinement\(Self.reason(outcome.end))",
          cure: "install procd-worker beside procd-daemon; procd plugins tells more")
      ]
    }
    return lines.map(judge)
  }

  /// One profile, as the trial told of it.
  private func judge(_ trial: JSON) -> HealthCheck {
    let profile = trial["profile"]?.stringValue ?? ""
    let name = "sandbox.\(profile)"
    if let failed = trial["failed"]?.stringValue {
      return HealthCheck(
        .problem, name, "steps cannot be confined: \(failed)",
        cure: "see whether a container's own seccomp profile forbids it")
    }
    let missing = (trial["missing"]?.arrayValue ?? []).compactMap(\.stringValue)
    let breaches = (trial["breaches"]?.arrayValue ?? []).compactMap(\.stringValue)
    let landlock = trial["landlock"]?.integerValue ?? 0
    let inForce = landlock > 0 ? "Landlock version \(landlock)" : "no Landlock"
    if missing.isEmpty, breaches.isEmpty {
      return HealthCheck(.ok, name, "confined and tried: \(inForce), seccomp")
    }
    let required = active.configuration.isolationRequired && landlock == 0
    let lack = missing.isEmpty ? "" : "; missing: \(missing.joined(separator: ", "))"
    let found = breaches.isEmpty ? "" : "; a confined process \(breaches.joined(separator: ", "))"
    return HealthCheck(
      required || missing.isEmpty ? .problem : .warning, name, "\(inForce)\(lack)\(found)",
      cure:
        "a kernel from 6.12 on with Landlock switched on (lsm=landlock,…); docs/security.md says"
        + " what is open without")
  }

  /// Why a program gave nothing, to be put behind a sentence.
  private static func reason(_ end: ProgramRun.End) -> String {
    if case .notStarted(let why) = end { ": \(why)" } else { "" }
  }

  /// A real step in the real worker: libmagic's database and all between.
  private func worker(_ place: TrialPlace) async -> [HealthCheck] {
    let setup = WorkerSetup(
      programs: installation.programs.string, landlockCeiling: landlockCeiling)
    switch await ProbeTrial.mediaType(of: place.document, work: place.work, setup) {
    case .success("application/pdf"):
      return [
        HealthCheck(.ok, "worker", "a worker was started and told a PDF by libmagic's database")
      ]
    case .success(let other):
      return [
        HealthCheck(
          .problem, "worker", "a PDF was taken for \(other): libmagic's database is missing or old",
          cure: "on Debian: apt install libmagic-mgc")
      ]
    case .failure(let failure):
      return [
        HealthCheck(
          .problem, "worker", "a step could not run: \(failure.message)",
          cure: failure.hint ?? "on Debian: apt install libmagic-mgc; procd plugins tells more")
      ]
    }
  }

  // MARK: - State

  /// Whether the ledger is there and whole.
  package func ledger() -> [HealthCheck] {
    let path = active.spool.appending(Spool.ledgerName.components)
    let spool = try? Folder.open(active.spool)
    let lost = spool.flatMap { Spool.lostLedger($0, active) }
    if let lost { return [HealthCheck(.warning, "ledger.lost", lost.what, cure: lost.cure)] }
    do throws(LedgerError) {
      guard let ledger = try Ledger.reading(path: path) else {
        return [HealthCheck(.ok, "ledger", "there is none yet; the first start makes it")]
      }
      if let damage = try ledger.damage() {
        return [
          HealthCheck(
            .problem, "ledger", "\(path.printable) is damaged: \(damage)",
            cure: LedgerError.damageCure)
        ]
      }
      let totals = try ledger.totals()
      let sound = HealthCheck(
        .ok, "ledger",
        "sound; \(totals.done + totals.quarantined + totals.duplicates) files processed,"
          + " \(totals.unfinished) in work")
      return [sound, clock(newest: try ledger.newestTime())] + heldUp(try ledger.unfinished())
    } catch {
      guard case .damaged(let damage) = error else {
        return [
          HealthCheck(
            .problem, "ledger", "\(path.printable) cannot be read: \(error)",
            cure: "make the user of procd the owner of the file and its folder")
        ]
      }
      return [
        HealthCheck(
          .problem, "ledger", "\(path.printable) is damaged: \(damage)",
          cure: LedgerError.damageCure)
      ]
    }
  }

  private func heldUp(_ unfinished: [JobRow]) -> [HealthCheck] {
    let held = unfinished.filter { $0.errorCode == JobRow.heldUp }
    guard let first = held.first else { return [] }
    return [
      HealthCheck(
        .warning, "jobs",
        "\(held.count) held up, the first: \(first.path.printable): \(first.errorMessage ?? "")",
        cure: "fix what it names; procd tries again by itself, and at every start")
    ]
  }

  private func clock(newest: Int64?) -> HealthCheck {
    // When this was written; no clock that is right is before it.
    let oldest: Int64 = 1_767_225_600_000
    if now < oldest {
      return HealthCheck(
        .problem, "clock", "the clock says \(timestamp(now)), which is in the past",
        cure: "set it, best by chrony or systemd-timesyncd")
    }
    if let newest, newest > now + 60_000 {
      return HealthCheck(
        .warning, "clock",
        "the clock says \(timestamp(now)), but the ledger has jobs of \(timestamp(newest)): it was"
          + " set back, and waits may take longer",
        cure: "check that it is correct")
    }
    return HealthCheck(.ok, "clock", "\(timestamp(now)), after all jobs in the ledger")
  }

  private func leftovers() -> [HealthCheck] {
    guard !daemonRuns else {
      return [HealthCheck(.ok, "leftovers", "procd is running; the files in the spool are in use")]
    }
    let processes = SpoolMark(spool: active.spool.string).processes().count
    var entries = 0
    do throws(FileError) {
      guard let spool = try Folder.standing(active.spool) else { return [] }
      for name in ["work", "trash", "seal", "claimed"] {
        entries += try spool.standing(FilePath(name))?.names().count ?? 0
      }
    } catch {
      return [
        HealthCheck(
          .problem, "leftovers", "what the last run left behind cannot be listed: \(error)",
          cure: "give the user of procd its spool")
      ]
    }
    guard processes + entries > 0 else {
      return [HealthCheck(.ok, "leftovers", "the last run left nothing behind")]
    }
    return [
      HealthCheck(
        .warning, "leftovers",
        "a run was cut off; left of it: folders in the spool: \(entries), processes: \(processes)",
        cure: "start procd run: it goes on where that run ended and clears up")
    ]
  }

  private func network() -> [HealthCheck] {
    let means = Prerequisites(active)
    var checks = means.missing(installation).map {
      HealthCheck(.problem, $0.code, $0.message, cure: "install it, or take its entry out")
    }
    checks += means.untold().map { HealthCheck(.warning, $0.code, $0.message, cure: $0.cure) }
    guard means.needsNetwork else { return checks }
    let places =
      [unsafe getenv("SSL_CERT_FILE").map { unsafe String(cString: $0) }].compactMap(\.self)
      + [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
      ]
    if let found = places.first(where: { unsafe access($0, R_OK) == 0 }) {
      checks.append(HealthCheck(.ok, "certificates", "servers are verified with \(found)"))
    } else {
      checks.append(
        HealthCheck(
          .problem, "certificates",
          "there are no certificates to verify servers by: sources and webhooks by https will fail",
          cure: "on Debian: apt install ca-certificates; or set SSL_CERT_FILE"))
    }
    return checks
  }
}
