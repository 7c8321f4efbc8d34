import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Passwords for locked files: from the command line, a file, the environment, and a pipeline's step.
@Suite(.serialized) struct PasswordTests {
  /// A file that qpdf locked with the user password "grün 7".
  private func locked(in folder: TemporaryFolder) throws -> FilePath {
    let plain = folder("plain.pdf")
    try folder.write(Site.pdf("Behind the lock"), to: "plain.pdf")
    let made = try Programs.run(
      "/usr/bin/qpdf",
      [
        "--encrypt", "gr\u{FC}n 7", "owner", "256", "--", plain.string,
        folder("locked.pdf").string,
      ])
    try #require(made.status == 0, "\(made.errors)")
    return folder("locked.pdf")
  }

  @Test func `commands take passwords from arguments, a file and the environment`() throws {
    let folder = TemporaryFolder()
    let file = try locked(in: folder).string
    try folder.write("wrong\n\ngr\u{FC}n 7\r\nother\n", to: "passwords")
    func extract(
      _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> Programs.Result {
      try Programs.run(
        "procd", ["extract"] + arguments + [file], in: folder.path, environment: environment)
    }
    #expect(try extract([]).errors.contains("a password is needed"))
    #expect(try extract(["--password", "gr\u{FC}n 7"]).output == "Behind the lock\n")
    #expect(try extract(["--passwords", "passwords"]).output == "Behind the lock\n")
    try folder.write("\u{FEFF}gr\u{FC}n 7\r\n", to: "marked")
    #expect(try extract(["--passwords", "marked"]).output == "Behind the lock\n")
    let environment = ["PROCD_PASSWORDS": "first\ngr\u{FC}n 7"]
    #expect(try extract([], environment).output == "Behind the lock\n")
    #expect(try extract([]).errors.contains("--passwords names a file"))
    for (arguments, environment) in [
      (["--passwords", "passwords"], [:]), ([], environment), (["--password", "gr\u{FC}n 7"], [:]),
    ] {
      let converted = try Programs.run(
        "procd", ["convert"] + arguments + [file, "--overwrite", "out.txt"], in: folder.path,
        environment: environment)
      #expect(converted.status == 0, "\(converted.errors)")
      #expect(folder.read("out.txt") == Data("Behind the lock\n".utf8))
    }
    // Scanned pages of a locked file are recognized too: what cannot be seen before it is open keeps nothing from it.
    let sample = Programs.repository.appending("docs/samples/report-mixed.pdf").string
    let scanned = folder("scanned.pdf").string
    let made = try Programs.run(
      "/usr/bin/qpdf", ["--encrypt", "gr\u{FC}n 7", "owner", "256", "--", sample, scanned])
    try #require(made.status == 0)
    func words(_ file: String, _ environment: [String: String]) throws -> String {
      try Programs.run(
        "procd", ["convert", file, "-", "--to", "text"], in: folder.path, environment: environment
      ).output
    }
    #expect(try words(scanned, environment) == words(sample, [:]))
    #expect(try words(sample, [:]).count > 600)
    let wrong = try extract(["--password", "grun 7"])
    #expect(wrong.status == 65 && wrong.output == "")
    #expect(wrong.errors.contains("the password is wrong"))
    let missing = try extract(["--passwords", "nowhere"])
    #expect(missing.status == 64)
    #expect(missing.errors.contains("nowhere: there is no such file"))
  }

  private func site(_ place: String) throws -> Site {
    try Site {
      $0.replacing(
        #""use": "pdf.unlock""#,
        with: #""use": "pdf.unlock", "with": { "passwords": \#(place) }"#)
    }
  }

  @Test func `a step takes passwords from a file, and no report knows them`() throws {
    let site = try site(#"{ "file": "secrets/passwords" }"#)
    try site.place.write("something else\ngr\u{FC}n 7\n", to: "secrets/passwords")
    let folder = TemporaryFolder()
    let bytes = try #require(FileManager.default.contents(atPath: locked(in: folder).string))
    try site.place.write(bytes, to: "inbox/letter.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    let text = String(decoding: site.place.read("outbox/letter.txt") ?? Data(), as: UTF8.self)
    #expect(text.contains("Behind the lock"))
    for folder in ["outbox", "spool", "archive"] {
      for name in site.place.files(below: folder) {
        let content = site.place.read("\(folder)/\(name)") ?? Data()
        #expect(content.range(of: Data("gr\u{FC}n 7".utf8)) == nil, "\(folder)/\(name)")
      }
    }
  }

  @Test func `a signature that an unlocked copy loses is told`() throws {
    let site = try site(#"{ "file": "secrets/passwords" }"#)
    try site.place.write("user\n", to: "secrets/passwords")
    for name in ["r6-signed", "r6"] {
      let fixture = Programs.repository.appending("Tests/Fixtures/encrypted/\(name).pdf").string
      let bytes = try #require(FileManager.default.contents(atPath: fixture))
      try site.place.write(bytes, to: "inbox/\(name).pdf")
    }
    #expect(try site.run("run", "--once").status == 0)
    func notes(_ name: String) throws -> String {
      try "\(site.json("outbox/\(name).pdf.report.json")["steps"] ?? .null)"
    }
    #expect(try notes("r6-signed").contains("[unlock.signed]"))
    #expect(try !notes("r6").contains("unlock.signed"))
  }

  @Test func `a secret that is not there is told before anything starts`() throws {
    let site = try site(#"{ "environment": "PROCD_TEST_NOTHING" }"#)
    try site.put(sample: "report-mixed.pdf")
    let checked = try site.run("check")
    #expect(checked.status == 78)
    #expect(checked.errors.contains("error[env.secret]"))
    let result = try site.run("run", "--once")
    #expect(result.status == 78)
    #expect(result.errors.contains("the environment of procd has no PROCD_TEST_NOTHING"))
    #expect(site.place.exists("inbox/report-mixed.pdf"))
  }

  @Test func `a password in the configuration itself is refused`() throws {
    let site = try site(#""letmein""#)
    let result = try site.run("check")
    #expect(result.status == 78)
    #expect(result.errors.contains("secrets do not stand in this file"))
    let both = try self.site(#"{ "file": "a", "environment": "B" }"#).run("check")
    #expect(both.errors.contains("a secret has one place"))
  }
}
