internal import Files
internal import Fleet
internal import Glibc
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import SystemPackage

/// Writes the figures for a monitoring system into a file, again and again.
struct MetricsService: Sendable {
  let conveyor: Conveyor
  static let interval = Duration.seconds(15)

  /// Writes until the task is cancelled.
  func serve() async {
    guard conveyor.metricsFile != nil else { return }
    var trouble: String?
    while !Task.isCancelled {
      let now = write()
      if let now, now != trouble { conveyor.emit(.trouble(now)) }
      trouble = now
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// - Returns: what stood in the way, nil where nothing did or no file is wanted.
  @discardableResult
  func write() -> String? {
    guard let path = conveyor.metricsFile, let name = path.lastComponent else { return nil }
    // Reported already.
    guard FolderProbe.shared.answers(path.removingLastComponent()) else { return nil }
    do {
      let figures = try measured(conveyor.active)
      try Folder.open(path.removingLastComponent())
        .writeShared(Array(figures.text.utf8), as: FilePath(name: name))
      return nil
    } catch { return "the metrics could not be written: \(error)" }
  }

  fileprivate func measured(_ active: ActiveConfiguration) throws -> Measurements {
    let inbox = conveyor.spool.claims.inbox, counts = conveyor.tally.now
    var figures = Measurements()
    figures.version = conveyor.version
    // That of the package's own service has none, as there may be only one.
    figures.configuration = active.file?.stem.flatMap { $0 == "pipelines" ? nil : $0 }
    figures.now = wallTime()
    figures.started = conveyor.tally.started
    figures.sinceTurn = conveyor.tally.sinceTurn
    figures.inboxFiles = inbox.count
    figures.inboxStuck = conveyor.stuck.overdueCount(at: .now)
    figures.inboxOldest = inbox.oldestChange
    figures.unfinished = try conveyor.ledger.reader.unfinishedStates()
    figures.outcomes = counts.outcomes
    // From the first moment on, so that the first file of a pipeline is seen as a rise.
    for pipeline in active.configuration.pipelines {
      for outcome in Report.Outcome.allCases {
        figures.outcomes[.init(pipeline: pipeline.id, outcome: outcome), default: 0] += 0
      }
    }
    figures.outcomes[.init(pipeline: "", outcome: .quarantined), default: 0] += 0
    figures.attempts = counts.attempts
    figures.putOff = counts.putOff
    figures.overflows = inbox.overflows
    figures.workers = conveyor.slots
    figures.busy = max(0, counts.busy)
    let places = conveyor.spool.places
    let disks = [
      ("spool", conveyor.spool.folder), ("outbox", places.outbox), ("archive", places.archive),
    ]
    let silent = FolderProbe.shared.silent(of: [active.folder(.outbox), active.folder(.archive)])
    figures.free = disks.filter { !silent.contains($0.1.path) }
      .compactMap { name, folder in FreeSpace(of: folder).map { (name, $0.bytes) } }
    figures.isPaused = conveyor.hasDiskTrouble || conveyor.blocked != nil
    figures.fleet = conveyor.fleet?.view
    return figures
  }

}

extension Conveyor {
  /// Answers who asks at the local socket, with the figures of that moment. Nil where none is wanted or it
  /// cannot be: the work goes on without.
  func answerForMetrics() -> AnsweringSocket? {
    if active.lacksSocketFolder(active.metricsSocket, once: isOnce) { return nil }
    guard let path = metricsSocket, let name = path.lastComponent.map(FilePath.init(name:))
    else { return nil }
    do {
      let folder = try Folder.open(path.removingLastComponent())
      if let standing = try folder.status(name), standing.kind != .other {
        throw FileError("listen at", path, .fileExists)
      }
      return try AnsweringSocket(in: folder, as: name, mode: 0o666) { [weak self] in
        guard let self else { return [] }
        do {
          let text = try MetricsService(conveyor: self).measured(active).text
          return Self.response("200 OK", text)
        } catch { return Self.response("503 Service Unavailable", "\(error)\n") }
      }
    } catch {
      emit(.trouble("the metrics socket cannot be opened: \(error)"))
      return nil
    }
  }

  private static func response(_ status: String, _ text: String) -> [UInt8] {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/plain; version=0.0.4; charset=utf-8",
      "Content-Length: \(text.utf8.count)", "Connection: close", "", "",
    ]
    return Array((head.joined(separator: "\r\n") + text).utf8)
  }
}
