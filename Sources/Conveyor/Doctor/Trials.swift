internal import Files
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

/// A temporary folder with what trials need.
struct TrialPlace {
  private let scratch: ScratchFolder
  var path: FilePath { scratch.path }
  /// A small PDF.
  var document: FilePath { path.appending("document") }
  var work: FilePath { path.appending("work") }

  init() throws(FileError) {
    scratch = try ScratchFolder(for: "trial")
    do throws(FileError) {
      _ = try scratch.folder.makeFolders("work/out")
      try scratch.folder.creating("secret").write(Array("secret".utf8).span)
      try scratch.folder.creating("document").write(Array("%PDF-1.4\n%%EOF\n".utf8).span)
    } catch {
      scratch.remove()
      throw error
    }
  }

  func remove() { scratch.remove() }
}

/// One run of the step that tells media types.
enum ProbeTrial {
  static func mediaType(
    of file: FilePath, work: FilePath, _ setup: WorkerSetup
  ) async -> Swift.Result<String, PluginFailure> {
    let run = StepRun(
      id: "doctor", step: "probe.identify", job: "doctor", attempt: 1,
      inputs: [
        "source": [StepInput(path: file, mime: "application/octet-stream", bytes: 15)]
      ], sourceName: "document", options: Options(checked: [:]), workFolder: work.string,
      limits: StepLimits())
    let order = StepOrder(
      run: run, program: .worker("procd-worker"), timeout: 20_000, stall: 20_000, outputFiles: 10,
      outputBytes: 1 << 20)
    let result: Swift.Result<StepOutput, PluginFailure>
    do {
      let pool = try WorkerPool(setup, slots: 1)
      result = await pool.run(order).result
      pool.end()
    } catch { result = .failure(PluginFailure(.transient, "worker.start", "\(error)")) }
    return result.map { $0.facts["mime"]?.stringValue ?? "nothing" }
  }
}
