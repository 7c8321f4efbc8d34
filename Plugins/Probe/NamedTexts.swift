internal import Bytes
internal import Dates
internal import PDFSyntax
internal import PDFText
internal import PluginKit
internal import TableText

/// Finds the texts of a document that its results are named by.
struct NamedTexts {
  /// By name: pages, regex, date, names.
  let questions: JSON
  let limits: StepLimits

  /// Names are no longer than this; what is left over says no more.
  private static let mostCharacters = 80
  /// No more of a page than this is searched, in characters.
  private static let mostOfPage = 200_000

  /// What was found, by name.
  func find(in file: consuming MappedFile) throws(PluginFailure) -> JSON {
    var pages = DocumentPages(file, limits)
    var found: JSON = [:]
    for member in questions.members ?? [] {
      let (name, question) = (member.name, member.value)
      let wanted = try pageSelection(question["pages"]?.stringValue)
      let order = question["date"]?.stringValue.flatMap(DateOrder.init)
      let regex = try question["regex"]?.stringValue.map {
        text throws(PluginFailure) in
        try expression(text).anchorsMatchLineEndings()
      }
      let names = try (question["names"]?.members ?? []).map {
        member throws(PluginFailure) in
        (name: member.name, pattern: try expression("(?i)" + (member.value.stringValue ?? "")))
      }
      for index in 0..<pages.count where wanted.contains(index + 1) {
        let page = pages.text(index)
        let text =
          names.isEmpty ? Self.text(in: page, regex, order) : Self.firstName(in: page, names)
        if let text {
          found = found.setting(name, .string(text))
          break
        }
      }
    }
    return found
  }

  /// Returns the name whose expression matches first on a page, or nil if none does.
  private static func firstName(
    in page: String, _ names: [(name: String, pattern: TextPattern)]
  ) -> String? {
    let page = String(page.prefix(mostOfPage))
    return names.compactMap { name, pattern in
      pattern.firstMatch(in: page).map { (name: name, start: $0.whole.startIndex) }
    }.min { $0.start < $1.start }.map { named($0.name) }
  }

  private static func text(
    in page: String, _ regex: TextPattern?, _ order: DateOrder?
  ) -> String? {
    let page = String(page.prefix(mostOfPage))
    guard let regex else { return order.flatMap { DateInText.first(in: page, order: $0) } }
    guard let match = regex.firstMatch(in: page) else { return nil }
    let text = named(String(match.groups.compactMap(\.self).first ?? match.whole))
    guard let order else { return text.isEmpty ? nil : text }
    return DateInText.iso(text, order: order) ?? DateInText.first(in: text, order: order)
  }

  /// One line without what no name should hold.
  private static func named(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      guard
        let folded = FoldedText.folded(
          scalar, behind: plain.last, before: scalars.dropFirst(place + 1).first)
      else { continue }
      switch scalar.properties.generalCategory {
      case .format: plain.append(scalar == "\u{AD}" ? folded : " ")
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: plain.append(" ")
      default: plain.append(scalar)
      }
    }
    return String(
      String(plain).split(separator: " ", omittingEmptySubsequences: true)
        .joined(separator: " ")
        .prefix(mostCharacters))
  }
}
