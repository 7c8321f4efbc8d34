import Crypto
import Pipelines

/// Looks into a folder of a server.
struct ListingRun {
  let request: NetRequest.Fetch

  /// The files of the folder, without other folders and links, and without what begins with a dot.
  ///
  /// Names and lines of `ls -l` are asked for one after the other: what a line holds besides the name is
  /// for people and each server's own affair (RFC 959, 4.1.3), but where a name stands it ends the line.
  func run() throws(NetAnswer.Failure) -> [NetAnswer.Listed] {
    let address = try Address(request.url)
    if address.scheme == .imaps { return try mails(of: address) }
    guard !address.isWeb, address.path.hasSuffix("/") else {
      throw NetAnswer.Failure("net.url", "folders are listed by sftp, ftps and ftpes")
    }
    let names = try lines(of: address, areNames: true).map { line in
      line.lastIndex(of: UInt8(ascii: "/")).map { line[($0 + 1)...] } ?? line[...]
    }
    return Listing.files(
      names: names.map(Array.init), lines: try lines(of: address, areNames: false))
  }

  private func lines(
    of address: Address, areNames: Bool
  ) throws(NetAnswer.Failure) -> [[UInt8]] {
    try lines(
      of: address, asking: FileQuestion(login: request.login, listsNames: areNames))
  }

  /// The mails of a mailbox, the oldest first.
  private func mails(of address: Address) throws(NetAnswer.Failure) -> [NetAnswer.Listed] {
    var question = FileQuestion(login: request.login)
    question.command = "UID FETCH 1:* (UID RFC822.SIZE)"
    return try Listing.mails(lines: try lines(of: address, asking: question))
  }

  private func lines(
    of address: Address, asking question: FileQuestion
  ) throws(NetAnswer.Failure) -> [[UInt8]] {
    let text = ListingText(host: address.host)
    let exchange = try Exchange(address, request.bounds, for: text)
    try exchange.run(question)
    // By SFTP, libcurl hands out an entry at a time, so that names may have ends of lines in them.
    if address.scheme == .sftp {
      return text.pieces.map { Array($0.last == 0x0A ? $0.dropLast() : $0[...]) }
    }
    return text.pieces.joined().split { $0 == 0x0A }.map { line in
      Array(line.last == 0x0D ? line.dropLast() : line)
    }
  }
}

/// What the text of a listing says of files.
enum Listing {
  static func files(names: [[UInt8]], lines: [[UInt8]]) -> [NetAnswer.Listed] {
    let names = Set(names)
    var marks: [[UInt8]: String] = [:], others: Set<[UInt8]> = []
    for line in lines {
      let isLink = line.first == UInt8(ascii: "l")
      let end = isLink ? line.firstRange(of: Array(" -> ".utf8))?.lowerBound : nil
      let shown = line[..<(end ?? line.count)]
      guard let start = start(ofNameIn: shown, names) else { continue }
      let fields = shown[..<start], name = Array(shown[start...])
      let isFile =
        !isLink && !"dbcps".utf8.contains(line[0])
        && fields.firstRange(of: Array("<DIR>".utf8)) == nil
      if isFile { marks[name] = mark(fields) } else { others.insert(name) }
    }
    return names.filter { !others.contains($0) && $0.first != UInt8(ascii: ".") && !$0.isEmpty }
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { name in
        NetAnswer.Listed(
          path: encoded(name), name: String(decoding: name, as: UTF8.self), mark: marks[name])
      }
  }

  /// What a server of mail says of a mailbox and its mails (RFC 9051, 6.3.2 and 7.5.2). A mail never changes, and is
  /// known by its number for as long as the mailbox has the same validity.
  static func mails(lines: [[UInt8]]) throws(NetAnswer.Failure) -> [NetAnswer.Listed] {
    var validity: Int?
    var mails: [Int: Int] = [:]
    for line in lines where line.first == UInt8(ascii: "*") {
      let words = String(decoding: line, as: UTF8.self).uppercased()
        .split { " ()[]".contains($0) }.map(String.init)
      func number(after word: String) -> Int? {
        words.firstIndex(of: word).flatMap {
          words.indices.contains($0 + 1) ? Int(words[$0 + 1]) : nil
        }
      }
      if let told = number(after: "UIDVALIDITY") { validity = told }
      guard words.count > 2, words[2] == "FETCH", let mail = number(after: "UID"), mail > 0,
        let size = number(after: "RFC822.SIZE")
      else { continue }
      mails[mail] = size
    }
    guard let validity else {
      throw NetAnswer.Failure("net.http", "the server does not say which mailbox this is")
    }
    return mails.sorted { $0.key < $1.key }.map { mail, size in
      NetAnswer.Listed(
        path: ";UIDVALIDITY=\(validity)/;UID=\(mail)", name: "\(mail).eml", mark: "\(size)")
    }
  }

  /// A name may have blanks: the longest one counts.
  private static func start(ofNameIn line: ArraySlice<UInt8>, _ names: Set<[UInt8]>) -> Int? {
    line.indices.first { index in
      line[index] == UInt8(ascii: " ") && names.contains(Array(line[(index + 1)...]))
    }.map { $0 + 1 }
  }

  private static func mark(_ fields: ArraySlice<UInt8>) -> String {
    SHA256.hash(data: Array(fields)).prefix(8)
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// RFC 3986, 2.3: what is not unreserved is encoded.
  private static func encoded(_ name: [UInt8]) -> String {
    name.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        String(UnicodeScalar(byte))
      default:
        "%" + String(byte >> 4, radix: 16, uppercase: true)
          + String(byte & 15, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

private final class ListingText: BodyReceiver {
  private let host: String
  /// As they came.
  private(set) var pieces: [[UInt8]] = []
  private var count = 0
  private static let limit = 4 << 20

  init(host: String) { self.host = host }

  func begin(_ head: Exchange) -> Bool { true }

  func take(_ bytes: [UInt8]) throws(NetAnswer.Failure) {
    pieces.append(bytes)
    count += bytes.count
    guard count <= Self.limit else {
      throw NetAnswer.Failure(
        "net.large", "the folder at \(host) has more files than procd asks for; take some away")
    }
  }

  var broken: NetAnswer.Failure {
    NetAnswer.Failure("net.broken", "the listing of the folder broke off", isPassing: true)
  }
}
