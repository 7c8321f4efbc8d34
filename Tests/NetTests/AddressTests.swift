import Glibc
import Pipelines
import Testing

@testable import procd_net

@Suite struct AddressTests {
  private func address(_ text: String) throws -> NetworkAddress {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      return try #require(NetworkAddress(bytes: Array(bytes[..<4])))
    }
    try #require(inet_pton(AF_INET6, text, &bytes) == 1, "\(text)")
    return try #require(NetworkAddress(bytes: bytes))
  }

  @Test(arguments: [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
    "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2002:7f00:1::1", "2002:c0a8:101::", "100::1", "2001::1", "2001:db8::1", "fc00::1",
    "fd12::1", "fe80::1", "fec0::1", "ff02::1", "3fff::1", "4000::1",
  ])
  func `these are not everybody's`(text: String) throws {
    #expect(try address(text).isPublic == false)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1",
    "192.167.0.1", "198.17.0.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::808:808",
    "2002:808:808::1", "2001:4860:4860::8888", "2606:4700::1111",
  ])
  func `these are`(text: String) throws { #expect(try address(text).isPublic) }

  @Test func `an address is written so that it is read as the same`() throws {
    for text in ["127.0.0.1", "2001:4860:4860::8888", "::ffff:10.0.0.1"] {
      let first = try address(text)
      #expect(try address(first.text) == first)
    }
  }

  @Test func `only http and https without passwords are asked, and nothing leads down`() throws {
    for text in ["file:///etc/passwd", "ftp://a/b", "", "a.pdf", "http://user:word@a/b"] {
      #expect(throws: NetAnswer.Failure.self) { try Address(text) }
    }
    let safe = try Address("https://a.example/lists/x.pdf?y=1")
    #expect(try safe.redirect(to: "../z.pdf").text == "https://a.example/z.pdf")
    #expect(try safe.redirect(to: "//b.example/").text == "https://b.example/")
    for place in ["http://a.example/", "javascript:alert(1)", nil] {
      #expect(throws: NetAnswer.Failure.self) { try safe.redirect(to: place) }
    }
  }

  @Test func `servers of files may have a user, who is not part of what libcurl is given`() throws {
    let address = try Address("sftp://a%40b@host.example/~/out/")
    #expect(address.user == "a@b" && address.text == "sftp://host.example/~/out/")
    #expect(address.port == "22" && address.isSafe && !address.isWeb)
    let later = try Address("ftpes://ada@host.example/x")
    #expect(later.scheme == .ftpes && later.text == "ftp://host.example/x" && later.port == "21")
    for text in ["ftp://a/b", "sftp://u:w@a/b", "scp://u@a/b"] {
      #expect(throws: NetAnswer.Failure.self) { try Address(text) }
    }
  }

  @Test func `the mails of a mailbox are read by their numbers, nonsense among them is not`() throws
  {
    func mails(_ lines: [String]) throws -> [String] {
      try Listing.mails(lines: lines.map { Array($0.utf8) }).map {
        "\($0.name) \($0.path) \($0.mark ?? "-")"
      }
    }
    #expect(
      try mails([
        "* OK [UIDVALIDITY 77] UIDs valid", "* 2 FETCH (RFC822.SIZE 10 UID 12)",
        "* 1 fetch (uid 3 rfc822.size 5)", "* 3 FETCH (UID 4)", "* 3 FETCH (UID x RFC822.SIZE 1)",
        "* 9 FETCH (UID -1 RFC822.SIZE 1)", "* 9 FETCH (UID 99999999999999999999 RFC822.SIZE 1)",
        "* FETCH", "*", "", "A3 OK FETCH (UID 8 RFC822.SIZE 1)", "* 4 FETCH (UID",
      ]) == [
        "3.eml ;UIDVALIDITY=77/;UID=3 5", "12.eml ;UIDVALIDITY=77/;UID=12 10",
      ])
    #expect(throws: NetAnswer.Failure.self) { try mails(["* 2 FETCH (RFC822.SIZE 10 UID 12)"]) }
    let address = try Address("imaps://a%40b@host.example/INBOX;UIDVALIDITY=77/;UID=12")
    #expect(address.user == "a@b" && address.port == "993")
  }

  @Test func `a listing is read by its names, whatever else stands in its lines`() {
    func listed(_ names: [String], _ lines: [String]) -> [String] {
      Listing.files(names: names.map { Array($0.utf8) }, lines: lines.map { Array($0.utf8) })
        .map { "\($0.path) \($0.mark == nil ? "-" : "m")" }
    }
    let names = ["a b", "b", "dir", "link", ".x", "..", "ä", "unseen", ""]
    #expect(
      listed(
        names,
        [
          "total 12", "-rw-r--r-- 1 a name with blanks 5 Jun 15 10:00 a b", "",
          "-rw-r--r-- 1 ada ada 5 Jun 15 10:00 b", "drwxr-xr-x 2 a a 9 Jun 1 2012 dir",
          "lrwxrwxrwx 1 a a 9 Jun 1 2012 link -> b", "06-15-12 10:00AM 5 ä",
        ]) == ["a%20b m", "b m", "unseen -", "%C3%A4 m"])
    #expect(listed(["d"], ["06-15-12  10:00AM  <DIR>  d"]) == [])
    let small = "-rw-r--r-- 1 ada ada 5 Jun 15 10:00 b", large = small.replacing(" 5 ", with: " 6 ")
    func mark(_ line: String) -> String? {
      Listing.files(names: [Array("b".utf8)], lines: [Array(line.utf8)]).first?.mark
    }
    #expect(mark(small) == mark(small) && mark(small) != mark(large))
  }

  @Test func `an address is read once, for what is looked up and for what is asked`() throws {
    // libcurl takes letters for those of the locale.
    _ = setlocale(LC_CTYPE, "C.UTF-8")
    for (text, host, port) in [
      ("HTTP://127.1/", "127.0.0.1", "80"), ("https://[2001:db8::1]:8443/x", "2001:db8::1", "8443"),
      ("http://2130706433:81", "127.0.0.1", "81"),
      ("https://Bücher.example/", "xn--bcher-kva.example", "443"),
    ] {
      let address = try Address(text)
      #expect((address.host, address.port) == (host, port), "\(text)")
    }
    #expect(try Address("http://a/b c/ü?d e").text == "http://a/b%20c/%c3%bc?d%20e")
    for text in ["http://a:99999/", "http://a\\b/", "http://[::1", "http://", "http://a\nb/"] {
      #expect(throws: NetAnswer.Failure.self) { try Address(text) }
    }
  }
}
