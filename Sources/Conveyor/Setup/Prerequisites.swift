internal import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

/// What fetching and telling need besides procd's own folders.
package struct Prerequisites: Sendable {
  let active: ActiveConfiguration

  package init(_ active: ActiveConfiguration) { self.active = active }

  /// What is missing, each with a code and a sentence.
  package func missing(_ installation: Installation) -> [(code: String, message: String)] {
    var missing: [(code: String, message: String)] = []
    let net = installation.programs.appending(NetProgram.name).string
    if needsNetwork, unsafe access(net, X_OK) != 0 {
      missing.append(
        ("env.net", "sources and webhooks need the program \(net), which is not there"))
    }
    for place in Place.allCases {
      guard let name = active.configuration.access(place).group else { continue }
      guard let group = Accounts.group(name) else {
        missing.append(
          ("env.group", "there is no group \(name) on this machine (\(place.rawValue).group)"))
        continue
      }
      if !Accounts.mayGive(to: group) {
        missing.append(
          (
            "env.group",
            "user \(Accounts.currentUser) is not in the group \(name): files of the \(place.rawValue) keep their own"
          ))
      }
    }
    return missing
  }

  /// Why news cannot be told, each with a code, a sentence and the cure. It waits until that is mended, so procd starts
  /// all the same.
  package func untold() -> [(code: String, message: String, cure: String)] {
    active.configuration.notify.compactMap { target in
      switch target.way {
      case .mail where CommandEnvironment.sendmail == nil:
        (
          "env.mail", "\(target.place): no sendmail is installed",
          "on Debian: apt install msmtp-mta"
        )
      case .mail:
        mailTrouble.map {
          (
            "env.mail", "\(target.place): \($0)",
            "apt install msmtp-mta, or NoNewPrivileges=no by `systemctl edit procd`"
          )
        }
      case .command(let words): untold(words, target)
      case .webhook, .log: nil
      }
    }
  }

  private func untold(
    _ words: [String], _ target: NotifyTarget
  ) -> (code: String, message: String, cure: String)? {
    let name = words.first ?? ""
    let program = CommandEnvironment.program(name, base: active.base.string)
    guard program.map({ unsafe access($0, X_OK) != 0 }) ?? true else { return nil }
    return (
      "env.command", "\(target.place): \(name) cannot be started as a program",
      words.count == 1 && name.contains(" ")
        ? "with arguments, \"command\" is a list: [\"PROGRAM\", \"ARGUMENT\"]"
        : "see whether it is there, and executable (chmod +x)"
    )
  }

  /// Why sendmail cannot work here; nil where it may.
  var mailTrouble: String? {
    CommandEnvironment.sendmailNeedsRights
      && !ServiceRights.areGivenToPrograms(spool: active.spool)
      ? "this sendmail needs more rights than procd's unit leaves to programs (NoNewPrivileges)"
      : nil
  }

  var needsNetwork: Bool {
    !active.configuration.sources.isEmpty
      || active.configuration.notify.contains {
        if case .webhook = $0.way { true } else { false }
      }
  }
}
