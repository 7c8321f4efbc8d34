import Conveyor
import Glibc
import PageAPI
import PluginKit
import Synchronization

extension PageAnswers {
  /// Checks a password here, as the server's one thread is needed for all who have a session.
  func login(_ body: JSON) async throws -> PageReply {
    let password = body["password"]?.stringValue ?? "", kept = setup.password ?? ""
    return PageReply(head: ["right": .bool(PasswordHash.matches(password, kept))])
  }

  func logout(_ head: JSON) throws -> PageReply {
    guard let end = head["end"]?.integerValue, let id = head["id"]?.stringValue else {
      throw PageRefusal(400, "web.request", "This is not a session.")
    }
    try ending.withLock { _ in
      try PageSecrets(in: active.spool).end(.init(end: end, id: id), now: time(nil))
    }
    return PageReply()
  }
}
