/// Whether the first bytes are what was asked for: an error page is no list, whatever its status says.
struct ContentJudge: Sendable {
  /// Whether address or server announce a PDF.
  private let isAnnounced: Bool
  private let wasPDF: Bool

  /// - Parameters:
  ///   - wasPDF: whether a PDF came from there before; then a web page is none, though address and
  ///     server announce nothing.
  ///   - path: of the address that gave the file.
  ///   - name: what the server calls it.
  ///   - type: the media type it gives.
  init(wasPDF: Bool, path: String, name: String?, type: String?) {
    let kind = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    self.wasPDF = wasPDF
    isAnnounced =
      path.lowercased().hasSuffix(".pdf") || kind == "application/pdf"
      || name?.lowercased().hasSuffix(".pdf") == true
  }

  /// Whether a PDF begins here. As readers do, some bytes before its mark are let pass.
  func isPDF(_ beginning: [UInt8]) -> Bool {
    beginning.firstRange(of: Array("%PDF-".utf8)) != nil
  }

  /// Why the file is not taken; nil where it is.
  func complaint(about beginning: [UInt8]) -> String? {
    guard isAnnounced || wasPDF, !isPDF(beginning) else { return nil }
    let start = String(decoding: beginning.prefix(512), as: UTF8.self).lowercased()
    if start.contains("<html") || start.contains("<!doctype html") {
      return "the server sent a web page instead of a PDF"
    }
    return isAnnounced ? "what the server sent is no PDF" : nil
  }

  static func hasEndMark(_ ending: [UInt8]) -> Bool {
    ending.firstRange(of: Array("%%EOF".utf8)) != nil
  }
}
