internal import Glibc
internal import Notices
internal import Pipelines
internal import PluginKit

/// What a command that tells somebody finds in its environment. What happened is data there: no shell
/// sees it.
enum CommandEnvironment {
  /// What programs need to run, taken over from this process; its secrets are not among them.
  private static let inherited = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
  ]
  /// The kernel takes no variable of more than 128 KiB.
  private static let longest = 96 << 10

  static func variables(for message: NoticeMessage) -> [String] {
    let single = message.notices.count == 1 ? message.notices.first : nil
    let details = single?.details ?? .array(message.notices.map(\.json))
    var values = [
      ("ID", message.id), ("EVENT", message.event.rawValue), ("SUBJECT", message.subject),
      ("TEXT", message.text), ("COUNT", "\(message.notices.count)"),
    ]
    let text = String(decoding: details.line, as: UTF8.self)
    // Cut JSON is none; all of it comes on standard input.
    if text.utf8.count <= longest { values.append(("DETAILS", text)) }
    if let sender = message.sender {
      values += [("MACHINE", sender.machine), ("CONFIGURATION", sender.configuration)]
    }
    if let series = single?.series { values.append(("SERIES", series)) }
    if let number = single?.number { values.append(("NUMBER", number)) }
    if let label = single?.label { values.append(("LABEL", label)) }
    let own = values.map { name, value in "PROCD_\(name)=\(plain(value))" }
    return inherited.compactMap { name in
      unsafe getenv(name).map { unsafe "\(name)=\(String(cString: $0))" }
    } + own
  }

  /// A zero byte would end the value.
  private static func plain(_ text: String) -> String {
    let bytes = text.utf8.prefix(longest).filter { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where a program is: a path starts at the configuration, a name is looked for in PATH.
  static func program(_ name: String, base: String) -> String? {
    if name.hasPrefix("/") { return name }
    if name.contains("/") { return "\(base)/\(name)" }
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { unsafe $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Whether sendmail, or the program by which Postfix's takes mail in, has rights of its own (set-user-ID, set-group-ID).
  static var sendmailNeedsRights: Bool {
    guard let sendmail, let real = unsafe realpath(sendmail, nil) else { return false }
    defer { unsafe free(real) }
    // Postfix's is an ordinary program that starts another; the names of others lead to programs of other names.
    let isPostfix = unsafe String(cString: real).hasSuffix("/sendmail")
    return ([sendmail] + (isPostfix ? ["/usr/sbin/postdrop"] : [])).contains { path in
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID) != 0
    }
  }

  /// The program that takes mail: `PROCD_SENDMAIL`, or where systems have it.
  static var sendmail: String? {
    let named = unsafe getenv("PROCD_SENDMAIL").map { unsafe String(cString: $0) }
    let places = ["/usr/sbin/sendmail", "/usr/lib/sendmail", "/usr/bin/sendmail"]
    return ((named.map { [$0] } ?? []) + places).first { unsafe access($0, X_OK) == 0 }
  }
}
