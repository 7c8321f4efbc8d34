/// A processing step, or a few that belong together. Built-in plugins implement this protocol;
/// foreign ones speak the same contract as JSON lines (docs/plugins.md).
///
/// Synchronous, files to files, no global state. One object lives in the worker's warm parent;
/// each job runs in a forked copy of it that is confined and ends with the job.
public protocol Plugin: AnyObject, SendableMetatype {
  static var manifest: PluginManifest { get }

  init()

  /// Loads what all runs with these options share (language models, tables).
  ///
  /// Runs in the worker's parent before it forks, once per step and options. Never sees a file, so
  /// nothing untrusted is touched here.
  func warm(step: String, options: Options) throws(PluginFailure)

  /// Runs one step on one file. Runs in a forked child that may read the inputs and create files
  /// below the work folder, and nothing else; killed at the deadline.
  func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput
}

extension Plugin {
  /// Loads nothing.
  public func warm(step: String, options: Options) throws(PluginFailure) {}
}

/// What a running step may tell the host. Each call also shows that the step is alive.
public protocol StepHost {
  /// Says how far the step is: `done` of `total` units (`page`, `row`).
  func progress(_ done: Int, of total: Int, unit: String)
  /// Notes something worth keeping in the report.
  func note(_ code: String, _ message: String, page: Int?)
}
