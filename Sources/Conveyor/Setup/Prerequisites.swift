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

  /// Why news cannot be told, each with a code and a sentence. It waits until that is mended, so procd starts all the
  /// same.
  package func untold() -> [(code: String, message: String)] {
    var missing: [(code: String, message: String)] = []
    for target in active.configuration.notify {
      switch target.way {
      case .mail where CommandEnvironment.sendmail == nil:
        missing.append(
          (
            "env.mail",
            "\(target.place): no sendmail is installed; on Debian: apt install msmtp-mta"
          ))
      case .command(let words):
        let name = words.first ?? ""
        let program = CommandEnvironment.program(name, base: active.base.string)
        if program.map({ unsafe access($0, X_OK) != 0 }) ?? true {
          missing.append(
            (
              "env.command",
              "\(target.place): \(name) cannot be started as a program: "
                + (words.count == 1 && name.contains(" ")
                  ? "with arguments, \"command\" is a list: [\"PROGRAM\", \"ARGUMENT\"]"
                  : "is it there, and executable (chmod +x)?")
            ))
        }
      case .mail
      where CommandEnvironment.sendmailNeedsRights
        && !ServiceRights.areGivenToPrograms(spool: active.spool):
        missing.append(
          (
            "env.mail",
            "\(target.place): this sendmail needs more rights than procd's unit leaves to programs"
              + " (NoNewPrivileges); cure: apt install msmtp-mta, or NoNewPrivileges=no by `systemctl edit procd`"
          ))
      case .mail, .webhook, .log: break
      }
    }
    return missing
  }

  var needsNetwork: Bool {
    !active.configuration.sources.isEmpty
      || active.configuration.notify.contains {
        if case .webhook = $0.way { true } else { false }
      }
  }
}
