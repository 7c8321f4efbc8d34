import ArgumentParser
import Confinement
import Conveyor
import Files
import Glibc
import Intake
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the configuration, the plugins and the folders.")

  @Argument(help: "The configuration, same as -c.")
  var file: String?

  @Flag(help: "Check the file only, not folders and languages.")
  var noEnvironment = false

  @Flag(help: "Print what was found as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    let loaded = try options.read(file)
    var isLedgerDamaged = false, isClosed = false
    var environment: [EnvironmentCheck.Finding] = loaded.pluginProblems.map {
      EnvironmentCheck.Finding(
        isError: true, code: "env.plugin", message: "\($0.place): \($0.message)")
    }
    if let active = loaded.active, !noEnvironment {
      // What root may do says nothing of the user who runs procd.
      try ConfigurationOption.becomeOwner(of: active.spool)
      let loader = options.loader
      environment += EnvironmentCheck(
        active: active, running: { loader.running(loaded.path) }
      ).findings()
      isClosed = ConfigurationOption.isClosed(active.spool)
      let ceiling = landlockCeiling()
      var checks: [HealthCheck] = []
      if !isClosed {
        let fleet = FleetChecks(active, .ofThisProgram(), landlockCeiling: ceiling)
        checks = await fleet.checks().filter { $0.level != .ok }
        let doctor = Doctor(
          active, .ofThisProgram(), landlockCeiling: ceiling,
          daemonRuns: DaemonLock.isHeld(active))
        let ledger = doctor.ledger().filter { $0.level != .ok }
        isLedgerDamaged = ledger.contains { $0.cure == LedgerError.damageCure }
        checks += ledger
      }
      environment += checks.map { check in
        EnvironmentCheck.Finding(
          isError: check.level == .problem, code: check.name,
          message: check.message + (check.cure.map { "; \($0)" } ?? ""))
      }
    }
    let failed = loaded.file.hasErrors || environment.contains(where: \.isError)
    if json {
      Console.print(json: report(loaded.file, environment, failed: failed))
    } else {
      if !loaded.file.complaints.isEmpty {
        Console.complain(PlainText(lines: loaded.file.rendered()), end: "")
      }
      for finding in environment where !finding.isWell {
        Console.complain(
          PlainText(
            lines: "\(finding.isError ? "error" : "note")[\(finding.code)]: \(finding.message)"))
      }
      let notes = loaded.file.complaints.count + environment.count { !$0.isWell && !$0.isAside }
      if !failed {
        Console.print(
          notes == 0
            ? "\(loaded.path): all is well"
            : "\(loaded.path): it can start; \(notes == 1 ? "one thing" : "\(notes) things") to look at"
        )
      }
    }
    // The one mistake that is none of the configuration, or of what it needs.
    let isAlone = !loaded.file.hasErrors && environment.count(where: \.isError) == 1
    if isClosed, isAlone, !json {
      let notes = loaded.file.complaints.count
      Console.print(
        notes == 0
          ? "\(loaded.path): its rules are well"
          : "\(loaded.path): its rules can be used; \(notes == 1 ? "one thing" : "\(notes) things") to look at"
      )
    }
    if let active = loaded.active, !json { RunningRules.tell(active) }
    guard failed else { return }
    guard isAlone else { throw Status.configuration }
    throw isLedgerDamaged
      ? Status.ledgerDamaged : isClosed ? Status.notPermitted : Status.configuration
  }

  private func report(
    _ file: ConfigurationFile, _ environment: [EnvironmentCheck.Finding], failed: Bool
  ) -> JSON {
    let complaints: [JSON] = file.complaints.map { complaint in
      let (line, column) = file.place(of: complaint.range.lowerBound)
      return [
        "severity": .string(complaint.severity.rawValue), "code": .string(complaint.code),
        "message": .string(complaint.message), "hint": complaint.hint.map { .string($0) },
        "line": .integer(line), "column": .integer(column),
      ]
    }
    let findings: [JSON] = environment.map {
      [
        "severity": .string($0.isError ? "error" : "note"), "code": .string($0.code),
        "message": .string($0.message),
      ]
    }
    return [
      "file": .string(file.name), "ok": .bool(!failed), "complaints": .array(complaints),
      "environment": .array(findings),
    ]
  }
}

/// Looks at what a configuration needs of the machine: folders, leases, languages, confinement.
struct EnvironmentCheck {
  struct Finding {
    var isError: Bool
    var code: String
    var message: String
    /// Whether it is as it should be, and nothing to look at.
    var isWell = false
    /// Whether it is told, and nothing to look at for most.
    var isAside = false
  }

  let active: ActiveConfiguration
  /// What a procd runs with that was started with the same file.
  var running: () -> ActiveConfiguration? = { nil }

  func findings() -> [Finding] {
    // What the user who runs procd may do and has nobody else can tell.
    if let refusal = ConfigurationOption.refusal(of: active.spool) {
      return languages() + libraries()
        + [
          Finding(
            isError: true, code: "env.folder",
            message: "folders and services are not looked at: \(refusal)")
        ]
    }
    let silent = active.silentFolders().map {
      Finding(isError: true, code: "env.silent", message: $0.sentence)
    }
    // What has to be looked at for the rest would hang.
    if !silent.isEmpty { return silent + languages() + libraries() + isolation() }
    return folders() + languages() + libraries() + secrets() + isolation() + telling() + metrics()
      + plugins()
      + statusGroup() + page()
  }

  /// Whether others than this machine's users can log in to a page that is meant for them.
  private func page() -> [Finding] {
    guard let web = active.configuration.web else { return [] }
    if case .port("127.0.0.1", let port) = web.place, let number = UInt16(exactly: port),
      !DaemonLock.isHeld(active), !PageAddress.isFree(number),
      running()?.configuration.web?.place != web.place
    {
      return [
        Finding(
          isError: false, code: "env.web",
          message:
            "web: another program listens at port \(port), so the page would not be shown; cure: name another port"
        )
      ]
    }
    guard web.behindProxy, active.spool.allows(R_OK | X_OK) else { return [] }
    do throws(FileError) {
      if try PageSecrets(in: active.spool).password() != nil { return [] }
    } catch {
      return [
        Finding(
          isError: true, code: "env.web", message: "web: its password cannot be read: \(error)")
      ]
    }
    return [
      Finding(
        isError: false, code: "env.web",
        message:
          "web: a proxy shows the page to others, and it has no password; cure: procd web password")
    ]
  }

  /// What fetching and telling need of the machine.
  private func telling() -> [Finding] {
    let means = Prerequisites(active)
    return means.missing(.ofThisProgram()).map {
      Finding(isError: true, code: $0.code, message: $0.message)
    }
      + means.untold().map {
        Finding(
          isError: false, code: $0.code,
          message: "\($0.message), so its news waits; cure: \($0.cure)")
      }
  }

  /// Whether the figures for a monitoring system can be written.
  private func metrics() -> [Finding] {
    let long = [active.metricsSocket, active.statusSocket].compactMap(\.self)
      .filter { $0.string.utf8.count > 107 }
      .map { socket in
        Finding(
          isError: true, code: "env.metrics",
          message:
            "metrics or status: a socket's path may have 107 bytes, and \(socket.printable) has"
            + " \(socket.string.utf8.count); cure: give it a shorter one")
      }
    let folders = Set(
      [active.metricsFile, active.metricsSocket, active.statusSocket]
        .compactMap { $0?.removingLastComponent() })
    return long
      + folders.filter { !$0.allows(W_OK | X_OK) }.map { folder in
        guard !folder.allows(F_OK) else {
          return Finding(
            isError: true, code: "env.metrics",
            message:
              "metrics or status: user \(Accounts.currentUser) cannot write into \(folder.printable); cure: chown it"
          )
        }
        let isOfUnit =
          folder.removingLastComponent() == "/run"
          && folder.lastComponent?.string.hasPrefix("procd") == true
        return Finding(
          isError: !isOfUnit, code: "env.metrics",
          message: "metrics or status: \(folder.printable) does not exist; "
            + (isOfUnit
              ? "procd's unit makes it when it starts (RuntimeDirectory); without the unit: make it"
              : "cure: make it"),
          isAside: isOfUnit)
      }
  }

  /// How many files there are, where the first run would not take them unasked.
  private func manyBeforeFirstRun(_ inbox: Inbox) -> Int? {
    let path = active.spool.appending(Spool.ledgerName.components)
    // A ledger that cannot be read is told by `doctor`.
    do throws(LedgerError) {
      if let reader = try Ledger.reading(path: path), try !reader.isEmpty() { return nil }
    } catch { return nil }
    return inbox.count > RunCommand.mostUnasked ? inbox.count : nil
  }

  /// What stands in the inbox; nil where it cannot be looked at, which is told of the folder.
  private func looked() -> Inbox? {
    // Looking into it would make it.
    guard active.inbox.allows(F_OK) else { return nil }
    let inbox = active.inboxFolder(wake: nil)
    return (try? inbox.scan(at: wallTime())).map { _ in inbox }
  }

  /// Whether the group that may ask for the status exists.
  private func statusGroup() -> [Finding] {
    guard let group = active.configuration.statusGroup, Accounts.group(group) == nil else {
      return []
    }
    return [
      Finding(
        isError: true, code: "env.group",
        message: "status: there is no group \(group); cure: make it, or correct its name")
    ]
  }

  /// Whether the plugins that the rules use say hello.
  private func plugins() -> [Finding] {
    let problems = Installation.ofThisProgram()
      .silentPlugins(of: active, landlockCeiling: landlockCeiling())
    return problems.map {
      Finding(isError: true, code: "env.plugin", message: "\($0.place): \($0.message)")
    }
  }

  /// Whether the libraries are there that steps load by themselves.
  func libraries() -> [Finding] {
    InstalledLibraries.missing(for: active).map {
      Finding(isError: true, code: "env.library", message: $0)
    }
  }

  func secrets() -> [Finding] {
    Secrets(active).complaints().map {
      Finding(isError: true, code: "env.secret", message: "\($0.pipeline): \($0.message)")
    }
      + Secrets(active).openToAll().map {
        Finding(
          isError: false, code: "env.secret",
          message: "\($0.id): every user can read \($0.path.printable); cure: chmod o-r it")
      }
  }

  /// Whether a folder is in memory, or would be if it were made.
  private static func isInMemory(_ path: FilePath) -> Bool {
    var path = path
    while true {
      if let folder = try? Folder.open(path) { return folder.isInMemory }
      guard path.removeLastComponent() else { return false }
    }
  }

  private func folders() -> [Finding] {
    let nowhere = active.placesInNowhere()
    var findings = nowhere.map { Finding(isError: true, code: "env.folder", message: $0.message) }
    let places =
      [("inbox", active.inbox), ("spool", active.spool)]
      + Place.allCases.map { ($0.rawValue, active.folder($0)) }
    for (name, path) in places where !nowhere.contains(where: { $0.name == name }) {
      guard path.allows(F_OK) else {
        var target = stat()
        if unsafe lstat(path.string, &target) == 0 {
          findings.append(
            Finding(
              isError: true, code: "env.folder",
              message:
                "\(name): \(path.printable) is a link that leads nowhere; cure: make the folder that it names"
            ))
          continue
        }
        let parent = path.removingLastComponent()
        if parent.allows(F_OK), !parent.allows(W_OK) {
          findings.append(
            Finding(
              isError: true, code: "env.folder",
              message:
                "\(name): \(path.printable) cannot be made by user \(Accounts.currentUser); cure: make"
                + " it, or give write permission on \(parent.printable)"))
        }
        continue
      }
      if !path.allows(R_OK | W_OK | X_OK) {
        findings.append(
          Finding(
            isError: true, code: "env.folder",
            message: errno == EROFS
              ? "\(name): the file system of \(path.printable) is mounted read-only; cure: mount it for writing"
              : "\(name): user \(Accounts.currentUser) cannot read and write \(path.printable); cure: chown or chmod it"
          ))
      }
    }
    do throws(FileError) {
      for refusal in [try active.overlap(), try Spool.refusal(active)].compactMap(\.self) {
        findings.append(Finding(isError: true, code: "env.folder", message: refusal))
      }
    } catch  where findings.isEmpty {
      findings.append(Finding(isError: true, code: "env.folder", message: "\(error)"))
    } catch {
      // Told above, of the place that cannot be looked at.
    }
    if Self.isInMemory(active.spool), !Self.isInMemory(active.inbox) {
      findings.append(
        Finding(
          isError: false, code: "env.memory",
          message:
            "spool: \(active.spool.printable) is in memory: files in work, the ledger and the history are gone when the"
            + " machine is switched off; cure: put it on the disk of the inbox"))
    }
    let inbox = looked()
    if let waiting = inbox.flatMap(manyBeforeFirstRun) {
      findings.append(
        Finding(
          isError: false, code: "env.existing",
          message:
            "\(waiting) files stand in the inbox before the first run: procd asks whether to process them, and"
            + " where it cannot ask it ends; cure: start it once with --existing process"))
    }
    if !DaemonLock.isHeld(active),
      let holder = (try? Folder.open(active.inbox))?.lockHolder(),
      processName(holder)?.hasPrefix("procd") == true
    {
      findings.append(
        Finding(
          isError: true, code: "env.folder",
          message:
            "inbox: another procd (process \(holder)) takes files from \(active.inbox.printable), with a spool of its"
            + " own; cure: stop it, or give each an inbox of its own"))
    }
    findings += (inbox?.waiting ?? []).filter(\.reason.isOthers).prefix(5).map {
      Finding(
        isError: false, code: "env.folder",
        message: "inbox: \($0.path.printable) \($0.reason.text)")
    }
    let health = Health.ask(active)
    if health.other != nil {
      // A draft of what that one is to go by has the same folders.
      findings.append(
        Finding(
          isError: health.hasOtherFolders, code: "env.folder", message: health.sentence))
    }
    if let missing = active.missingPlace {
      findings.append(
        Finding(isError: false, code: "env.marker", message: "\(missing); procd would wait for it"))
    }
    if let inbox = try? Folder.open(active.inbox), !EventSafety.isSafe(inbox.fileSystemType()) {
      findings.append(
        Finding(
          isError: false, code: "env.poll",
          message: "the file system of the inbox does not report all changes; procd looks every"
            + " \(active.configuration.inbox.poll / 1000) s instead"))
    }
    // Where only its owner may put files in, there are no files of others. What keeps it from being opened is told above.
    let isShared =
      (try? Folder.open(active.inbox).status()).map {
        $0.owner != geteuid() || $0.mode & 0o022 != 0
      } ?? false
    if isShared, !ServiceRights.allowLeases(spool: active.spool) {
      findings.append(
        Finding(
          isError: false, code: "env.lease",
          message:
            "this process has no CAP_LEASE: a procd without it takes files of other users only after"
            + " \(active.configuration.inbox.settleUnleased / 1000) s of quiet; the unit that comes with procd gives it"
            + " (AmbientCapabilities=CAP_LEASE), and a unit of your own needs that line",
          isAside: true))
    }
    return findings
  }

  func languages() -> [Finding] {
    InstalledLanguages.missing(for: active).map {
      Finding(isError: true, code: "env.language", message: $0.message)
    }
  }

  private func isolation() -> [Finding] {
    if let complaint = StartConditions.isolationComplaint(active) {
      return [Finding(isError: true, code: "env.isolation", message: complaint)]
    }
    if let lack = StartConditions.lackOfLandlock {
      return [Finding(isError: false, code: "env.isolation", message: lack)]
    }
    let version = LandlockSupport.version(ceiling: landlockCeiling())
    return [
      Finding(
        isError: false, code: "env.isolation",
        message: "steps are confined: Landlock version \(version), seccomp", isWell: true)
    ]
  }
}
