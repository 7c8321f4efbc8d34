internal import Files
internal import Outbox
package import Pipelines
internal import PluginKit
package import SystemPackage

extension Workbench {
  package struct Converted: Sendable {
    /// A result waiting in the staging folder.
    package struct Result: Sendable {
      package var role: String
      /// What follows the stem of its name.
      package var ending: String
      package var staged: FilePath
      package var mime: String
      package var bytes: Int

      private static func labeledEnding(_ artifact: CollectedArtifact) -> String? {
        guard let label = artifact.label?.replacing("/", with: "_") else { return nil }
        let ending = ".\(artifact.fileExtension)"
        let name = label.lowercased().hasSuffix(ending.lowercased()) ? label : label + ending
        return name.utf8.count <= 100 ? ".\(name)" : nil
      }

      /// The results of a file, with endings that tell them apart.
      static func list(_ artifacts: [CollectedArtifact]) -> [Result] {
        let usual = OutputName.endings(artifacts.map { ($0.role, $0.fileExtension) })
        // What has a name of its own, as what was attached to a mail, keeps it behind that of its source.
        var taken: Set<String> = []
        let endings = zip(artifacts, usual).map { artifact, usual in
          let wanted = labeledEnding(artifact) ?? usual, dot = wanted.lastIndex(of: ".")
          let (stem, suffix) = dot.map { (wanted[..<$0], wanted[$0...]) } ?? (wanted[...], "")
          var ending = wanted, number = 2
          // Two of one name are told apart as in the outbox.
          while !taken.insert(ending).inserted {
            ending = "\(stem)~\(number)\(suffix)"
            number += 1
          }
          return ending
        }
        return zip(artifacts, endings).map { artifact, ending in
          Result(
            role: artifact.role, ending: ending, staged: artifact.path, mime: artifact.mime,
            bytes: artifact.bytes)
        }
      }
    }
    package var job: String
    package var mime: String
    package var pipeline: String
    package var results: [Result]
    package var partial: Bool
    package var steps: [StepReport]
  }

  /// Runs a file through its pipeline; the results stay in the staging folder until they are placed
  /// or the workbench is closed.
  ///
  /// - Parameter role: where given, the source's own bytes stand in for a `pdf` of a PDF of which
  ///   every page has text already.
  package func convert(
    _ file: FilePath, as path: FilePath, role: String?
  ) async throws(WorkbenchFailure) -> Converted {
    do {
      return try await withTaskExecutorPreference(executor) {
        try await converted(try claimed(file, as: path), role: role)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  /// Those of several files that can be joined, told by what they are. One that cannot be told is among them, so that
  /// joining says why.
  package func joinable(_ files: [FilePath]) async -> [FilePath] {
    let accepts = active.catalog[Pipeline.joiningUse]?.step.accepts ?? []
    return await withTaskExecutorPreference(executor) {
      var joinable: [FilePath] = []
      for file in files where !isStopping {
        let name = FilePath(name: file.lastComponent ?? "file")
        let types = try? await processor.probe(try claimed(file, as: name), alone: true).candidates
        let isTaken = types?.contains { type in
          accepts.contains { mediaType(type, matches: $0) }
        }
        if isTaken ?? true { joinable.append(file) }
      }
      return joinable
    }
  }

  /// Whether some rule takes a file, told by what it is. One that cannot be told may be taken.
  ///
  /// - Parameter path: the path below the inbox that rules see.
  package func takes(_ file: FilePath, as path: FilePath) async -> Bool {
    do {
      return try await withTaskExecutorPreference(executor) {
        let probed = try await processor.probe(try claimed(file, as: path), alone: true)
        return try await processor.route(probed, passedOver: [], alone: true).pipeline != nil
      }
    } catch { return WorkbenchFailure(error).failure.class != .input }
  }

  /// Runs several files through a pipeline that takes folders, as if they lay in one in this order.
  ///
  /// - Parameter name: what the document is called.
  package func join(
    _ files: [FilePath], as name: FilePath, role: String?
  ) async throws(WorkbenchFailure) -> Converted {
    do {
      return try await withTaskExecutorPreference(executor) {
        var members: [ClaimedFile.Member] = []
        for file in files {
          let one = try claimed(file, as: FilePath(name: file.lastComponent ?? "file"))
          members.append(
            ClaimedFile.Member(
              name: one.arrival.name, source: one.source, bytes: one.bytes, sha256: one.sha256))
        }
        let bytes = members.reduce(0) { $0 + $1.bytes }
        let arrival = Arrival(
          path: name, device: 0, inode: 0, size: bytes, modifiedSeconds: 0, modifiedNanoseconds: 0,
          arrived: wallTime(), completeness: .quiet, isFolder: true)
        let whole = ClaimedFile(
          job: JobIdentifiers.make(at: wallTime()), arrival: arrival, source: FilePath(),
          isCopy: false, bytes: bytes, sha256: "", members: members)
        return try await converted(whole, role: role)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  private func converted(_ claimed: ClaimedFile, role: String?) async throws -> Converted {
    do { return try await staged(claimed, role: role) } catch {
      discard(claimed.job)
      throw error
    }
  }

  /// Removes what is left of a job in the staging folder.
  package func discard(_ job: String) {
    // What stays there now goes with the staging folder.
    _ = try? Sealer(places: places).discard(job: job)
  }

  private func staged(_ claimed: ClaimedFile, role: String?) async throws -> Converted {
    var journey = Journey(alone: claimed)
    journey.terms.wanted = role
    var hop = journey.begin(at: wallTime())
    while true {
      switch hop {
      case .publish(.results(let processed, _)):
        return Converted(
          job: claimed.job, mime: journey.probed?.mime ?? "", pipeline: journey.pipeline?.id ?? "",
          results: Converted.Result.list(processed.emitted.map(\.artifact)),
          partial: processed.partial, steps: processed.steps)
      case .publish(.quarantine(let failure, let steps)):
        guard let probed = journey.probed, let pipeline = journey.pipeline,
          failure.code == "result.none", role == "pdf", probed.mime == "application/pdf"
        else { throw ProcessingFailed(failure: failure, steps: steps) }
        try checkReadable(probed)
        var own = try collector.keep(claimed, as: "pdf", mime: probed.mime)
        own.fileExtension = "pdf"
        return Converted(
          job: claimed.job, mime: probed.mime, pipeline: pipeline.id,
          results: Converted.Result.list([own]),
          partial: false, steps: steps)
      default: break
      }
      // What needs a ledger is done at once here.
      let event = try await processor.carryOut(hop, alone: true) ?? .done
      if case .interrupted(let interruption, _) = event { throw interruption }
      hop = journey.take(event, at: wallTime())
    }
  }

  /// A PDF that cannot be read is no result, even where no step had to read it.
  private func checkReadable(_ probed: ProbedFile) throws(WorkbenchFailure) {
    if probed.facts["locked"] == true {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "pdf.password", "a password is needed to open this file",
          hint:
            "--password gives it, and --passwords a file of several"))
    }
    guard let pages = probed.facts["pages"]?.integerValue, pages > 0 else {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "pdf.broken", "no pages could be found in this file",
          hint: "open it in a viewer; if it is broken there too, ask for a new copy"))
    }
  }
}
