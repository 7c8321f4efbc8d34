/// Whether the first bytes are what was asked for: an error page is no list, whatever its status says.
struct ContentJudge: Sendable {
  private let wantsPDF: Bool

  /// - Parameters:
  ///   - wantsPDF: whether only a PDF is meant, whatever address and server say.
  ///   - path: of the address that gave the file.
  ///   - name: what the server calls it.
  ///   - type: the media type it gives.
  init(wantsPDF: Bool, path: String, name: String?, type: String?) {
    let kind = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    self.wantsPDF =
      wantsPDF || path.lowercased().hasSuffix(".pdf") || kind == "application/pdf"
      || name?.lowercased().hasSuffix(".pdf") == true
  }

  /// Whether a PDF begins here. As readers do, some bytes before its mark are let pass.
  func isPDF(_ beginning: [UInt8]) -> Bool {
    beginning.firstRange(of: Array("%PDF-".utf8)) != nil
  }

  /// Why the file is not taken; nil where it is.
  func complaint(about beginning: [UInt8]) -> String? {
    guard wantsPDF, !isPDF(beginning) else { return nil }
    let start = String(decoding: beginning.prefix(512), as: UTF8.self).lowercased()
    return start.contains("<html") || start.contains("<!doctype html")
      ? "the server sent a web page instead of a PDF" : "what the server sent is no PDF"
  }

  static func hasEndMark(_ ending: [UInt8]) -> Bool {
    ending.firstRange(of: Array("%%EOF".utf8)) != nil
  }
}
