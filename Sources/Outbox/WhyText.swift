package import Pipelines
internal import PlainText
internal import PluginKit

/// The note for people beside a quarantined file: what happened, where, and what to do.
package enum WhyText {
  package static func text(of report: Report) -> String {
    guard let error = report.error else { return "" }
    var lines = ["\(report.source.name) was not processed.", ""]
    let page = error.page.map { " (page \($0))" } ?? ""
    lines.append("What happened\(page): \(sentence(error.message))")
    if let hint = error.hint { lines.append("What to do: \(sentence(hint))") }
    lines += report.notes.prefix(3).map { "Also: \(sentence($0))" }
    let what = report.source.companions.isEmpty ? "it" : "its files"
    lines += [
      "",
      "To try it again, move \(what) back into the inbox or run procd retry with its name; it is then treated as a new file.",
      "",
      "Code: \(error.code) (\(error.class.rawValue))",
    ]
    if let pipeline = report.pipeline { lines.append("Pipeline: \(pipeline)") }
    lines.append("Job: \(report.job)")
    // What steps and names say keeps to its line: none can pass for one of ours.
    return lines.map(\.plain).joined(separator: "\n") + "\n"
  }

  private static func sentence(_ text: String) -> String {
    let trimmed = text.last == "." ? String(text.dropLast()) : text
    // What begins with the name of a file, a step or an option stays as it is called.
    let first = trimmed.prefix { $0 != " " }
    let isName = first.contains { "./_-\"".contains($0) || $0.isNumber || $0.isUppercase }
    return (isName ? trimmed : trimmed.prefix(1).uppercased() + trimmed.dropFirst()) + "."
  }
}
