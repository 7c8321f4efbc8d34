import Pipelines
import Testing

@testable import procd_net

@Suite struct HeaderTests {
  @Test func `dates are read in all three forms`() {
    for text in [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ] {
      #expect(HeaderFields.seconds(ofDate: text) == 784_111_777, "\(text)")
    }
    #expect(HeaderFields.seconds(ofDate: "Thu, 29 Feb 2024 00:00:00 GMT") == 1_709_164_800)
    #expect(HeaderFields.seconds(ofDate: "Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    for text in [
      "", "yesterday", "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, 99 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "1 2 3 4 5 6", "a:b:c d e f g",
    ] {
      #expect(HeaderFields.seconds(ofDate: text) == nil, "\(text)")
    }
  }

  @Test func `ranges are read, and nonsense is none`() {
    #expect(
      HeaderFields.contentRange("bytes 5-9/10") == .init(first: 5, last: 9, total: 10))
    #expect(HeaderFields.contentRange("bytes 5-9/*") == .init(first: 5, last: 9, total: nil))
    for text in [
      "", "bytes", "bytes 9-5/10", "bytes 5-9/9", "bytes */10", "bytes -5-9/10",
      "bytes 1-99999999999999999999/5", "pages 1-2/3",
    ] {
      #expect(HeaderFields.contentRange(text) == nil, "\(text)")
    }
  }

  @Test func `names are read as servers give them`() {
    for (text, name) in [
      ("attachment; filename=list.pdf", "list.pdf"),
      ("attachment; filename=\"a \\\"b\\\"; c.pdf\"; x=y", "a \"b\"; c.pdf"),
      ("inline; FileName*=UTF-8'de'Gr%C3%BC%C3%9Fe.pdf; filename=\"x.pdf\"", "Grüße.pdf"),
      ("attachment; filename*=UTF-8''%FF; filename=plain.pdf", "plain.pdf"),
      ("attachment;filename = list.pdf ", "list.pdf"),
    ] {
      #expect(HeaderFields.fileName(ofDisposition: text) == name, "\(text)")
    }
    for text in ["", "attachment", "attachment; filename", ";;;", "attachment; filename*=x"] {
      #expect(HeaderFields.fileName(ofDisposition: text) == nil, "\(text)")
    }
  }

  @Test func `an error page is no PDF, whatever its status and name say`() {
    let page = Array("<!DOCTYPE html><html>".utf8), pdf = Array("%PDF-1.7".utf8)
    func judge(_ path: String, type: String?, name: String? = nil, was: Bool = false)
      -> ContentJudge
    {
      ContentJudge(wasPDF: was, path: path, name: name, type: type)
    }
    #expect(judge("/list.PDF", type: "text/html").complaint(about: page) != nil)
    #expect(judge("/x", type: "Application/PDF; a=b").complaint(about: page) != nil)
    #expect(judge("/x", type: nil, name: "a.pdf").complaint(about: page) != nil)
    #expect(judge("/x", type: "text/html", was: true).complaint(about: page) != nil)
    #expect(judge("/x", type: "text/html").complaint(about: page) == nil)
    #expect(judge("/list.pdf", type: "text/html").complaint(about: pdf) == nil)
    #expect(judge("/list.pdf", type: nil).complaint(about: []) != nil)
    #expect(judge("/x", type: "text/csv", was: true).complaint(about: Array("1,2".utf8)) == nil)
  }

  /// The example of the Standard Webhooks specification's libraries.
  @Test func `messages are signed as receivers expect`() {
    var post = NetRequest.Post(
      url: "https://a/", type: "application/json", body: #"{"test": 2432232314}"#,
      key: "msg_p5jXN8AQM9LWM0D4loKWxJek")
    post.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"
    let fields = Signature.fields(of: post, at: 1_614_265_330)
    #expect(fields.map(\.0) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    #expect(fields.last?.1 == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    post.secret = nil
    #expect(Signature.fields(of: post, at: 1).count == 2)
  }

  @Test func `servers may ask to wait in seconds or until a date`() {
    #expect(Failures.retryAfter("120", now: 0) == 120)
    #expect(Failures.retryAfter("-1", now: 0) == 0)
    #expect(Failures.retryAfter("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_700) == 77)
    #expect(Failures.retryAfter("soon", now: 0) == nil)
    #expect(Failures.retryAfter(nil, now: 0) == nil)
  }
}
