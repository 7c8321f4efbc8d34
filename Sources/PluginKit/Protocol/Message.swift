/// One line of `procd/1`, the protocol between the daemon and every plugin process: JSON Lines over
/// standard input and output (docs/plugins.md). Unknown members are ignored, so the protocol grows
/// by new optional members only.
public enum Message: Sendable {
  // From the host
  case hostHello(host: String)
  case run(RunRequest)
  case cancel(id: String, reason: String)
  case bye

  // From the plugin
  case pluginHello(PluginHello)
  case begun(id: String, isolation: JSON)
  case progress(id: String, done: Int, total: Int, unit: String)
  case log(id: String, level: String, code: String, message: String, page: Int?)
  case artifact(id: String, Artifact)
  case done(id: String, Result<StepOutput, PluginFailure>)
  /// From a worker's parent or the launcher only: the process that ran the step is gone.
  case exit(id: String, ProcessEnd)

  /// How a plugin's process introduces itself.
  public struct PluginHello: Sendable {
    /// The number behind the slash of `procd/1`; 0 where it said none.
    public var protocolNumber: Int
    /// What a worker hosts; empty for foreign plugins, whose `plugin.json` says it.
    public var plugins: [PluginManifest]
    /// An answer to ``Message/hostHello(host:)``.
    public init(protocolNumber: Int, plugins: [PluginManifest]) {
      self.protocolNumber = protocolNumber
      self.plugins = plugins
    }
  }

  /// How a process ended and what it used.
  public struct ProcessEnd: Sendable, Equatable {
    /// The status that it exited with; 0 where a signal ended it.
    public var status: Int
    /// The signal that ended it, 0 for none.
    public var signal: Int
    /// Processor time of the process and of its children that it waited for, in milliseconds.
    public var cpuMilliseconds: Int
    /// Bytes, the largest resident size.
    public var peakMemory: Int
    /// Whether it had closed its output and its parent had to end it.
    public var lingered: Bool
    /// An end by itself, unless `lingered` says otherwise.
    public init(
      status: Int, signal: Int, cpuMilliseconds: Int, peakMemory: Int, lingered: Bool = false
    ) {
      self.status = status
      self.signal = signal
      self.cpuMilliseconds = cpuMilliseconds
      self.peakMemory = peakMemory
      self.lingered = lingered
    }
  }

  /// What a worker's parent puts before each line of the child that runs a step; no message begins with it.
  package static let relayed = UInt8(ascii: ">")

  /// Whether a process that runs a step may say it. The rest is for its parent, which knows how the process ended,
  /// and for procd.
  package var isOfStep: Bool { run != nil }

  /// The run that it speaks of, where a step says it.
  package var run: String? {
    switch self {
    case .begun(let id, _), .progress(let id, _, _, _), .log(let id, _, _, _, _),
      .artifact(let id, _),
      .done(let id, _):
      id
    case .hostHello, .run, .cancel, .bye, .pluginHello, .exit: nil
    }
  }

  /// The longest line either side accepts, in bytes.
  public static let longestLine = 1 << 20
}

/// A run as the host asks for it: what the step sees, and how its process is to be confined.
public struct RunRequest: Sendable {
  /// What the step sees.
  public var run: StepRun
  /// The highest version of Landlock's interface to be used; nil for the best that the kernel has.
  public var landlockCeiling: Int?
  /// Whether the run fails where its confinement cannot be complete; else it is told as missing.
  public var isolationRequired: Bool
  /// Seconds of processor time.
  public var processorSeconds: Int

  /// A run that may be confined as far as the kernel allows, with an hour of processor time.
  public init(
    run: StepRun, stateFolder: String? = nil, landlockCeiling: Int? = nil,
    isolationRequired: Bool = false, processorSeconds: Int = 3600
  ) {
    self.run = run
    self.run.stateFolder = stateFolder
    self.landlockCeiling = landlockCeiling
    self.isolationRequired = isolationRequired
    self.processorSeconds = processorSeconds
  }
}
