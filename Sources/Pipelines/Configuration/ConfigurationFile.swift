package import PluginKit

/// Reads `pipelines.json`: the text, what is wrong with it (all at once), and what it means.
package struct ConfigurationFile: Sendable {
  /// The file's name as messages show it.
  package var name: String
  package var text: [UInt8]
  package private(set) var complaints: [Complaint] = []
  /// What the file means; nil while there are errors.
  package private(set) var configuration: Configuration?
  /// The folders of plugins that it names, also where something else is wrong in it.
  package private(set) var pluginFolders: [String] = []

  /// - Parameter catalog: the steps that exist; nil checks the file alone.
  package init(name: String, text: [UInt8], catalog: PluginCatalog?) {
    self.name = name
    self.text = text
    let top: JSONNode
    do { top = try JSONReader.read(text) } catch {
      let place = min(error.offset, text.count)
      complaints = [Complaint("json", error.message, at: place..<min(place + 1, text.count))]
      return
    }
    let faults = ConfigurationShape.top.complaints(about: top)
    var reader = MeaningReader(catalog: catalog, faults: faults)
    let meant = reader.configuration(top.withNull(at: Set(faults.map(\.range))))
    pluginFolders = meant.pluginFolders
    complaints = (reader.faults + reader.complaints)
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    if !hasErrors { configuration = meant }
  }

  /// A file that was checked elsewhere, for showing its complaints.
  package init(name: String, text: [UInt8], complaints: [Complaint]) {
    self.name = name
    self.text = text
    self.complaints = complaints
  }

  package var hasErrors: Bool { complaints.contains { $0.severity == .error } }

  /// The complaints as text: `file:line:column: error[code]: message`, the line, a caret.
  package func rendered(_ complaints: [Complaint]? = nil) -> String {
    (complaints ?? self.complaints).map(render).joined()
  }

  /// Line and column, both from 1; columns count characters.
  package func place(of offset: Int) -> (line: Int, column: Int) {
    let before = text[..<min(offset, text.count)]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (line, String(decoding: before[start...], as: UTF8.self).count + 1)
  }

  private func render(_ complaint: Complaint) -> String {
    let (line, column) = place(of: complaint.range.lowerBound)
    let lower = min(complaint.range.lowerBound, text.count)
    let start = text[..<lower].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = text[lower...].firstIndex(of: 0x0A) ?? text.count
    let whole = String(decoding: text[start..<end], as: UTF8.self)
      .replacing("\t", with: " ")
    // Long lines are shown around the place, so that the caret stays in sight.
    let from = max(0, min(column - 50, whole.count - 90))
    let excerpt = String(whole.dropFirst(from).prefix(90))
    let marked = String(
      decoding: text[lower..<max(lower, min(complaint.range.upperBound, end))], as: UTF8.self)
    let number = String(line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let blank = String(repeating: " ", count: gutter.count)
    let indent = String(repeating: " ", count: max(0, column - 1 - from))
    let tildes = String(repeating: "~", count: max(0, min(marked.count, 60) - 1))
    let hint = complaint.hint.map { " \($0)" } ?? ""
    return """
      \(name):\(line):\(column): \(complaint.severity.rawValue)[\(complaint.code)]: \
      \(complaint.message)
      \(gutter) | \(excerpt)
      \(blank) | \(indent)^\(tildes)\(hint)

      """
  }
}
