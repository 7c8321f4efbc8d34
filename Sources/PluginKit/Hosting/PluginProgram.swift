internal import CLinux
internal import Glibc

/// The main function of a foreign plugin that is written in Swift: a folder with `plugin.json` beside
/// this program, which procd starts once for each run of a step and once for each command
/// (docs/plugins.md). What it may reach is procd's to confine, not its own.
public enum PluginProgram {
  /// The name of the command that the user typed, where the program was started for one. Nil where a
  /// step is to run.
  public static var command: String? { variable("PROCD_COMMAND") }

  /// What the user typed behind the command. `CommandLine` is empty here: it reads a file of /proc,
  /// which a confined program may not.
  public static var arguments: [String] {
    (1..<max(1, clinux_argument_count())).compactMap { index in
      unsafe clinux_argument(index).map { unsafe String(cString: $0) }
    }
  }

  /// The folder that may be written and that outlasts a command, where `plugin.json` asks for it.
  public static var stateFolder: String? { variable("PROCD_STATE") }

  /// What a step does with a run.
  public typealias Step = (StepRun, any StepHost) throws(PluginFailure) -> StepOutput

  /// The same for a plugin of several steps, by their names.
  public static func serve(_ steps: [String: Step]) -> Never {
    serve { run, host throws(PluginFailure) in
      guard let step = steps[run.step] else {
        throw PluginFailure(.internal, "step.unknown", "there is no step \"\(run.step)\" here")
      }
      return try step(run, host)
    }
  }

  /// Speaks procd/1 on standard input and output: reads one run, has `step` do it, answers, and ends.
  ///
  /// What libraries print to standard output meanwhile goes to standard error.
  public static func serve(_ step: Step) -> Never {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    dup2(2, 1)
    clinux_ignore_signal(SIGPIPE)
    var input = LineBuffer()
    while let bytes = readSome(0), !bytes.isEmpty {
      for piece in input.append(bytes) {
        guard case .line(let line) = piece, let message = try? Message(line: line) else { continue }
        switch message {
        case .hostHello:
          writeAll(Message.pluginHello(.init(protocolNumber: 1, plugins: [])).line, to: output)
        case .run(let request):
          answer(request.run, step, to: output)
          exit(0)
        case .bye: exit(0)
        default: break
        }
      }
    }
    exit(0)
  }

  private static func answer(_ run: StepRun, _ step: Step, to output: Int32) {
    do throws(PluginFailure) {
      let result = try step(run, ProgramHost(id: run.id, output: output))
      for artifact in result.artifacts {
        writeAll(Message.artifact(id: run.id, artifact).line, to: output)
      }
      writeAll(Message.done(id: run.id, .success(result)).line, to: output)
    } catch {
      writeAll(Message.done(id: run.id, .failure(error)).line, to: output)
    }
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

private struct ProgramHost: StepHost {
  let id: String
  let output: Int32

  func progress(_ done: Int, of total: Int, unit: String) {
    writeAll(Message.progress(id: id, done: done, total: total, unit: unit).line, to: output)
  }

  func note(_ code: String, _ message: String, page: Int?) {
    writeAll(
      Message.log(id: id, level: "warn", code: code, message: message, page: page).line, to: output)
  }
}
