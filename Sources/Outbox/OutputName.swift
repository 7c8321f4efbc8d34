internal import Pipelines
package import SystemPackage

/// How results and originals are named. Pure: which name is free is decided elsewhere.
package struct OutputName: Sendable {
  /// The file's name as it came, in bytes.
  private let name: [UInt8]
  private let job: String
  private static let longest = 255

  package init(of name: FilePath, job: String) {
    self.name = name.bytes
    self.job = job
  }

  /// The name without its extension, and the extension with its dot.
  private var parts: (stem: [UInt8], suffix: [UInt8]) { FilePath(bytes: name).stemAndSuffix }

  /// The stem as text, for templates.
  package var stemText: String { String(decoding: parts.stem, as: UTF8.self) }
  package var extensionText: String { String(decoding: parts.suffix.dropFirst(), as: UTF8.self) }

  /// Joins stem and suffix to at most 255 bytes: only the stem is shortened, between characters.
  static func fitted(_ stem: [UInt8], _ suffix: [UInt8], room: Int = longest) -> FilePath {
    var stem = stem.prefix(max(1, room - suffix.count))
    if stem.count < room - suffix.count || suffix.isEmpty && stem.count < room {
      return FilePath(bytes: stem + suffix)
    }
    // A cut inside a character leaves continuation bytes (10xxxxxx) whose start must go too.
    while let last = stem.last, stem.count > 1, String(validating: stem, as: UTF8.self) == nil {
      stem = stem.dropLast()
      if last & 0xC0 != 0x80 { break }
    }
    return FilePath(bytes: stem + suffix)
  }

  /// Names that reports and notes have; files that come with such a name are moved aside.
  static func isReserved(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    return text == "report.json" || text.hasSuffix(".report.json") || text.hasSuffix(".why.txt")
  }

  private static func aside(_ name: [UInt8]) -> (stem: [UInt8], suffix: [UInt8]) {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
    return (Array(name[..<dot]) + Array("~1".utf8), Array(name[dot...]))
  }

  /// The longest suffix that is put behind an original's name.
  private static let reportSuffix = Array(".report.json".utf8)

  /// Alternatives for an original: its name, then one with the job's identifier. Room is left for
  /// the report's suffix.
  package var originals: [FilePath] {
    var (stem, suffix) = parts
    if Self.isReserved(name) { (stem, suffix) = Self.aside(name) }
    let room = Self.longest - Self.reportSuffix.count
    return [
      Self.fitted(stem, suffix, room: room),
      Self.fitted(stem, Array("~\(job)".utf8) + suffix, room: room),
    ]
  }

  /// The report's name beside an original or a result of that name.
  package static func report(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + reportSuffix)
  }

  /// The note for people beside a quarantined original.
  package static func why(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + Array(".why.txt".utf8))
  }

  /// Alternatives for the report in the outbox.
  package var reports: [FilePath] { repaired.originals.map(Self.report) }

  /// The same in UTF-8. Repairing makes a name longer, so it comes before fitting.
  private var repaired: OutputName {
    OutputName(of: FilePath(bytes: Array(FilePath(bytes: name).repaired.text.utf8)), job: job)
  }

  /// Alternatives for a source that is a result as it came.
  package var kept: [FilePath] { repaired.originals }

  /// Alternatives for a result: `{stem}.ext`, `{name}.ext`, `{stem}~{JOB}.ext`. Results are named
  /// in UTF-8, repaired where the original's name is none, so that reports can name them.
  package func results(fileExtension: String, role: String?) -> [FilePath] {
    let name = repaired.name, stem = repaired.parts.stem
    let suffix = Array(((role.map { ".\($0)" } ?? "") + ".\(fileExtension)").utf8)
    let alternatives = [
      Self.fitted(stem, suffix), Self.fitted(name, suffix),
      Self.fitted(stem, Array("~\(job)".utf8) + suffix),
    ]
    return alternatives.map(Self.outOfTheWay)
  }

  /// Alternatives for a result whose name the configuration gives.
  package func results(named text: String) -> [FilePath] {
    let bytes = Array(text.utf8.filter { $0 != 0 })
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
    let plain = Self.fitted(Array(bytes[..<dot]), Array(bytes[dot...]))
    let unique = Self.fitted(Array(bytes[..<dot]), Array("~\(job)".utf8) + bytes[dot...])
    return [plain, unique].map(Self.outOfTheWay)
  }

  private static func outOfTheWay(_ path: FilePath) -> FilePath {
    let bytes = path.bytes
    guard isReserved(bytes) else { return path }
    let (stem, suffix) = aside(bytes)
    return fitted(stem, suffix)
  }
}
