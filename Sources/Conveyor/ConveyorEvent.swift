package import Pipelines
package import PluginKit
package import SystemPackage

/// What a conveyor tells those who watch it; logs and consoles are made of these.
package enum ConveyorEvent: Sendable {
  /// Ready to take files; how many jobs an earlier run left behind.
  case ready(resumed: Int, polls: Bool)
  case claimed(job: String, path: FilePath)
  case working(job: String, path: FilePath, step: String)
  /// Published; comes only after the ledger has it.
  case finished(Report)
  /// Waits for another try.
  case waits(job: String, path: FilePath, until: Int64, PluginFailure)
  /// Tried alone from now on.
  case suspected(job: String, path: FilePath)
  /// Something outside the files is wrong; work goes on when it is mended.
  case trouble(String)
  case notice(String)
}
