import Pipelines
import SystemPackage
import Testing

@Suite struct HostileTemplateTests {
  /// An accent upon a slash makes one Character of both, which is no "/", and to the kernel still is one.
  @Test(arguments: [
    "../\u{301}", "..", "/", "/\u{301}etc", "a/\u{308}b", "\u{301}/..", ".", "../../../up",
    "/\u{200D}/..",
    "..\u{301}/..", "\u{301}", "",
  ])
  func `what fills a name makes no folder and leaves none`(text: String) {
    for template in ["mail/{x}", "{x}", "{x}/{x}", "a{x}b/{x}c", "{x}./x", ".{x}/x"] {
      let filled = NameTemplate(template).filled(["x": text])
      let wanted = template.unicodeScalars.count { $0 == "/" }
      #expect(filled.unicodeScalars.count { $0 == "/" } == wanted, "\(template): \(filled)")
      for component in FilePath("base/" + filled).components {
        #expect(component.kind == .regular, "\(template): \(filled)")
      }
    }
  }
}
