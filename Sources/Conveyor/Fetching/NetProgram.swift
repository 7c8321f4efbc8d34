internal import Files
internal import Glibc
package import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
package import Workers

/// `procd-net`, the program with the sockets: a process for each request.
package struct NetProgram: Sendable {
  let path: String
  let environment: [String]
  let mark: SpoolMark?

  /// - Parameters:
  ///   - mark: of its processes, so that a later daemon finds those that outlived this one.
  ///   - isolationRequired: whether nothing is asked for where it cannot be confined.
  package init(
    _ installation: Installation, mark: SpoolMark? = nil, landlockCeiling: Int? = nil,
    isolationRequired: Bool = false
  ) {
    path = installation.programs.appending(Self.name).string
    self.mark = mark
    var environment = ["LC_ALL=C.UTF-8"]
    if let landlockCeiling { environment.append("PROCD_LANDLOCK=\(landlockCeiling)") }
    if isolationRequired { environment.append("PROCD_ISOLATION_REQUIRED=1") }
    // Certificates of somebody's own authority, as other programs take them.
    if let file = unsafe getenv("SSL_CERT_FILE") {
      environment.append(unsafe "SSL_CERT_FILE=\(String(cString: file))")
    }
    self.environment = environment
  }

  package static let name = "procd-net"

  /// Carries a request out.
  ///
  /// - Parameters:
  ///   - isWanted: asked a few times a second; when it says no, the request is given up.
  ///   - progress: told how many bytes there are, of how many.
  /// - Returns: the result; never `progress`.
  package func answer(
    to request: NetRequest, while isWanted: @escaping @Sendable () -> Bool = { true },
    progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }
  ) async -> NetAnswer {
    // It keeps its time itself; this is for one that cannot.
    var run = ProgramRun(
      [path], environment: environment, milliseconds: request.bounds.total + 10_000)
    run.mark = mark
    run.input = request.json.line + [0x0A]
    let result = Mutex<NetAnswer?>(nil)
    let outcome = await run.run(while: isWanted) { line in
      switch (try? JSONReader.read(line)).flatMap({ NetAnswer($0.value) }) {
      case .progress(let done, let total): progress(done, total)
      case .listed(let files)?:
        result.withLock { result in
          let before =
            if case .listed(let before)? = result { before } else { [NetAnswer.Listed]() }
          result = .listed(before + files)
        }
      case let answer?: result.withLock { $0 = answer }
      case nil: break
      }
    }
    if let answer = result.withLock({ $0 }) { return answer }
    return .failed(Self.failure(outcome))
  }

  private static func failure(_ outcome: ProgramRun.Outcome) -> NetAnswer.Failure {
    switch outcome.end {
    case .notStarted(let why):
      NetAnswer.Failure("net.program", "procd-net could not be started: \(why)", isPassing: true)
    case .unwanted: NetAnswer.Failure("host.stopping", "procd was stopped", isPassing: true)
    case .timeOver:
      NetAnswer.Failure("net.timeout", "procd-net did not end in time", isPassing: true)
    case .status, .signal:
      NetAnswer.Failure(
        "net.program",
        "procd-net ended without an answer" + (outcome.lastErrorLine.map { ": \($0)" } ?? ""),
        isPassing: true)
    }
  }
}
