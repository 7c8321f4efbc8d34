package import Pipelines
package import PluginKit

/// One run of a step as the conveyor asks for it.
package struct StepOrder: Sendable {
  package var run: StepRun
  package var program: PluginCatalog.Program
  /// Milliseconds the run may take, and may be silent.
  package var timeout: Int
  package var stall: Int
  /// Files and bytes that the work folder may come to hold.
  package var outputFiles: Int
  package var outputBytes: Int
  package var stateFolder: String?
  package var isolationRequired: Bool
  /// Takes what the step says of how far it is: done, total, unit. Called on the thread that reads
  /// the step's messages, so it must not block.
  package var progress: (@Sendable (Int, Int, String) -> Void)?
  /// Takes the name of the machine that the step has come to, where that is another one.
  package var placed: (@Sendable (String) -> Void)?

  package init(
    run: StepRun, program: PluginCatalog.Program, timeout: Int, stall: Int, outputFiles: Int,
    outputBytes: Int, stateFolder: String? = nil, isolationRequired: Bool = false
  ) {
    self.run = run
    self.program = program
    self.timeout = timeout
    self.stall = stall
    self.outputFiles = outputFiles
    self.outputBytes = outputBytes
    self.stateFolder = stateFolder
    self.isolationRequired = isolationRequired
  }
}

/// Where steps run: in processes of this machine, or of others.
package protocol StepSlots: Sendable {
  /// Runs a step when a slot is free.
  func run(_ order: StepOrder) async -> RunOutcome
}

/// How a run ended.
package struct RunOutcome: Sendable {
  package enum Ending: Sendable, Equatable {
    /// The step answered, well or not.
    case answered
    /// It overran a limit, crashed, or broke the protocol: charged like an answer.
    case failed
    /// Its process was killed from outside with no limit reached, and the kernel did not end
    /// processes for want of memory meanwhile: not its fault.
    case vanished
    /// Stopped for what it shares with others, the memory of the machine or the folder that its plugin
    /// keeps: its fault if it ran alone.
    case sharedLimit
    /// The host stopped it because the host is stopping: never charged.
    case handedBack
    /// Another machine did not do it, through no fault of the file: it is to be run here.
    case returned
  }

  package var ending: Ending
  package var result: Result<StepOutput, PluginFailure>
  package var isolation: JSON?
  package var notes: [String]
  package var cpuMilliseconds: Int
  package var peakMemory: Int
  package var wallMilliseconds: Int
  /// Where it ran; nil for this machine.
  package var machine: String?

  package init(
    ending: Ending, result: Result<StepOutput, PluginFailure>, isolation: JSON? = nil,
    notes: [String] = [], cpuMilliseconds: Int = 0, peakMemory: Int = 0, wallMilliseconds: Int = 0
  ) {
    self.ending = ending
    self.result = result
    self.isolation = isolation
    self.notes = notes
    self.cpuMilliseconds = cpuMilliseconds
    self.peakMemory = peakMemory
    self.wallMilliseconds = wallMilliseconds
  }
}
