internal import Files
internal import Notices
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

/// Brings one message to one target.
struct Courier: Sendable {
  let active: ActiveConfiguration
  let net: NetProgram
  /// False once a message that is on its way is to be given up.
  let isWanted: @Sendable () -> Bool
  let emit: @Sendable (ConveyorEvent) -> Void

  /// Milliseconds that a command or sendmail may take.
  private static let timeLimit = 60_000
  /// EX_TEMPFAIL of sysexits.h.
  private static let later = 75

  func deliver(_ message: NoticeMessage, to target: NotifyTarget) async -> DeliveryOutcome {
    var message = message
    let file: FilePath = active.file ?? active.base
    message.sender = NoticeMessage.Sender(
      machine: machineName, configuration: file.printable)
    switch target.way {
    case .log:
      emit(.told(subject: message.subject, text: message.text))
      return .delivered
    case .command(let words): return await run(words, message)
    case .webhook(let url, let body, let secret, let allowsPrivate):
      return await post(message, url, body, secret, allowsPrivate)
    case .mail(let recipients): return await mail(message, recipients)
    }
  }

  private func run(_ words: [String], _ message: NoticeMessage) async -> DeliveryOutcome {
    guard let name = words.first,
      let program = CommandEnvironment.program(name, base: active.base.string)
    else {
      return .later(reason: "\(words.first ?? "the program") is not there", seconds: nil)
    }
    var run = ProgramRun(
      [program] + words.dropFirst(), environment: CommandEnvironment.variables(for: message),
      milliseconds: Self.timeLimit)
    run.input = message.json.line + [0x0A]
    run.folder = active.base
    return outcome(await run.run(while: isWanted), of: name)
  }

  private func mail(_ message: NoticeMessage, _ recipients: [String]) async -> DeliveryOutcome {
    guard let sendmail = CommandEnvironment.sendmail else {
      return .later(reason: "no sendmail is installed", seconds: nil)
    }
    if let why = Prerequisites(active).mailTrouble { return .later(reason: why, seconds: nil) }
    var run = ProgramRun(
      [sendmail, "-t", "-i"], environment: CommandEnvironment.variables(for: message),
      milliseconds: Self.timeLimit)
    run.input = Array(MailMessage.text(message, to: recipients, at: wallTime()).utf8)
    return outcome(await run.run(while: isWanted), of: "sendmail")
  }

  private func outcome(_ outcome: ProgramRun.Outcome, of name: String) -> DeliveryOutcome {
    let said = outcome.lastErrorLine.map { ": \($0)" } ?? ""
    switch outcome.end {
    case .status(0): return .delivered
    case .status(Self.later): return .later(reason: "\(name) asks for later\(said)", seconds: nil)
    case .status(let status):
      return .refused(reason: "\(name) ended with \(status)\(said)", isFinal: false)
    case .signal(let signal):
      return .refused(reason: "\(name) was ended by signal \(signal)\(said)", isFinal: false)
    case .timeOver:
      return .refused(
        reason: "\(name) took longer than \(Self.timeLimit / 1000) s", isFinal: false)
    case .unwanted: return .later(reason: "procd was stopped", seconds: nil)
    case .notStarted(let why): return .later(reason: why, seconds: nil)
    }
  }

  private func post(
    _ message: NoticeMessage, _ url: String, _ body: NotifyTarget.Body, _ secret: JSON?,
    _ allowsPrivate: Bool
  ) async -> DeliveryOutcome {
    let isJSON = body == .json
    let text =
      isJSON
      ? String(decoding: message.json.line, as: UTF8.self)
      : message.whole
    var post = NetRequest.Post(
      url: url, type: isJSON ? "application/json" : "text/plain; charset=utf-8", body: text,
      key: message.id)
    post.bounds.allowsPrivate = allowsPrivate
    if let secret {
      do throws(PluginFailure) { post.secret = try Secrets(active).text(secret, "secret") } catch {
        return .later(reason: error.message, seconds: nil)
      }
    }
    switch await net.answer(to: .post(post), while: isWanted) {
    case .accepted: return .delivered
    case .failed(let failure) where failure.isPassing:
      return .later(reason: failure.message, seconds: failure.retryAfter)
    case .failed(let failure) where failure.code == "net.private":
      // Somebody has to change the configuration: nothing is lost until then.
      return .later(reason: failure.message, seconds: nil)
    case .failed(let failure): return .refused(reason: failure.message, isFinal: true)
    case .progress, .received, .listed, .unchanged:
      return .later(reason: "procd-net gave an answer to another question", seconds: nil)
    }
  }
}
