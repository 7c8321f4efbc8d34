internal import PluginKit

/// Which barcodes part the documents of a stack, and what the pages between them are.
struct Separators {
  /// What the whole text of such a barcode matches.
  private let pattern: Regex<AnyRegexOutput>
  /// Whether a page with such a barcode is the first one of its document; else it is in none.
  private let keepsPages: Bool
  /// Whether the text of a barcode says something of its document: that of usual separator sheets is the same on all.
  let nameDocuments: Bool

  /// `PATCHT` stands on the sheets of other programs.
  static let usual = "PATCH-?T|PROCD-SPLIT|SEPARATOR"

  /// - Throws: ``PluginFailure`` with the code `option.pattern` where the expression is none.
  init(pattern: String, keepsPages: Bool) throws(PluginFailure) {
    do { self.pattern = try Regex(pattern).ignoresCase() } catch {
      throw PluginFailure(
        .options, "option.pattern", "\"\(pattern)\" cannot be read as a regular expression")
    }
    self.keepsPages = keepsPages
    nameDocuments = keepsPages || pattern != Self.usual
  }

  /// The document that some pages of a stack are.
  struct Document: Equatable {
    /// From 0, in order.
    var pages: [Int]
    /// The text of the barcode that it begins with; nil for what stands before the first one.
    var barcode: String?
  }

  /// The first of some texts that parts documents.
  func separator(among texts: [String]) -> String? {
    // A match that fails for its own reasons is none.
    texts.first { (try? pattern.wholeMatch(in: $0)) != nil }
  }

  /// The documents of a stack, by the barcode of each page that parts them.
  func documents(_ barcodes: [String?]) -> [Document] {
    var documents = [Document(pages: [])]
    for (page, barcode) in barcodes.enumerated() {
      if let barcode {
        documents.append(Document(pages: keepsPages ? [page] : [], barcode: barcode))
      } else {
        documents[documents.count - 1].pages.append(page)
      }
    }
    return documents.filter { !$0.pages.isEmpty }
  }
}
