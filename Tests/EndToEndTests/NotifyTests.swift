import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Whoever wants to know is told: by a command, a webhook, mail, the log.
@Suite(.serialized) struct NotifyTests {
  private func site(_ targets: String) throws -> Site {
    let site = try Site {
      $0.replacing(#""pipelines""#, with: "\"notify\": [\(targets)],\n\"pipelines\"")
    }
    // Counts by appending: what it is given stands in its environment.
    try site.place.write(
      """
      #!/bin/sh
      [ -e later ] && exit 75
      printf '%s|%s|%s|%s\\n' "$PROCD_EVENT" "$PROCD_COUNT" "$PROCD_SUBJECT" "$*" >> told
      cat > details.json
      """, to: "tell")
    try #require(chmod(site.place("tell").string, 0o755) == 0)
    return site
  }

  private func told(_ site: Site) -> [String] {
    String(decoding: site.place.read("told") ?? Data(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test func `many bad files make one message, and nothing of them reaches a shell`() throws {
    let site = try site(#"{ "on": "quarantined", "command": ["./tell", "$(id)"] }"#)
    let names = (1...20).map { "bad \($0);`touch hacked`.bin" }
    for name in names { try site.place.write("\u{1}\u{2}\u{3}\(name)", to: "inbox/\(name)") }
    let result = try site.run("run", "--once")
    #expect(result.status == 65, "\(result.errors)")
    #expect(told(site) == ["quarantined|20|procd: 20 quarantined|$(id)"])
    let message = try site.json("details.json")
    #expect(message["notices"]?.arrayValue?.count == 20)
    let paths = message["notices"]?.arrayValue?.compactMap { $0["details"]?["path"]?.stringValue }
    #expect(Set(paths ?? []) == Set(names))
    #expect(!site.place.exists("hacked"))
    // Nothing is told again.
    #expect(try site.run("run", "--once").status == 0)
    #expect(told(site).count == 1)
  }

  @Test func `a file of which only part could be read is told as such`() throws {
    let site = try site(
      #"{ "on": "partial", "command": ["./tell", "p"] }, { "on": "done", "command": ["./tell", "d"] }"#
    )
    try site.place.write(Site.halfPDF, to: "inbox/half.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let partial = "partial|1|half.pdf is done, but only part of it could be read|"
    #expect(told(site).sorted() == ["\(partial)d", "\(partial)p"])
    let notice = try site.json("details.json")["notices"]?.arrayValue?.first
    #expect(notice?["details"]?["partial"] == true, "\(String(describing: notice))")
    try site.place.write(Site.pdf("one"), to: "inbox/whole.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(told(site).last == "done|1|whole.pdf is done|d")
    #expect(told(site).count == 3)
    // Also where nothing else is told.
    let alone = try self.site(#"{ "on": "partial", "command": ["./tell"] }"#)
    try alone.place.write(Site.halfPDF, to: "inbox/half.pdf")
    #expect(try alone.run("run", "--once").status == 0)
    #expect(told(alone) == [partial])
  }

  @Test func `a webhook that fails twice gets one message, signed, with the same key each time`()
    throws
  {
    let server = try WebServer()
    try server.plan([
      "/hook": [
        ["status": 500], ["status": 429, "headers": ["Retry-After": "1"]], ["status": 204],
      ]
    ])
    let site = try site(
      """
      { "on": "done", "every": "100ms",
        "webhook": { "url": "\(server.url("/hook"))", "private": true,
                     "secret": { "file": "secret" } } }
      """)
    try site.place.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", to: "secret")
    try site.place.write(Site.pdf("one"), to: "inbox/one.pdf")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { server.requests("/hook").count >= 3 })
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(try site.run("run", "--once").status == 0)
    let requests = server.requests("/hook")
    #expect(requests.map(\.status) == [500, 429, 204])
    #expect(Set(requests.map { $0.header("idempotency-key") }).count == 1)
    #expect(Set(requests.map(\.body)).count == 1)
    let last = try #require(requests.last)
    #expect(last.header("content-type") == "application/json")
    let body = try JSONReader.read(last.body).value
    #expect(body["subject"] == "one.pdf is done")
    #expect(body["id"]?.stringValue == last.header("idempotency-key"))
    // Judged by another implementation than ours.
    try site.place.write(last.body, to: "body")
    let check = """
      import base64, hashlib, hmac, sys
      key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      signed = (sys.argv[1] + "." + sys.argv[2] + ".").encode() + open("body", "rb").read()
      print("v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode())
      """
    let expected = try Programs.run(
      try #require(Programs.find("python3")),
      [
        "-c", check, last.header("webhook-id") ?? "", last.header("webhook-timestamp") ?? "",
      ], in: site.place.path)
    #expect(expected.output == "\(last.header("webhook-signature") ?? "")\n")
  }

  @Test func `a test message goes to each entry now, and is not kept`() throws {
    let server = try WebServer()
    try server.plan(["/hook": ["status": 204], "/closed": ["status": 404]])
    let site = try site(
      """
      { "on": "quarantined", "every": "1h", "command": "./tell" },
      { "on": "done", "webhook": { "url": "\(server.url("/hook"))", "private": true } },
      { "on": "done", "webhook": { "url": "\(server.url("/closed"))", "private": true } }
      """)
    let result = try site.run("notify", "1", "2")
    #expect(result.status == 0, "\(result.errors)")
    #expect(told(site) == ["quarantined|1|A test by procd|"])
    let body = try JSONReader.read(server.requests("/hook").first?.body ?? "").value
    #expect(body["configuration"]?.stringValue == site.place("pipelines.json").string)
    #expect(body["notices"]?.arrayValue?.first?["details"] == ["test": true])
    let refused = try site.run("notify")
    #expect(refused.status == 75)
    // What stands behind the host may be a key.
    #expect(
      refused.errors.hasPrefix("entry 3 of notify: webhook 127.0.0.1:"), "\(refused.errors)")
    #expect(try site.run("notify", "4").status == 64)
    #expect(try site.run("notify", "--", "-9223372036854775808").status == 64)
    #expect(try site.run("run", "--once").status == 0)
    #expect(told(site).count == 2 && server.requests("/hook").count == 2)
  }

  @Test func `a procd that cannot tell says so at its start, and starts`() throws {
    let site = try site(
      """
      { "on": "done", "command": "./not-there" }
      """)
    let checked = try site.run("check")
    #expect(checked.status == 0 && checked.errors.contains("note[env.command]: entry 1 of notify"))
    let command = "exec \(Programs.folder.string)/procd run 2> log"
    let daemon = try Programs.start("/bin/sh", ["-c", command], in: site.place.path)
    defer { daemon.signal(SIGKILL) }
    #expect(
      Programs.wait {
        String(decoding: site.place.read("log") ?? Data(), as: UTF8.self)
          .contains("entry 1 of notify: ./not-there cannot be started")
      })
  }

  @Test func `a sendmail that needs rights is told of where programs get none`() throws {
    let site = try site(
      """
      { "on": "done", "mail": "ada@example.org" }
      """)
    try site.place.write("#!/bin/sh\ncat > /dev/null\n", to: "sendmail")
    try #require(chmod(site.place("sendmail").string, 0o4755) == 0)
    func run(_ start: String, _ word: String) throws -> Programs.Result {
      let command =
        "PROCD_SENDMAIL='\(site.place("sendmail").string)' exec \(start)"
        + " \(Programs.folder.string)/procd \(word)"
      return try Programs.run("/bin/sh", ["-c", command], in: site.place.path)
    }
    #expect(try !run("env", "check").errors.contains("env.mail"))
    #expect(try run("env", "notify").status == 0)
    let checked = try run("setpriv --no-new-privs", "check")
    #expect(
      checked.errors.contains("note[env.mail]: entry 1 of notify: this sendmail"),
      "\(checked.errors)")
    #expect(try run("setpriv --no-new-privs", "notify").status == 75)
  }

  @Test func `after SIGKILL between commit and delivery everybody is told exactly once`() throws {
    let server = try WebServer()
    try server.plan(["/hook": ["status": 503]])
    let site = try site(
      """
      { "on": ["quarantined", "done"], "every": "100ms", "command": "./tell" },
      { "on": ["quarantined", "done"], "every": "100ms",
        "webhook": { "url": "\(server.url("/hook"))", "private": true, "body": "text" } }
      """)
    try site.place.write("", to: "later")
    try site.place.write("\u{1}\u{2}\u{3}", to: "inbox/bad.bin")
    // Neither target takes anything; the daemon is killed while both messages wait.
    let daemon = try site.watch()
    #expect(Programs.wait { !server.requests("/hook").isEmpty })
    daemon.signal(SIGKILL)
    #expect(daemon.wait() == SIGKILL)
    let status = try JSONReader.read(try site.run("status", "--json").output).value
    let targets = status["notify"]?.arrayValue ?? []
    #expect(targets.count == 2 && targets.allSatisfy { $0["pending"] == 1 }, "\(status)")

    try FileManager.default.removeItem(atPath: site.place("later").string)
    try server.plan(["/hook": ["status": 200]])
    for _ in 1...2 {
      let again = try site.watch()
      #expect(
        Programs.wait {
          told(site).count >= 1 && server.requests("/hook").contains { $0.status == 200 }
        })
      again.signal(SIGKILL)
      _ = again.wait()
    }
    #expect(try site.run("run", "--once").status == 0)
    #expect(Set(told(site)) == ["quarantined|1|bad.bin went to quarantine|"])
    let accepted = server.requests("/hook").filter { $0.status == 200 }
    // A kill between the answer and its record repeats the message, which its key tells.
    #expect(Set(accepted.map { $0.header("idempotency-key") ?? "none" }).count == 1)
    let text = accepted.first?.body ?? ""
    #expect(text.hasPrefix("bad.bin went to quarantine\n\n"), "\(text)")
    // Where the file is, what to do, and which procd says so.
    #expect(text.contains("\nIt is at \(site.place("quarantine/bad.bin").string)\n"), "\(text)")
    #expect(text.contains("\nTo try it again: procd retry "), "\(text)")
    #expect(text.contains(", -c \(site.place("pipelines.json").string)"), "\(text)")
    #expect(Set(server.requests("/hook").map { $0.header("idempotency-key") }).count == 1)
    #expect(try site.run("status").output.contains("last told"))
  }

  @Test func `the log counts entries from one, as all else does`() throws {
    let site = try site(
      #"{ "on": "quarantined", "every": "100ms", "command": ["./refuses"] }"#)
    try site.place.write("#!/bin/sh\nexit 1\n", to: "refuses")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: site.place("refuses").string)
    try site.place.write("\u{1}\u{2}\u{3}", to: "inbox/bad.bin")
    let run = try site.run("run", "--once")
    let place = try site.run("status").output.firstMatch(of: #/entry \d of notify: command/#)
    let entry = try #require(place?.output.split(separator: ":").first)
    #expect(run.errors.contains("\(entry): ") && !run.errors.contains("notify-"), "\(run.errors)")
  }

  @Test func `a webhook that may not be asked yet keeps its news until it may`() throws {
    let server = try WebServer()
    try server.plan(["/hook": ["status": 204]])
    let site = try site(
      """
      { "on": "quarantined", "every": "100ms", "webhook": { "url": "\(server.url("/hook"))" } }
      """)
    #expect(try site.run("check").errors.contains("warning[url.private]"))
    try site.place.write("\u{1}\u{2}\u{3}", to: "inbox/bad.bin")
    let first = try site.run("run", "--once")
    #expect(first.status == 65 && first.errors.contains("it is tried again later"))
    let status = try site.run("status").output
    #expect(status.contains("failed once") && status.contains("1 waiting"), "\(status)")
    #expect(!status.contains("given up"))
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#"/hook""#, with: #"/hook", "private": true"#), to: "pipelines.json")
    let daemon = try site.watch()
    defer { daemon.signal(SIGKILL) }
    #expect(Programs.wait { server.requests("/hook").count == 1 })
  }

  @Test func `killed at any moment of a batch, each file is told once`() throws {
    let site = try site(#"{ "on": ["done"], "every": "200ms", "command": "./count" }"#)
    // Takes its message before it says so: what is cut off in between may come twice, with its key.
    try site.place.write(
      "#!/bin/sh\ncat > \"got-$PROCD_ID.new\" && mv \"got-$PROCD_ID.new\" \"got-$PROCD_ID\"\n",
      to: "count")
    try #require(chmod(site.place("count").string, 0o755) == 0)
    let names = (1...40).map { "f\($0).pdf" }
    for name in names { try site.place.write(Site.pdf(name), to: "inbox/\(name)") }
    func archived() -> Int {
      site.place.files(below: "archive").count { $0.hasSuffix(".pdf") }
    }
    for goal in [1, 8, 20] {
      let daemon = try site.watch()
      #expect(Programs.wait { archived() >= goal })
      daemon.signal(SIGKILL)
      #expect(daemon.wait() == SIGKILL)
    }
    #expect(try site.run("run", "--once").status == 0)
    var paths: [String] = []
    for name in site.place.files() where name.hasPrefix("got-") && !name.hasSuffix(".new") {
      paths +=
        try site.json(name)["notices"]?.arrayValue?.compactMap {
          $0["details"]?["path"]?.stringValue
        } ?? []
    }
    #expect(paths.sorted() == names.sorted())
  }

  @Test func `mail is a proper message whatever the file is called`() throws {
    let site = try site(#"{ "on": "quarantined", "mail": ["ada@example.org", "root"] }"#)
    try site.place.write("#!/bin/sh\necho \"$*\" > arguments\ncat > mail\n", to: "sendmail")
    try #require(chmod(site.place("sendmail").string, 0o755) == 0)
    let name = "Grüße\nBcc: eve@example.org\n\nhello.bin"
    try site.place.write("\u{1}\u{2}\u{3}", to: "inbox/\(name)")
    let result = try Programs.run(
      "procd", ["run", "--once"], in: site.place.path,
      environment: ["PROCD_SENDMAIL": site.place("sendmail").string])
    #expect(result.status == 65, "\(result.errors)")
    #expect(site.place.read("arguments") == Data("-t -i\n".utf8))
    let parse = """
      import email, email.policy, sys
      mail = email.message_from_binary_file(open("mail", "rb"), policy=email.policy.default)
      assert mail.keys() == ["To", "Subject", "Date", "Message-ID", "Auto-Submitted",
        "MIME-Version", "Content-Type", "Content-Transfer-Encoding"], mail.keys()
      assert not mail.defects, mail.defects
      print(mail["To"], "|", mail["Date"].datetime.year, "|", mail.get_content().split("[")[-1])
      """
    let parsed = try Programs.run(
      try #require(Programs.find("python3")), ["-c", parse], in: site.place.path)
    #expect(parsed.status == 0, "\(parsed.errors)")
    #expect(parsed.output.hasPrefix("ada@example.org, root | 20"), "\(parsed.output)")
    #expect(parsed.output.contains("route.unmatched]"))
  }

  @Test func `a target that fails is shown, and the log needs nothing`() throws {
    let site = try site(
      """
      { "on": "quarantined", "command": ["./missing"] }, { "on": "quarantined", "log": true }
      """)
    #expect(try site.run("check").errors.contains("env.command"))
    try site.place.write("\u{1}\u{2}\u{3}", to: "inbox/bad.bin")
    let result = try site.run("run", "--once")
    #expect(result.status == 65)
    #expect(result.errors.contains("bad.bin went to quarantine\n"), "\(result.errors)")
    let status = try site.run("status").output
    #expect(status.contains("failed once"), "\(status)")
    #expect(status.contains("1 waiting"), "\(status)")
  }
}
