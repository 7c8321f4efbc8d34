internal import Pipelines
internal import PluginKit
package import SystemPackage

/// A program of the system, run once on files that nobody trusts, and confined as foreign plugins are.
package struct ConfinedTool: Sendable {
  private let words: [String]
  private let folder: FilePath
  private var spec: LaunchSpec

  /// - Parameters:
  ///   - words: the program, an absolute path, and its arguments.
  ///   - files: what it may read besides the system's programs, absolute.
  ///   - folder: where it starts, and may write.
  package init(_ words: [String], reading files: [FilePath], in folder: FilePath) {
    self.words = words
    self.folder = folder
    spec = LaunchSpec(workFolder: folder.string)
    spec.executableFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64"]
    spec.readableFiles = ["/etc/ld.so.cache"] + files.map(\.string)
    spec.readableFolders = ["/etc/fonts"]
    spec.memory = 1 << 30
    spec.output = 64 << 20
    spec.processes = 8
    spec.isCommand = true
  }

  /// - Parameter milliseconds: how long it may take.
  package func run(_ setup: WorkerSetup, milliseconds: Int) async -> ProgramRun.Outcome {
    var spec = spec
    spec.landlockCeiling = setup.landlockCeiling
    var run = ProgramRun(
      ["\(setup.programs)/procd-worker", "confine", spec.text, "--"] + words,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(folder.string)"],
      milliseconds: milliseconds)
    run.folder = folder
    run.mark = setup.mark
    return await run.run()
  }
}
