import JobLedger
import Pipelines
import TestSupport
import Testing

@testable import Conveyor

/// The figures as Prometheus reads them.
@Suite struct MeasurementsTests {
  @Test func `all figures stand in the text, with their names and kinds`() throws {
    var figures = Measurements()
    figures.version = "1.2.3"
    figures.now = 100_500
    figures.started = 40_000
    figures.sinceTurn = 500
    figures.inboxFiles = 3
    figures.inboxOldest = 90_000
    figures.unfinished.states = [.running: 2, .waiting: 1]
    figures.unfinished.oldest = 80_500
    figures.outcomes = [
      .init(pipeline: "scans", outcome: .done): 5, .init(pipeline: "", outcome: .quarantined): 1,
    ]
    figures.attempts = ["done": 9, "transient": 2]
    figures.putOff = 2
    figures.overflows = 1
    (figures.workers, figures.busy) = (4, 2)
    figures.free = [("spool", 1 << 40)]
    figures.isPaused = true
    let families = try PrometheusText.read(figures.text)
    func value(_ sample: String) -> Double? {
      families.values.lazy.compactMap { $0.samples[sample] }.first
    }
    #expect(value(#"procd_build_info{version="1.2.3"}"#) == 1)
    #expect(value("procd_start_time_seconds") == 40)
    #expect(value("procd_last_turn_timestamp_seconds") == 100)
    #expect(value("procd_inbox_files") == 3)
    #expect(value("procd_inbox_oldest_seconds") == 10.5)
    #expect(value(#"procd_jobs{state="running"}"#) == 2)
    #expect(value(#"procd_jobs{state="publishing"}"#) == 0)
    #expect(value("procd_jobs_oldest_seconds") == 20)
    #expect(value(#"procd_files_total{outcome="done",pipeline="scans"}"#) == 5)
    #expect(value(#"procd_files_total{outcome="quarantined",pipeline=""}"#) == 1)
    #expect(value(#"procd_attempts_total{result="transient"}"#) == 2)
    #expect(value("procd_retries_total") == 2)
    #expect(value("procd_inbox_overflows_total") == 1)
    #expect(value("procd_workers") == 4)
    #expect(value("procd_workers_busy") == 2)
    #expect(value(#"procd_disk_free_bytes{place="spool"}"#) == 1_099_511_627_776)
    #expect(value("procd_intake_paused") == 1)
    #expect(families["procd_files_total"]?.kind == "counter")
    #expect(families["procd_jobs"]?.kind == "gauge")
  }

  @Test func `nothing waits: ages are 0, and a family without samples is left out`() throws {
    let families = try PrometheusText.read(Measurements().text)
    #expect(families["procd_inbox_oldest_seconds"]?.samples["procd_inbox_oldest_seconds"] == 0)
    #expect(families["procd_files_total"] == nil)
    #expect(families["procd_last_turn_timestamp_seconds"] == nil)
  }

  @Test func `the figures of a further configuration say whose they are`() {
    var figures = Measurements()
    #expect(!figures.text.contains("configuration="))
    figures.configuration = "invoices"
    figures.outcomes = [.init(pipeline: "scans", outcome: .done): 5]
    for line in figures.text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.contains(#"configuration="invoices""#), "\(line)")
    }
  }

  @Test func `names that a label cannot hold as they are, are escaped`() throws {
    var text = MetricsText()
    text.family("a_total", .counter, "A.", [(["x": "q\"b\\n\nl"], 2)])
    #expect(
      text.text == "# HELP a_total A.\n# TYPE a_total counter\na_total{x=\"q\\\"b\\\\n\\nl\"} 2\n")
    _ = try PrometheusText.read(text.text)
  }

  @Test func `the counts of earlier runs stand below those of this one`() {
    let tally = Tally()
    tally.ended(attempt: "done")
    tally.add(attempts: ["done": 2, "input": 1])
    tally.add([.init(key: .init(pipeline: "p", outcome: .done), number: 7)])
    #expect(tally.now.attempts == ["done": 3, "input": 1])
    #expect(tally.now.outcomes == [.init(pipeline: "p", outcome: .done): 7])
    #expect(tally.sinceTurn == nil)
    tally.turn()
    #expect(tally.sinceTurn != nil)
  }
}
