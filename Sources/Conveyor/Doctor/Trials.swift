internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
internal import Workers

/// A temporary folder with what trials need, removed when the last one who knows it is done.
final class TrialPlace: Sendable {
  let path: FilePath
  /// A small PDF.
  var document: FilePath { path.appending("document") }
  var work: FilePath { path.appending("work") }

  init?() {
    let top = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array("\(top)/procd-trial-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { return nil }
    path = FilePath(platformString: name)
    guard let folder = try? Folder.open(path), (try? folder.makeFolder("work")) != nil,
      (try? folder.folder("work").makeFolder("out")) != nil,
      Self.write("secret", Array("secret".utf8), folder),
      Self.write("document", Array("%PDF-1.4\n%%EOF\n".utf8), folder)
    else { return nil }
  }

  deinit {
    guard let parent = try? Folder.open(path.removingLastComponent()),
      let name = path.lastComponent
    else { return }
    // The tree is ours alone and small.
    try? parent.removeTree(FilePath(root: nil, [name]))
  }

  private static func write(_ name: FilePath, _ bytes: [UInt8], _ folder: Folder) -> Bool {
    guard let file = try? folder.creating(name) else { return false }
    return (try? file.write(bytes.span)) != nil
  }
}

/// A program that is run to its end by somebody who may wait.
enum BlockingRun {
  struct Result: Sendable {
    var lines: [[UInt8]] = []
    /// Why it gave nothing, to be put behind a sentence.
    var reason = ""
  }

  static func run(_ arguments: [String]) -> Result {
    let result = Mutex(Result())
    let ended = ThreadSignal()
    let seen = ended.generation
    Task.detached {
      let outcome = await ProgramRun(
        arguments, environment: ["LC_ALL=C.UTF-8"], milliseconds: 10_000
      ).run(line: { line in result.withLock { $0.lines.append(line) } })
      result.withLock {
        if case .notStarted(let why) = outcome.end { $0.reason = ": \(why)" }
      }
      ended.wake()
    }
    _ = ended.wait(since: seen, seconds: 15)
    return result.withLock { $0 }
  }
}

/// One run of the step that tells media types.
enum ProbeTrial {
  static func mediaType(
    of file: FilePath, work: FilePath, _ setup: WorkerSetup
  ) -> Swift.Result<String, PluginFailure> {
    let run = StepRun(
      id: "doctor", step: "probe.identify", job: "doctor", attempt: 1,
      inputs: [
        "source": [StepInput(path: file.string, mime: "application/octet-stream", bytes: 15)]
      ], sourceName: "document", options: Options(checked: [:]), workFolder: work.string,
      limits: StepLimits())
    let order = StepOrder(
      run: run, program: .worker("procd-worker"), timeout: 20_000, stall: 20_000, outputFiles: 10,
      outputBytes: 1 << 20, priority: 0)
    let pool = WorkerPool(setup, slots: 1)
    defer { pool.end() }
    let result = Mutex<Swift.Result<StepOutput, PluginFailure>?>(nil)
    let ended = ThreadSignal()
    let seen = ended.generation
    Task.detached {
      let outcome = await pool.run(order)
      result.withLock { $0 = outcome.result }
      ended.wake()
    }
    _ = ended.wait(since: seen, seconds: 30)
    return
      (result.withLock { $0 }
      ?? .failure(PluginFailure(.internal, "doctor.time", "the worker did not answer"))).map {
        $0.facts["mime"]?.stringValue ?? "nothing"
      }
  }
}
