internal import Files
internal import Glibc
internal import Intake
internal import JobLedger
package import Notices
internal import Outbox
package import Pipelines
internal import PluginKit
internal import Series
internal import Synchronization
internal import SystemPackage

extension Conveyor {
  /// Keeps what somebody wants to be told of; whoever wants it is told soon, also after a crash.
  /// Adding the same notice again changes nothing.
  package func tell(_ notices: [Notice]) throws(NoticeError) {
    let targets = active.configuration.notify
    guard notices.contains(where: { notice in targets.contains { $0.wants(notice) } }) else {
      return
    }
    let isNew = try noticeQueue().add(notices, for: targets, at: wallTime())
    if isNew { newsWakeup.signal() }
  }

  /// Opened when it is first needed, by one job of those that end at once.
  func noticeQueue() throws(NoticeError) -> NoticeQueue {
    let path = spool.folder.path.appending(NoticeQueue.fileName.components)
    return try openedNotices.withLock { opened throws(NoticeError) in
      if let opened { return opened }
      let queue = try NoticeQueue(path: path) { [reserve, wakeup] in
        reserve.release()
        wakeup.signal()
      }
      opened = queue
      return queue
    }
  }

  /// News of a job whose end the ledger has. Nothing is told twice, however often this is called.
  func tellEnd(of job: String) throws {
    let events = active.configuration.notify.flatMap(\.events)
    guard !Set([.done, .partial, .quarantined, .news]).isDisjoint(with: events),
      let row = try ledger.reader.job(job)
    else { return }
    do throws(NoticeError) { try tell(JobNotices.notices(of: row)) } catch {
      // A full disk is waited for; anything else must not hold up the files themselves.
      if case .full = error { throw error }
      emit(.trouble("\(error)"))
    }
  }

  /// Tells what an edition brought of followed numbers, and renews the page of its list. The same news has the same
  /// names: nothing is told twice.
  func tellNews(of job: String) throws {
    guard let series = try ledger.reader.job(job)?.report?["edition"]?["series"]?.stringValue,
      let reader = try lists.reader()
    else { return }
    let notices = try reader.news(of: job).map { news in
      Notice(
        id: news.id, event: .number, time: news.time, series: news.series, number: news.number,
        label: news.label, subject: news.subject, text: news.text, details: news.json)
    }
    for notice in notices { emit(.notice(notice.subject)) }
    try tell(notices)
    try StatusPages.renew(series, reader, outbox: spool.places.outbox)
  }

  /// Intake pauses.
  func tellPaused(_ reason: String) { tellIntake(.paused(reason)) }

  /// Results find no room.
  func tellWaiting(_ reason: String) {
    tellIntake(
      .intake(
        "paused", "procd waits for a disk to take results",
        "\(reason). Files that need it wait; the others go through, and nothing is lost.",
        ["reason": .string(reason)]))
  }

  /// Intake goes on.
  func tellResumed(_ reason: String) {
    tellIntake(
      .intake("resumed", "procd takes in files again", "\(reason).", ["isResumed": true]))
  }

  /// An earlier run may have told of a pause and not of its end: that is told once all goes well.
  func recallPause() {
    let path = spool.folder.path.appending(NoticeQueue.fileName.components)
    guard active.configuration.notify.contains(where: { $0.events.contains(.paused) }),
      path.allows(F_OK)
    else { return }
    do throws(NoticeError) {
      if try noticeQueue().hasOpenPause() { recall() }
    } catch { emit(.trouble("\(error)")) }
  }

  /// More files that stay are not told one by one.
  static let mostStuckTold = 20

  /// Files stay in the inbox. However often procd starts, the same is told once a day.
  func tellStuck(_ files: [Staying]) {
    let now = wallTime(), day = now / 86_400_000, inbox = active.inbox
    var notices = files.prefix(Self.mostStuckTold).map { staying in
      let path = staying.path.repaired.text, reason = staying.text(in: inbox)
      return Notice(
        id: "stuck:\(day):\(path):\(staying.reason.text)", event: .stuck, time: now,
        subject: staying.count > 1
          ? "\(staying.count) files of \(path) stay in the inbox" : "\(path) stays in the inbox",
        text: "\(staying.count > 1 ? "They" : "It") \(reason).",
        details: [
          "path": .string(path), "files": .integer(staying.count), "reason": .string(reason),
        ])
    }
    let more = files.dropFirst(Self.mostStuckTold).reduce(0) { $0 + $1.count }
    if more > 0 {
      notices.append(
        Notice(
          id: "stuck:\(now)", event: .stuck, time: now,
          subject: "\(more) more files stay in the inbox", text: "procd status tells why.",
          details: ["files": .integer(more)]))
    }
    do throws(NoticeError) { try tell(notices) } catch { emit(.trouble("\(error)")) }
  }

  /// The disk that is full may be the queue's own: then it is told when there is space.
  private func tellIntake(_ notice: Notice) {
    do throws(NoticeError) { try tell([notice]) } catch {
      unkept.withLock { if $0.count < 100 { $0.append(notice) } }
    }
  }

  /// Keeps what could not be kept before.
  func keepUnkept() {
    let notices = unkept.withLock { notices in
      defer { notices = [] }
      return notices
    }
    guard !notices.isEmpty else { return }
    do throws(NoticeError) { try tell(notices) } catch {
      unkept.withLock { $0 += notices }
    }
  }
}
