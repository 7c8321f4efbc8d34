package import Files
internal import Glibc
package import Pipelines
package import PluginKit
internal import SystemPackage

/// Asks a worker program what it offers.
package enum PluginHandshake {
  /// Why a worker program is of no use.
  package struct Failure: Error, Sendable {
    package var program: String
    package var message: String
  }

  /// A program that is killed from outside says nothing about itself: it is asked this often.
  private static let mostTries = 5

  /// Starts the program, exchanges hellos, and ends it.
  package static func manifests(
    of program: String, _ setup: WorkerSetup
  ) throws(Failure) -> [PluginManifest] {
    for _ in 1...mostTries {
      if let manifests = try answer(of: program, setup) { return manifests }
    }
    throw Failure(
      program: program,
      message: "\(program) was killed before it could answer, \(mostTries) times")
  }

  /// What the program says; nil where it was killed first.
  private static func answer(
    of program: String, _ setup: WorkerSetup
  ) throws(Failure) -> [PluginManifest]? {
    let path = "\(setup.programs)/\(program)"
    let process: ChildProcess
    do throws(SpawnError) {
      process = try ChildProcess(
        arguments: [path], environment: setup.environment, deathSignal: SIGKILL,
        mark: setup.mark)
    } catch {
      throw Failure(program: program, message: error.message)
    }
    return try answer(of: program, process)
  }

  /// Starts a foreign plugin as for a step, exchanges hellos, and ends it.
  ///
  /// - Parameter place: an open folder to work in.
  package static func greet(
    _ foreign: PluginCatalog.Foreign, called name: String, in place: Folder, _ setup: WorkerSetup
  ) throws(Failure) {
    var spec = LaunchSpec(of: foreign, workFolder: place.path.string, setup)
    spec.speaksProtocol = true
    let process: ChildProcess
    do throws(SpawnError) {
      process = try ChildProcess(
        arguments: setup.launching(foreign, spec), environment: setup.environment,
        folder: place.descriptor, deathSignal: SIGTERM, mark: setup.mark)
    } catch {
      throw Failure(program: name, message: error.message)
    }
    guard try answer(of: name, process) != nil else {
      throw Failure(program: name, message: "\(name) was killed before it could answer")
    }
  }

  /// What a started program says; nil where it was killed first. It is ended.
  private static func answer(
    of program: String, _ process: ChildProcess
  ) throws(Failure) -> [PluginManifest]? {
    var isWaitedFor = false
    defer {
      if !isWaitedFor {
        process.closeInput()
        process.kill()
        _ = process.wait()
      }
    }
    process.send(.hostHello(host: "procd"))
    let until = milliseconds() + 10_000
    var isClosed = false
    while milliseconds() < until {
      var polled = [process.output, process.errors].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = unsafe poll(&polled, 2, 500)
      // What nobody takes from there would hold it up.
      if polled[1].revents != 0, !process.readErrors(), polled[0].revents == 0 { usleep(10_000) }
      guard polled[0].revents != 0 else { continue }
      guard case .messages(let messages) = process.readMessages() else {
        isClosed = true
        break
      }
      for message in messages {
        if case .failure(let error) = message {
          // A step would be ended for it too.
          throw Failure(
            program: program,
            message: "\(program) did not say hello, but broke the protocol: \(error.message)")
        }
        guard case .success(.pluginHello(let hello)) = message else { continue }
        guard hello.protocolNumber == 1 else {
          throw Failure(
            program: program,
            message: "\(program) speaks procd/\(hello.protocolNumber), this procd speaks procd/1")
        }
        return hello.plugins
      }
    }
    if isClosed {
      process.closeInput()
      isWaitedFor = true
      if process.wait().signal == Int(SIGKILL) { return nil }
    }
    _ = process.readErrors()
    let said = process.lastErrorLine.map { ": \($0)" } ?? ""
    let likely = isClosed ? "" : " within 10 s: does it flush its output after each line?"
    throw Failure(program: program, message: "\(program) did not say hello\(likely)\(said)")
  }
}
