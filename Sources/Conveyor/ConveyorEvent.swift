package import Pipelines
package import PluginKit
package import SystemPackage

/// What a conveyor tells those who watch it; logs and consoles are made of these.
package enum ConveyorEvent: Sendable {
  /// Ready to take files; how many jobs an earlier run left behind, and whether the inbox is looked at again and again
  /// for want of events, nil of a run that drains it.
  case ready(resumed: Int, polls: Bool?)
  /// Takes no more files and works on none; how many jobs the next start goes on with.
  case stopped(unfinished: Int)
  /// How many files are known that no journey has begun for.
  case waiting(files: Int)
  case claimed(job: String, path: FilePath)
  /// A step has got a worker. `run` tells apart the runs of one job, of which several may go on.
  case working(run: String, job: String, path: FilePath, step: String)
  /// A step runs on another machine of the fleet.
  case placed(run: String, machine: String)
  /// How far a running step says it is; plugins say it, so any numbers may come.
  case progress(run: String, done: Int, total: Int, unit: String)
  /// The run has given its worker back, however it ended.
  case rested(run: String)
  /// Published; comes only after the ledger has it.
  case finished(Report)
  /// Waits for another try.
  case waits(job: String, path: FilePath, until: Int64, PluginFailure)
  /// Tried alone from now on.
  case suspected(job: String, path: FilePath)
  /// The journey of the job is over for now, however it ended.
  case left(job: String)
  /// News for whoever reads the log.
  case told(subject: String, text: String)
  /// Something outside the files is wrong; work goes on when it is mended.
  case trouble(String)
  case notice(String)
}
