import Foundation
import SystemPackage
import TestSupport
import Testing

/// Sources on servers of files, against OpenSSH and ProFTPD.
@Suite(
  .serialized,
  .enabled(
    if: FileServer.isInstalled,
    "needs openssh-server, proftpd-core and proftpd-mod-crypto: apt-get install them"))
struct FileServerTests {
  private func site(_ source: String) throws -> Site {
    try Site {
      $0.replacing(
        #""pipelines""#, with: #""sources": [{ "id": "bank", \#(source) }], "pipelines""#)
    }
  }

  private func fetch(_ site: Site, _ server: FileServer) throws -> Programs.Result {
    try Programs.run(
      "procd", ["fetch"], in: site.place.path, environment: ["SSL_CERT_FILE": server.certificate])
  }

  private func inbox(_ site: Site) -> [String: Data?] {
    let names = site.place.files(below: "inbox").filter { !$0.hasPrefix(".") }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, site.place.read("inbox/\($0)")) })
  }

  @Test(arguments: ["sftp", "ftps", "ftpes"])
  func `the files of a folder come once each, and again when they change`(
    scheme: String
  ) throws {
    let server = try FileServer(scheme)
    let site = try site(try server.source("out/"))
    let first = Site.pdf("one"), second = Data("two".utf8)
    try server.place.write(first, to: "files/out/list of June.pdf")
    try server.place.write(second, to: "files/out/Prüf%20.txt")
    for other in [".hidden.pdf", "half.pdf.part", "sub/deep.pdf"] {
      try server.place.write("x", to: "files/out/\(other)")
    }
    try server.place.write("", to: "files/out/ready")
    try FileManager.default.createSymbolicLink(
      atPath: server.place("files/out/link.pdf").string, withDestinationPath: "list of June.pdf")
    let day = Date(timeIntervalSince1970: 1_339_754_400)
    try FileManager.default.setAttributes(
      [.modificationDate: day], ofItemAtPath: server.place("files/out/list of June.pdf").string)

    let came = try fetch(site, server)
    #expect(came.status == 0, "\(came.errors)")
    #expect(inbox(site) == ["list of June.pdf": first, "Prüf%20.txt": second], "\(came)")
    let seen = try Programs.modified(site.place("inbox/list of June.pdf").string)
    // FTP and `ls` have no parts of seconds.
    #expect(seen == day)
    #expect(try fetch(site, server).output == "bank: nothing new\n")

    try server.place.write("two and more", to: "files/out/Prüf%20.txt")
    let changed = try fetch(site, server)
    #expect(changed.output.contains("Prüf%20-2.txt is new"), "\(changed)")
    #expect(inbox(site)["Prüf%20-2.txt"] == Data("two and more".utf8))
    // The same content with another time is no news.
    try FileManager.default.setAttributes(
      [.modificationDate: day], ofItemAtPath: server.place("files/out/Prüf%20.txt").string)
    #expect(try fetch(site, server).output == "bank: nothing new\n")
  }

  @Test(arguments: ["sftp", "ftpes"])
  func `a single file comes when it is new, and only its head is looked at otherwise`(
    scheme: String
  ) throws {
    let server = try FileServer(scheme)
    let site = try site(try server.source("list.pdf"))
    let missing = try fetch(site, server)
    #expect(missing.errors.contains("[net.missing]"), "\(missing.errors)")
    try server.place.write(Site.pdf("one"), to: "files/list.pdf")
    #expect(try fetch(site, server).status == 0)
    #expect(inbox(site).values.map(\.self) == [Site.pdf("one")])
    #expect(try fetch(site, server).output == "bank: nothing new\n")
    try server.place.write(Site.pdf("two, longer"), to: "files/list.pdf")
    #expect(try fetch(site, server).status == 0)
    #expect(Set(inbox(site).values) == [Site.pdf("one"), Site.pdf("two, longer")])
  }

  @Test func `names choose, and a file that is being written waits`() throws {
    let server = try FileServer("sftp")
    let site = try site(try server.source("out/", more: #", "name": "LIST*.pdf""#))
    try server.place.write(Site.pdf("one"), to: "files/out/list.pdf")
    try server.place.write("x", to: "files/out/other.pdf")
    let growing = server.place("files/out/list-2.pdf").string
    let writer = try Programs.start(
      "/bin/sh", ["-c", "while :; do echo line >> \(growing); sleep 0.02; done"],
      in: server.place.path)
    defer { writer.signal(SIGKILL) }
    #expect(Programs.wait { FileManager.default.fileExists(atPath: growing) })
    let result = try fetch(site, server)
    #expect(result.status == 0, "\(result.errors)")
    #expect(inbox(site).keys.map(\.self) == ["list.pdf"])
    writer.signal(SIGKILL)
    _ = writer.wait()
    #expect(try fetch(site, server).output.contains("list-2.pdf is new"))
    #expect(inbox(site)["list-2.pdf"] == FileManager.default.contents(atPath: growing))
  }

  @Test func `a download that broke off goes on where it was`() throws {
    let server = try FileServer("sftp")
    let site = try site(try server.source("out/"))
    let whole = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
    try server.place.write(whole, to: "files/out/large")
    let time = Int(
      try #require(try Programs.modified(server.place("files/out/large").string))
        .timeIntervalSince1970)
    // What stands there already is not what the server has, so it shows that it was not asked for again.
    let part = Data(repeating: 0x58, count: 300_000)
    try site.place.write(part, to: "spool/fetch/bank/body")
    try site.place.write(
      #"{"url": "\#(server.url("out/large"))", "validator": "\"400000-\#(time)\"", "total": 400000}"#,
      to: "spool/fetch/bank/partial.json")
    let result = try fetch(site, server)
    #expect(result.status == 0, "\(result.errors)")
    #expect(inbox(site) == ["large": part + whole.dropFirst(300_000)])
  }

  @Test func `a download that was whole already when it broke off comes`() throws {
    let server = try FileServer("sftp")
    let site = try site(try server.source("out/"))
    let whole = Data(repeating: 0x41, count: 5000)
    try server.place.write(whole, to: "files/out/whole")
    let time = Int(
      try #require(try Programs.modified(server.place("files/out/whole").string))
        .timeIntervalSince1970)
    try site.place.write(whole, to: "spool/fetch/bank/body")
    try site.place.write(
      #"{"url": "\#(server.url("out/whole"))", "validator": "\"5000-\#(time)\"", "total": 5000}"#,
      to: "spool/fetch/bank/partial.json")
    let result = try fetch(site, server)
    #expect(result.status == 0, "\(result.errors)")
    #expect(inbox(site) == ["whole": whole])
  }

  @Test func `one file that cannot come holds up no other`() throws {
    let server = try FileServer("sftp")
    let site = try site(try server.source("out/"))
    try server.place.write("a", to: "files/out/b.txt")
    try server.place.write("", to: "files/out/a.bin")
    try #require(truncate(server.place("files/out/a.bin").string, 2 << 30) == 0)
    let result = try fetch(site, server)
    #expect(result.status == 75)
    #expect(result.errors.contains("a.bin: the file is larger"), "\(result.errors)")
    #expect(inbox(site).keys.map(\.self) == ["b.txt"])
  }

  @Test func `files of a folder keep odd names, and one that cannot come is no silence`() throws {
    let server = try FileServer("sftp")
    let site = try site(try server.source("out/"))
    let names = [" a.txt", "-a.txt", "a.txt", "x\\a.txt", "line.txt", "new\nline.txt"]
    for name in names { try server.place.write("of \(name)", to: "files/out/\(name)") }
    let folder = server.place("files/out").string
    _ = try Programs.run(
      "/bin/sh", ["-c", "printf p1 > \(folder)/$(printf 'R\\351chnung.pdf')"], in: server.place.path
    )
    let result = try fetch(site, server)
    #expect(result.status == 0, "\(result.errors)")
    let came = inbox(site)
    #expect(
      Set(came.keys)
        == Set(names).subtracting(["new\nline.txt"]).union(["new_line.txt", "R_chnung.pdf"]))
    #expect(came["a.txt"] == Data("of a.txt".utf8))
    #expect(came["new_line.txt"] == Data("of new\nline.txt".utf8))
    // The server was reached all the same.
    try server.place.write("", to: "files/out/a.bin")
    try #require(truncate(server.place("files/out/a.bin").string, 2 << 30) == 0)
    #expect(try fetch(site, server).status == 75)
    let status = try site.run("status").output
    #expect(status.contains("a.bin: the file is larger") && !status.contains("never"), "\(status)")
  }

  @Test func `a server that is not known gets no login`() throws {
    let server = try FileServer("sftp")
    try server.place.write("x", to: "files/out/a.txt")
    let key = try server.hostKey()
    let other = try Programs.run("/usr/bin/ssh-keygen", ["-lf", server.place("other.pub").string])
      .output.split(separator: " ")[1]
    let unnamed = try fetch(
      try site(try server.source("out/").replacing(/, "hostKey": "[^"]*"/, with: "")), server)
    #expect(unnamed.status == 75)
    #expect(unnamed.errors.contains(#"write "hostKey": "\#(key)""#), "\(unnamed.errors)")
    let changed = try fetch(
      try site(try server.source("out/").replacing(key, with: other)), server)
    #expect(changed.errors.contains("shows another key") && changed.errors.contains(key))
    #expect(!server.log.contains("Accepted publickey"))

    let refused = try fetch(
      try site(
        try server.source("out/").replacing(
          server.place("id").string, with: server.place("other").string)), server)
    #expect(refused.errors.contains("[net.refused]"), "\(refused.errors)")
  }

  @Test func `a server of ftp is believed by its certificate, and asked for no file in the clear`()
    throws
  {
    let server = try FileServer("ftpes")
    try server.place.write("x", to: "files/a.txt")
    let site = try site(try server.source(""))
    let untrusted = try site.run("fetch")
    #expect(untrusted.errors.contains("[net.tls]"), "\(untrusted.errors)")
    try server.place.write("other", to: "password")
    let refused = try fetch(site, server)
    #expect(refused.errors.contains("[net.refused]"), "\(refused.errors)")
    let plain = try self.site(try server.source("").replacing("ftpes:", with: "ftp:"))
    let told = try plain.run("check")
    #expect(told.errors.contains("url.scheme") && told.errors.contains("in the clear"))
  }
}
