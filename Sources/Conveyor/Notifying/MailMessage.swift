internal import Bytes
internal import FoundationEssentials
internal import Notices
internal import Pipelines

/// A message as mail (RFC 5322), as sendmail takes it. Nothing of what is told can become a header:
/// whatever is not plain is encoded, and the configuration takes only addresses that are ones.
enum MailMessage {
  static func text(_ message: NoticeMessage, to recipients: [String], at now: Int64) -> String {
    let headers = [
      "To: " + recipients.joined(separator: ",\r\n "), "Subject: " + encoded(message.subject),
      "Date: " + CalendarDate.inMail(secondsSince1970: Int(now / 1000)),
      "Message-ID: <\(message.id)@procd.invalid>",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
    ]
    // Lines end as mail wants them inside the encoded text too.
    let lines = message.whole.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != "\r" && $0 != "\r\n" } }
    let wrapped = wrap(base64(lines.joined(separator: "\r\n") + "\r\n"), at: 76)
    // sendmail reads lines as this system ends them.
    return (headers.joined(separator: "\r\n") + "\r\n\r\n" + wrapped + "\r\n")
      .replacing("\r\n", with: "\n")
  }

  /// A header's text: as it is where it is plain, else in encoded words (RFC 2047).
  static func encoded(_ text: String) -> String {
    let isPlain =
      text.utf8.count <= 60 && !text.contains("=?")
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    if isPlain { return text }
    var words: [String] = [], piece = ""
    for character in text.unicodeScalars.prefix(200) {
      // 39 bytes make 52 characters, which leaves room for the marks and the field's name.
      if piece.utf8.count + UTF8.width(character) > 39 {
        words.append(piece)
        piece = ""
      }
      piece.unicodeScalars.append(character)
    }
    words.append(piece)
    return words.map { "=?utf-8?B?\(base64($0))?=" }.joined(separator: "\r\n ")
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }

  private static func wrap(_ text: String, at width: Int) -> String {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: width).map {
      String(decoding: bytes[$0..<min($0 + width, bytes.count)], as: UTF8.self)
    }.joined(separator: "\r\n")
  }
}
