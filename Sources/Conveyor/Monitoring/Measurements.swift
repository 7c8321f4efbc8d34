internal import Fleet
internal import JobLedger
internal import Pipelines

/// The figures of one moment, and their text for Prometheus (text format 0.0.4).
struct Measurements: Sendable {
  var version = ""
  /// A label of all figures, so that those of two configurations can be told apart; nil for none.
  var configuration: String?
  /// Milliseconds since 1970, as all times here.
  var now: Int64 = 0
  var started: Int64 = 0
  /// Milliseconds since the main loop went round.
  var sinceTurn: Int?
  var inboxFiles = 0
  /// Files of the inbox that should have been taken by now, and cannot be.
  var inboxStuck = 0
  /// When the oldest file of the inbox changed last.
  var inboxOldest: Int64?
  var unfinished = Unfinished()
  var outcomes: [OutcomeCount.Key: Int] = [:]
  /// By what an attempt ended with.
  var attempts: [String: Int] = [:]
  var putOff = 0
  var overflows = 0
  var workers = 0
  var busy = 0
  /// By place: bytes that a user without privileges may still write.
  var free: [(place: String, bytes: Int)] = []
  var isPaused = false
  /// Of other machines; nil where none are configured.
  var fleet: FleetSlots.View?

  var text: String {
    var text = MetricsText(labels: configuration.map { ["configuration": $0] } ?? [:])
    text.family("procd_build_info", .gauge, "The version that runs.", [(["version": version], 1)])
    text.one("procd_start_time_seconds", .gauge, "When this procd started.", seconds(started))
    if let sinceTurn {
      text.one(
        "procd_last_turn_timestamp_seconds", .gauge, "When the main loop last went round.",
        seconds(now - Int64(sinceTurn)))
    }
    text.one("procd_inbox_files", .gauge, "Files that wait in the inbox.", Double(inboxFiles))
    text.one(
      "procd_inbox_stuck", .gauge,
      "Files that stay in the inbox until somebody does something about them.", Double(inboxStuck))
    text.one(
      "procd_inbox_oldest_seconds", .gauge,
      "How long ago the oldest file that waits in the inbox was changed, 0 where none waits.",
      age(inboxOldest))
    text.family(
      "procd_jobs", .gauge, "Files that were taken and are not done, by state.",
      JobRow.State.allCases.filter { $0 != .done }.map {
        (["state": $0.rawValue], Double(unfinished.states[$0] ?? 0))
      })
    text.one(
      "procd_jobs_oldest_seconds", .gauge,
      "How long ago the oldest file that is not done arrived, 0 where all are done.",
      age(unfinished.oldest))
    text.family(
      "procd_files_total", .counter,
      "Files that are done, by pipeline (empty: none was found) and outcome, over all runs.",
      outcomes.sorted {
        ($0.key.pipeline, $0.key.outcome.rawValue) < ($1.key.pipeline, $1.key.outcome.rawValue)
      }
      .map {
        (["pipeline": $0.key.pipeline, "outcome": $0.key.outcome.rawValue], Double($0.value))
      })
    text.family(
      "procd_attempts_total", .counter,
      "Runs of steps, by how they ended: done, vanished or the class of the failure; over all runs.",
      attempts.sorted { $0.key < $1.key }.map { (["result": $0.key], Double($0.value)) })
    text.one(
      "procd_retries_total", .counter, "How often a file was put off to be tried again.",
      Double(putOff))
    text.one(
      "procd_inbox_overflows_total", .counter,
      "How often the kernel lost events of the inbox; all was looked at then.", Double(overflows))
    text.one("procd_workers", .gauge, "How many steps may run at once.", Double(workers))
    text.one("procd_workers_busy", .gauge, "How many steps run.", Double(busy))
    text.family(
      "procd_disk_free_bytes", .gauge, "What may still be written, by place.",
      free.map { (["place": $0.place], Double($0.bytes)) })
    text.one(
      "procd_intake_paused", .gauge,
      "1 while no files are taken in, or some wait for space.",
      isPaused ? 1 : 0)
    if let fleet {
      text.one(
        "procd_fleet_connected", .gauge, "1 while the broker of the fleet answers.",
        fleet.trouble == nil ? 1 : 0)
      text.one(
        "procd_fleet_helpers", .gauge, "Other machines that can do work.", Double(fleet.helpers))
      text.one("procd_fleet_slots", .gauge, "How many steps they run at once.", Double(fleet.slots))
      text.one("procd_fleet_orders", .gauge, "Steps that are with them.", Double(fleet.out))
      text.one(
        "procd_fleet_orders_total", .counter, "Steps that were given to them, since the start.",
        Double(fleet.sent))
      text.one(
        "procd_fleet_returned_total", .counter,
        "Steps that were given to them and done here after all, since the start.",
        Double(fleet.returned))
      text.one(
        "procd_fleet_dropped_total", .counter,
        "Messages that came too late or did not open, since the start.", Double(fleet.dropped))
    }
    return text.text
  }

  private func seconds(_ time: Int64) -> Double { Double(time) / 1000 }
  private func age(_ time: Int64?) -> Double { time.map { max(0, seconds(now - $0)) } ?? 0 }
}

/// Writes families of figures as Prometheus reads them.
struct MetricsText {
  enum Kind: String { case gauge, counter }
  private(set) var text = ""
  /// Those of every sample.
  private let labels: [String: String]

  init(labels: [String: String] = [:]) { self.labels = labels }

  mutating func one(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    family(name, kind, help, [([:], value)])
  }

  /// A family without samples is left out.
  mutating func family(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], Double)]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (own, value) in samples {
      text += name
      let labels = labels.merging(own) { $1 }
      if !labels.isEmpty {
        let written = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escaped($0.value))\"" }
        text += "{\(written.joined(separator: ","))}"
      }
      text += " \(number(value))\n"
    }
  }

  private func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
