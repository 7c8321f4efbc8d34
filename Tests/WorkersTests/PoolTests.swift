import Files
import Foundation
import Glibc
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Workers

/// Runs steps in real processes: the shipped worker, and scripts as foreign plugins.
private final class Bench: @unchecked Sendable {
  // Used by one test at a time.
  let place = TemporaryFolder()
  let pool: WorkerPool
  private var serial = 0

  init() throws {
    pool = try WorkerPool(
      WorkerSetup(programs: Programs.folder.string, mark: SpoolMark(spool: place.path.string)),
      slots: 1)
  }

  private var mark: SpoolMark { SpoolMark(spool: place.path.string) }

  deinit { pool.end() }

  func order(
    _ program: PluginCatalog.Program, step: String, source: FilePath?, timeout: Int = 300_000,
    stall: Int = 300_000, options: JSON = [:], outputBytes: Int = 1 << 20
  ) throws -> StepOrder {
    serial += 1
    let work = place("work\(serial)")
    _ = try Folder.make(work).makeFolder("out")
    var inputs: [String: [StepInput]] = [:]
    if let source {
      inputs["source"] = [StepInput(path: source, mime: "text/plain", bytes: 1)]
    }
    var limits = StepLimits()
    limits.output = outputBytes
    return StepOrder(
      run: StepRun(
        id: "run-\(serial)", step: step, job: "job", attempt: 1, inputs: inputs,
        sourceName: "a.txt", options: Options(checked: options), workFolder: work.string,
        limits: limits), program: program, timeout: timeout, stall: stall, outputFiles: 100,
      outputBytes: outputBytes)
  }

  /// Runs a shell script as a plugin.
  func script(
    _ text: String, speaks: Bool = false, timeout: Int = 300_000, stall: Int = 300_000,
    outputBytes: Int = 1 << 20, progress: (@Sendable (Int, Int, String) -> Void)? = nil
  ) async throws -> RunOutcome {
    try place.write("content", to: "source.txt")
    try place.write("#!/bin/bash\n\(text)\n", to: "plugin/run")
    chmod(place("plugin/run").string, 0o755)
    let foreign = PluginCatalog.Foreign(
      folder: place("plugin").string, command: ["./run"], speaksProtocol: speaks, network: false,
      readableFolders: [])
    var order = try order(
      .foreign(foreign), step: "test.step", source: place("source.txt"), timeout: timeout,
      stall: stall, outputBytes: outputBytes)
    order.progress = progress
    return await pool.run(order)
  }

  /// Processes of this bench that still live, the pool's own workers apart.
  var survivors: [Int32] { mark.processes() }
}

extension RunOutcome {
  fileprivate var failure: PluginFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }
}

/// A plugin in the protocol: reads hello and run, then does what is asked.
private func speaking(_ body: String) -> String {
  #"""
  read -r hello; read -r run
  id=$(printf '%s' "$run" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  say() { printf '%s\n' "$1"; }
  say '{"t":"hello","protocol":1,"plugins":[]}'
  """# + "\n" + body
}

@Suite(.serialized) struct PoolTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `the shipped worker identifies a real file, confined, again and again`() async throws {
    try bench.place.write(
      Data(PDFBuilder.pages([PDFBuilder.lines(["Hello"]), ""])), to: "a.pdf")
    for _ in 0..<3 {
      let outcome = await bench.pool.run(
        try bench.order(
          .worker("procd-worker"), step: "probe.identify", source: bench.place("a.pdf"),
          options: ["pagesWithoutText": true]))
      let output = try outcome.result.get()
      #expect(outcome.ending == .answered)
      #expect(output.facts["mime"] == "application/pdf")
      #expect(output.facts["pages"] == 2)
      #expect(output.facts["pagesWithoutText"] == 1)
      #expect(output.facts["endMark"] == true)
      #expect(outcome.isolation?["profile"] == "sealed")
    }
  }

  @Test func `a worker answers for what it cannot read, and lives on`() async throws {
    let missing = await bench.pool.run(
      try bench.order(
        .worker("procd-worker"), step: "probe.identify", source: bench.place("none")))
    #expect(missing.failure != nil)
    let unknown = await bench.pool.run(
      try bench.order(.worker("procd-worker"), step: "no.step", source: nil))
    #expect(unknown.failure?.code == "step.unknown")
    try bench.place.write("text", to: "b.txt")
    let good = await bench.pool.run(
      try bench.order(
        .worker("procd-worker"), step: "probe.identify", source: bench.place("b.txt")))
    #expect(try good.result.get().facts["mime"] == "text/plain")
  }

  /// What a hostile file has taken over writes to where its step answers.
  struct Forgery: Sendable, CustomTestStringConvertible {
    var line: String
    var times = 1
    var closes = true
    var code: String
    var testDescription: String { String(line.prefix(60)) }
  }

  private static let forgeries = [
    Forgery(
      line: #"{"t":"exit","id":"run-1","status":0,"signal":0,"cpuMs":0,"peakMemory":0}"#,
      code: "plugin.protocol"),
    Forgery(
      line: #"{"t":"done","id":"run-1","ok":true,"facts":{}}"#, code: "step.lingers"),
    Forgery(
      line: #"{"t":"done","id":"run-2","ok":true,"facts":{}}"#, times: 9, code: "step.lingers"),
    Forgery(
      line: #">{"t":"exit","id":"run-1","status":0,"signal":0,"cpuMs":0,"peakMemory":0}"#,
      closes: false, code: "plugin.protocol"),
    Forgery(
      line: #"{"t":"hello","protocol":1,"plugins":[]}"#, closes: false, code: "plugin.protocol"),
    Forgery(
      line: #"{"t":"done","id":"run-1","ok":true,"facts":{}}"#, closes: false, code: "limit.stall"),
    Forgery(line: String(repeating: "x", count: 900), times: 1000, code: "plugin.protocol"),
  ]

  @Test(arguments: forgeries)
  func `a taken-over step cannot say that it has ended, and is gone before the next`(
    forgery: Forgery
  ) async throws {
    let bad = await bench.pool.run(
      try bench.order(
        .worker("HostileWorker"), step: "hostile.says", source: nil,
        stall: forgery.code == "limit.stall" ? 3000 : 60_000,
        options: [
          "line": .string(forgery.line), "times": .integer(forgery.times),
          "closes": .bool(forgery.closes),
        ]))
    #expect(bad.failure?.code == forgery.code, "\(bad.result)")
    #expect(bad.ending == .failed)
    let good = await bench.pool.run(
      try bench.order(.worker("HostileWorker"), step: "hostile.good", source: nil, stall: 60_000))
    #expect(good.ending == .answered, "\(good.result)")
    // The warm worker and nobody else.
    #expect(Programs.wait { bench.survivors.count <= 1 }, "\(bench.survivors)")
  }

  /// It has answered and not ended yet: a moment of each run.
  @Test func `a step that is killed after its answer is not to blame`() async throws {
    let killed = await bench.pool.run(
      try bench.order(
        .worker("HostileWorker"), step: "hostile.says", source: nil,
        options: [
          "line": #"{"t":"done","id":"run-1","ok":true,"facts":{}}"#, "killed": true,
        ]))
    #expect(killed.ending == .vanished, "\(killed.result)")
    #expect(killed.failure?.code == "step.killed")
  }

  @Test func `a worker that does not exist is a matter of the place, not of the file`() async throws
  {
    let outcome = await bench.pool.run(
      try bench.order(.worker("procd-none"), step: "x", source: nil))
    #expect(outcome.failure?.class == .transient)
    #expect(outcome.failure?.code == "worker.start")
  }

  @Test func `a worker says what it offers`() throws {
    let setup = WorkerSetup(programs: Programs.folder.string)
    let manifests = try PluginHandshake.manifests(of: "procd-worker", setup)
    #expect(manifests.flatMap(\.steps).map(\.name).contains("probe.identify"))
    #expect(throws: PluginHandshake.Failure.self) {
      try PluginHandshake.manifests(of: "procd-none", setup)
    }
  }

  @Test func `a worker that is killed before it says what it offers is asked again`() throws {
    let worker = Programs.folder.appending("procd-worker").string
    func program(_ name: String, killed times: Int) throws {
      try bench.place.write(
        """
        #!/bin/sh
        echo x >> "$0.starts"
        [ $(wc -l < "$0.starts") -gt \(times) ] || kill -9 $$
        exec '\(worker)' "$@"
        """, to: "\(name).sh")
      // Made by another process: one that this process starts meanwhile must not have it open for writing.
      let made = try Programs.run(
        "/usr/bin/install", [bench.place("\(name).sh").string, bench.place(name).string])
      try #require(made.status == 0)
    }
    let setup = WorkerSetup(programs: bench.place.path.string)
    try program("killed-twice", killed: 2)
    let manifests = try PluginHandshake.manifests(of: "killed-twice", setup)
    #expect(manifests.flatMap(\.steps).map(\.name).contains("probe.identify"))
    try program("killed-always", killed: 1000)
    #expect(throws: PluginHandshake.Failure.self) {
      try PluginHandshake.manifests(of: "killed-always", setup)
    }
  }

  @Test func `a command's files are its artifacts, and its copy of the source is thrown away`()
    async throws
  {
    let outcome = try await bench.script(
      #"cat "$PROCD_INPUT" > out/words.txt; echo changed > "$PROCD_INPUT"; echo said"#)
    let output = try outcome.result.get()
    #expect(output.artifacts.map(\.role) == ["words"])
    #expect(output.artifacts.map(\.path) == ["out/words.txt"])
    #expect(bench.place.read("work1/out/words.txt") == Data("content".utf8))
    #expect(bench.place.read("source.txt") == Data("content".utf8))
    #expect(outcome.isolation?["profile"] == "tool")
    #expect(bench.survivors == [])
  }

  /// It has no way to say that it lives.
  @Test func `a command may be silent for all of its time`() async throws {
    let outcome = try await bench.script("sleep 2; exit 65", stall: 500)
    #expect(outcome.failure?.code == "command.input")
    let late = try await bench.script("sleep 60", timeout: 1000, stall: 300_000)
    #expect(late.failure?.code == "limit.time")
  }

  @Test(arguments: [
    (65, PluginFailure.Class.input, "command.input"), (75, .transient, "command.later"),
    (78, .options, "command.options"), (3, .internal, "command.failed"),
  ])
  func `the exit status of a command decides what is done next`(
    status: Int, kind: PluginFailure.Class, code: String
  ) async throws {
    let outcome = try await bench.script("echo 'the reason' >&2; exit \(status)")
    #expect(outcome.failure?.class == kind)
    #expect(outcome.failure?.code == code)
    #expect(outcome.failure?.message.contains("the reason") == true)
    #expect(outcome.ending == (status == 3 ? .failed : .answered))
  }

  @Test func `a crash is charged to the step`() async throws {
    let outcome = try await bench.script("kill -SEGV $$")
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.class == .internal)
    let spoken = try await bench.script(speaking("kill -SEGV $$"), speaks: true)
    #expect(spoken.ending == .failed)
    #expect(spoken.failure?.code == "step.crashed")
  }

  @Test func `a step that does not end is ended with all it started`() async throws {
    let outcome = try await bench.script(
      "setsid sleep 300 & (trap '' TERM; sleep 300) & trap '' TERM; while :; do sleep 1; done",
      timeout: 1000)
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.code == "limit.time")
    #expect(bench.survivors == [])
  }

  @Test func `a plugin that keeps its words in a buffer is told what is likely`() async throws {
    let silent = try await bench.script("read -r hello; sleep 300", speaks: true, stall: 700)
    #expect(silent.failure?.code == "limit.stall")
    #expect(silent.failure?.message.contains("not even hello") == true)
    #expect(silent.failure?.hint?.contains("flush") == true)
  }

  @Test func `a silent step is ended, one that shows progress is not`() async throws {
    let silent = try await bench.script(speaking("sleep 300"), speaks: true, stall: 700)
    #expect(silent.failure?.code == "limit.stall")
    let heard = Mutex<[String]>([])
    let slow = try await bench.script(
      speaking(
        #"""
        for n in 1 2 3 4 5 6; do
          sleep 1
          say "{\"t\":\"progress\",\"id\":\"$id\",\"done\":$n,\"total\":6,\"unit\":\"page\"}"
        done
        say "{\"t\":\"done\",\"id\":\"$id\",\"ok\":true,\"facts\":{\"n\":6}}"
        """#), speaks: true, stall: 5000
    ) { done, total, unit in heard.withLock { $0.append("\(done) of \(total) \(unit)") } }
    #expect(try slow.result.get().facts["n"] == 6)
    #expect(heard.withLock { $0 } == (1...6).map { "\($0) of 6 page" })
    #expect(bench.survivors == [])
  }

  @Test func `a step that writes more than it may is ended`() async throws {
    let outcome = try await bench.script(
      "n=0; while :; do n=$((n+1)); head -c 200000 /dev/zero > out/$n; sleep 0.05; done",
      outputBytes: 1 << 20)
    #expect(outcome.failure?.code == "limit.output")
    #expect(outcome.failure?.class == .input)
    #expect(bench.survivors == [])
  }

  @Test func `a flood on standard output and error neither stops nor fills the host`() async throws
  {
    let outcome = try await bench.script(
      "head -c 20000000 /dev/zero | tr '\\0' x; head -c 20000000 /dev/zero >&2; echo end >&2; exit 65"
    )
    #expect(outcome.failure?.code == "command.input")
    #expect(outcome.failure?.message.utf8.count ?? 0 < 5000)
  }

  @Test(arguments: ["this is no JSON", #"{"t":"nonsense"}"#, #"{"t":"done""#])
  func `a line that is no message ends the step and all it started`(line: String) async throws {
    let outcome = try await bench.script(
      speaking("setsid sleep 300 &\nsleep 300 &\nsay '\(line)'\nsleep 300"), speaks: true)
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.code == "plugin.protocol")
    #expect(bench.survivors == [])
  }

  @Test func `a line without end is refused before it fills the memory`() async throws {
    let outcome = try await bench.script(
      speaking("head -c 3000000 /dev/zero | tr '\\0' x; sleep 300"), speaks: true)
    #expect(outcome.failure?.code == "plugin.protocol")
    #expect(bench.survivors == [])
  }

  @Test func `children that are left behind do not survive the step`() async throws {
    let outcome = try await bench.script(
      speaking(
        #"""
        setsid sleep 300 & (setsid sleep 300 &) ; nohup sleep 300 >/dev/null 2>&1 &
        say "{\"t\":\"done\",\"id\":\"$id\",\"ok\":true,\"facts\":{}}"
        """#), speaks: true)
    #expect(throws: Never.self) { try outcome.result.get() }
    #expect(bench.survivors == [])
    let command = try await bench.script("setsid sleep 300 & (setsid sleep 300 &) ; exit 0")
    #expect(throws: Never.self) { try command.result.get() }
    #expect(bench.survivors == [])
  }

  @Test func `a plugin of another protocol is refused`() async throws {
    let outcome = try await bench.script(
      #"read -r hello; echo '{"t":"hello","protocol":9,"plugins":[]}'; sleep 300"#, speaks: true)
    #expect(outcome.failure?.class == .options)
    #expect(outcome.failure?.code == "plugin.version")
    #expect(bench.survivors == [])
  }

  @Test func `success without a good end is none`() async throws {
    let lied = try await bench.script(
      speaking(#"say "{\"t\":\"done\",\"id\":\"$id\",\"ok\":true,\"facts\":{}}"; exit 3"#),
      speaks: true)
    #expect(lied.failure?.code == "step.crashed")
    let other = try await bench.script(
      speaking(#"say '{"t":"done","id":"another","ok":true,"facts":{}}'"#), speaks: true)
    #expect(other.failure?.code == "plugin.protocol")
  }

  @Test func `when the host stops, a running step is handed back and charged to nobody`()
    async throws
  {
    let pool = bench.pool
    let running = Task { [bench] in try await bench.script("touch out/started; sleep 300") }
    #expect(Programs.wait { bench.place.exists("work1/out/started") })
    pool.stopNow()
    #expect(try await running.value.ending == .handedBack)
    #expect(bench.survivors == [])
    let late = await pool.run(try bench.order(.worker("procd-worker"), step: "x", source: nil))
    #expect(late.ending == .handedBack)
  }
}
