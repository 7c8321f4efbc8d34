import Bytes
import Testing

@Suite struct XMLTagBoundsTests {
  /// Whether a document may be read, in pieces of every size.
  private func allows(_ document: String) -> Bool {
    let bytes = Array(document.utf8)
    let answers = [1, 2, 3, 7, bytes.count].map { size in
      var bounds = XMLTagBounds(mostBytes: 40, mostAttributes: 3)
      return stride(from: 0, to: bytes.count, by: max(1, size)).allSatisfy { start in
        bounds.allow(bytes[start..<min(bytes.count, start + size)])
      }
    }
    #expect(Set(answers).count == 1, "\(document)")
    return answers[0]
  }

  private let long = String(repeating: "x", count: 50)
  private let many = (0..<4).map { " a\($0)=''" }.joined()

  @Test func `a tag has so many bytes and attributes at most`() {
    #expect(allows("<a><b x='1' y=\"2\" z='>'/></a>"))
    #expect(!allows("<a \(long)>") && !allows("<a b='\(long)'/>") && !allows("<a b='>\(long)'/>"))
    #expect(!allows("<a\(many)/>") && !allows("<\(long)") && !allows("</\(long)>"))
    #expect(!allows("<a b='1' c=\"'\" d='\"' e='>'>"))
  }

  @Test(arguments: [
    "<!-- ' < \" --> ", "<!--> <a ' -->", "<!---->", "<![CDATA[ <a '> ]] > ]]>", "<![CDATA[]]]>",
    "<?x ' <a >?>", "<?x??>", "<!DOCTYPE tv [<!ENTITY a \"> <!-- '\"> <!-- it's --> <?y '?>]>",
    "it's \" > ", "<a b='",
  ])
  func `what is no tag hides none behind it`(begin: String) {
    #expect(allows("\(begin)<a>\(long)\(many)</a>"))
    #expect(!allows("\(begin)<a\(many)>") && !allows("\(begin)<a \(long)>"))
  }

  @Test func `texts that are no tags have any length`() {
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?x ", "?>"), ("<!X \"", "\">")] {
      #expect(allows("<a>\(begin)\(long)\(long)\(many)\(end)</a>"))
    }
  }
}
