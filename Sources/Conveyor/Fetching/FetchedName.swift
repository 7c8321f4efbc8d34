internal import Pipelines
internal import Series
internal import SystemPackage

/// The name that a fetched file gets in the inbox. Servers may say anything.
enum FetchedName {
  /// Bytes that a name may have; numbers and suffixes are added to it later.
  private static let longest = 160

  static func name(_ file: NetAnswer.Received, of source: Source) -> String {
    let name = sanitised(file.name ?? "") ?? source.id
    // Rules often go by the extension, and addresses often end in something else.
    return file.isPDF && !name.lowercased().hasSuffix(".pdf") ? "\(name).pdf" : name
  }

  /// The name of a file of a folder: its own, with what is no text in it replaced.
  static func name(inFolder name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      scalar == "\u{FFFD}" || scalar == "/" || scalar.properties.generalCategory == .control
        || scalar.properties.isBidiControl ? "_" : scalar
    }
    let name = String(String.UnicodeScalarView(scalars))
    guard name.utf8.count > longestOfFolder else { return name }
    let suffix = ending(of: name)
    guard suffix.utf8.count <= 16 else { return cut(name, to: longestOfFolder) }
    return cut(String(name.dropLast(suffix.count)), to: longestOfFolder - suffix.utf8.count)
      + suffix
  }

  /// Bytes of such a name: NAME_MAX less what a number takes.
  private static let longestOfFolder = 248

  /// The name with the day on which the file came, where it carries no date: an address that stays the
  /// same has another file each time, and whatever the server says of its age, this is the newest.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - last: when a file came from the same source before; a second one on a day carries the time too.
  ///   - before: its name. A date in the new name that is older than the one there says nothing of which
  ///     is the newer one.
  static func dated(_ name: String, at now: Int64, last: Int64?, before: String? = nil) -> String {
    if let date = EditionDate.inName(name, arrived: now) {
      let known = before.flatMap { EditionDate.inName($0, arrived: now) }
      if known.map({ $0 <= date }) ?? true { return name }
    }
    let isSecond = last.map { day(of: $0) == day(of: now) } ?? false
    let mark = isSecond ? clock(of: now).filter { $0 != ":" } : day(of: now)
    let suffix = ending(of: name)
    let stem = cut(
      String(name.dropLast(suffix.count)), to: max(0, longest - 18 - suffix.utf8.count))
    return stem.isEmpty ? "\(mark)\(suffix)" : "\(stem)-\(mark)\(suffix)"
  }

  /// The last part of a path, without what makes names dangerous or hidden; nil where nothing is left.
  static func sanitised(_ text: String) -> String? {
    let last = text.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let plain = last.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      // Line ends, direction marks, private use, halves.
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        false
      default: true
      }
    }
    var name = String(String.UnicodeScalarView(plain))
    name = String(name.drop { $0 == "." || $0 == " " || $0 == "-" || $0 == "~" })
    while let end = name.last, end == "." || end == " " || end == "~" { name.removeLast() }
    let suffix = ending(of: name)
    if name.utf8.count > longest, suffix.utf8.count <= 16 {
      name = cut(String(name.dropLast(suffix.count)), to: longest - suffix.utf8.count) + suffix
    }
    name = cut(name, to: longest)
    return name.isEmpty ? nil : name
  }

  /// The extension that rules go by, with its dot.
  private static func ending(of name: String) -> String {
    // Of a name that is nothing else, too: no dot of it hides the file.
    let ending = FilePath(bytes: Array("x\(name)".utf8)).stemAndEnding.ending
    return String(decoding: ending, as: UTF8.self)
  }

  private static func cut(_ text: String, to bytes: Int) -> String {
    var text = text
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}
