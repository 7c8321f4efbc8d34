package import PluginKit

/// A text of the document that names may hold: `{text:NAME}`.
package struct NamedText: Sendable, Equatable {
  package var name: String
  /// Where it is looked for, of several the first that exists; empty for the first text or PDF that is
  /// emitted.
  package var from: [Reference]
  /// What is asked of the step `probe.find`: pages, regex, date, names.
  package var question: JSON
  /// What stands for it where it is not found.
  package var otherwise: String

  /// Whether it is written as YYYY-MM-DD, so that its parts have names too.
  package var isDate: Bool { question["date"]?.stringValue != nil }

  /// The places of names that it fills.
  package var placeholders: [String] {
    let place = "text:\(name)"
    return isDate ? [place, "\(place).yyyy", "\(place).mm", "\(place).dd"] : [place]
  }

  /// What the places stand for.
  ///
  /// - Parameter found: nil where the document does not have it.
  package func values(_ found: String?) -> [String: String] {
    let text = found ?? otherwise
    var values = ["text:\(name)": text]
    guard isDate else { return values }
    let parts = found?.split(separator: "-").map(String.init) ?? []
    for (index, part) in ["yyyy", "mm", "dd"].enumerated() {
      values["text:\(name).\(part)"] = parts.count == 3 ? parts[index] : otherwise
    }
    return values
  }
}

extension ConfigurationShape {
  static let namedText = ObjectShape(
    "named text",
    [
      Field(
        "regex", .regex,
        "The expression; its first group is the text, or all that it matches. May be left out with"
          + " date"),
      Field(
        "date", .oneOf(["dmy", "mdy", "ymd"]),
        "It is a date, written as YYYY-MM-DD; how dates of digits are meant that could be two"),
      Field(
        "names", .map(.regex),
        "It is one of these names, such as those of senders: the one whose words, or expression, come first on the page;"
          + " case does not matter"),
      Field("pages", .text, "Which pages: 1, 1-3, 2-5,9 or all", byDefault: "1"),
      Field(
        "in", .oneOrMany(.text),
        "Where: source or STEP.ROLE, a PDF or text; of a list the first that exists. The first such"
          + " result that is emitted when left out"),
      Field("else", .string, "What stands for it where it is not found", byDefault: "unknown"),
    ])
}

extension MeaningReader {
  mutating func namedTexts(_ node: JSONNode?, steps: [KnownStep]) -> [NamedText] {
    (node?.members ?? []).compactMap { member in
      let entry = member.value
      guard !isFaulty(entry), let pages = pages(of: entry) else { return nil }
      if !Shape.isIdentifier(member.name) {
        complain(
          "text.name", "\"\(member.name)\" is no name for a text", at: member.nameRange,
          hint: "letters, digits, - and _")
      }
      if entry["regex"] == nil, entry["date"] == nil, entry["names"] == nil {
        complain(
          "text.empty", "\"\(member.name)\" says neither \"regex\" nor \"date\" nor \"names\"",
          at: entry.range,
          hint: "\"regex\" finds a text, \"date\" the first date, \"names\" one of several names")
      } else if let names = entry["names"], entry["regex"] != nil || entry["date"] != nil {
        complain(
          "text.two", "\"names\" needs neither \"regex\" nor \"date\" beside it", at: names.range,
          hint: "make two texts of it")
      }
      var from: [Reference] = []
      if let places = entry["in"] { from = inputs(places, steps: steps).flatMap(\.from) }
      return NamedText(
        name: member.name, from: from,
        question: [
          "pages": .string(pages.description), "regex": entry["regex"]?.value,
          "date": entry["date"]?.value, "names": entry["names"]?.value,
        ], otherwise: entry["else"]?.value.stringValue ?? "unknown")
    }
  }
}
