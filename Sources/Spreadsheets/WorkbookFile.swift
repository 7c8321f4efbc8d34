public import PluginKit

/// The workbook among the results of a step: written to its file as it grows.
public final class WorkbookFile {
  /// What rows are added to.
  public let writer: WorkbookWriter
  private let file: ResultFile
  private let name: String

  /// Bytes so far, as far as they are deflated.
  public var count: Int { writer.count }

  /// Creates the file.
  ///
  /// - Parameter name: the file name inside `out/` of the work folder.
  /// - Throws: as ``PluginFailure/writing(_:errno:)`` tells, like all that follows; `limit.memory` where there is no
  ///   memory.
  public init(_ run: StepRun, name: String) throws(PluginFailure) {
    guard let writer = WorkbookWriter() else {
      throw PluginFailure(.input, "limit.memory", "there was no memory for the workbook")
    }
    (self.writer, self.name) = (writer, name)
    file = try ResultFile("\(run.workFolder)/out/\(name)")
  }

  /// Writes what has been added so far.
  public func keep() throws(PluginFailure) { try file.write(writer.takeBytes()) }

  /// Ends the workbook, and tells the host what did not fit.
  public func finish(_ host: any StepHost) throws(PluginFailure) -> Artifact {
    try file.write(writer.finish())
    try file.close()
    for sentence in writer.excess.sentences { host.note("xlsx.limits", sentence, page: nil) }
    return Artifact(role: "xlsx", path: "out/\(name)", mime: WorkbookWriter.mime)
  }
}
