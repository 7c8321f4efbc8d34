internal import Files
internal import Pipelines
package import SystemPackage

/// How results and originals are named. Pure: which name is free is decided elsewhere.
package struct OutputName: Sendable {
  /// The file's name as it came, in bytes.
  private let name: [UInt8]
  private static let longest = 255

  package init(of name: FilePath) { self.name = name.bytes }

  /// The name without its extension, and the extension with its dot.
  private var parts: (stem: [UInt8], suffix: [UInt8]) { FilePath(bytes: name).stemAndSuffix }

  /// The stem as text, for templates.
  package var stemText: String { String(decoding: parts.stem, as: UTF8.self) }
  package var extensionText: String { String(decoding: parts.suffix.dropFirst(), as: UTF8.self) }

  /// Joins stem and suffix to at most 255 bytes: only the stem is shortened, between characters. What is too
  /// long for a suffix counts as stem.
  package static func fitted(
    _ stem: [UInt8], _ suffix: [UInt8], room: Int = longest
  ) -> FilePath {
    guard suffix.count < room / 2 else { return fitted(stem + suffix, [], room: room) }
    guard stem.count > room - suffix.count else { return FilePath(bytes: stem + suffix) }
    var cut = stem.prefix(room - suffix.count)
    // A cut inside a character leaves continuation bytes (10xxxxxx) whose start must go too.
    while let last = cut.last, cut.count > 1, String(validating: cut, as: UTF8.self) == nil {
      cut = cut.dropLast()
      if last & 0xC0 != 0x80 { break }
    }
    return FilePath(bytes: cut + suffix)
  }

  /// The longest way to a folder below a place, in bytes: with the name of a file it must still be a path.
  private static let longestFolder = 2048

  /// A folder of which each name, and the whole, is short enough for the kernel. What is cut gets the start of
  /// the SHA-256 of what it was, so that two folders stay two. No name in it leads upwards.
  ///
  /// - Parameter repaired: whether names that are no UTF-8 are made such.
  package static func folder(_ path: FilePath, repaired: Bool = false) -> FilePath {
    func suffix(_ bytes: [UInt8]) -> [UInt8] { Array("~\(sha256(bytes).prefix(8))".utf8) }
    var folder = FilePath()
    for component in path.components {
      let own = FilePath(name: component)
      var name = repaired ? FilePath(bytes: Array(own.repaired.text.utf8)) : own
      if component.kind != .regular {
        name = FilePath(bytes: own.bytes.map { _ in UInt8(ascii: "_") })
      } else if name.length > longest {
        name = fitted(name.bytes, suffix(own.bytes))
      }
      guard folder.length + name.length < longestFolder else {
        return folder.appending(fitted(name.bytes, suffix(path.bytes), room: 64).components)
      }
      folder.append(name.components)
    }
    return folder
  }

  /// Names that reports and notes have; files that come with such a name are moved aside.
  static func isReserved(_ name: [UInt8]) -> Bool {
    let text = String(decoding: name, as: UTF8.self)
    return text == "report.json" || text.hasSuffix(".report.json") || text.hasSuffix(".why.txt")
  }

  /// What stands behind the stem of names with a number: `~2`, `~3` … The first has none.
  private static func mark(_ number: Int) -> [UInt8] { number > 1 ? Array("~\(number)".utf8) : [] }

  /// The name and its extension, also where it begins with the dot.
  private static func parts(_ name: [UInt8]) -> (stem: [UInt8], suffix: [UInt8]) {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.count - dot <= 32 else {
      return (name, [])
    }
    return dot > 0 ? FilePath(bytes: name).stemAndEnding : ([], Array(name[dot...]))
  }

  /// The longest suffix that is put behind an original's name.
  private static let reportSuffix = Array(".report.json".utf8)

  /// The original's name with a number. Room is left for the report's suffix.
  package func original(_ number: Int) -> FilePath {
    let (stem, ending) = FilePath(bytes: name).stemAndEnding
    let mark = number == 1 && Self.isReserved(name) ? Array("~1".utf8) : Self.mark(number)
    return Self.fitted(stem, mark + ending, room: Self.longest - Self.reportSuffix.count)
  }

  /// The report's name beside an original or a result of that name.
  package static func report(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + reportSuffix)
  }

  /// The note for people beside a quarantined original.
  package static func why(of original: FilePath) -> FilePath {
    FilePath(bytes: original.bytes + Array(".why.txt".utf8))
  }

  /// The name of the report in the outbox with a number.
  package func report(_ number: Int) -> FilePath { Self.report(of: repaired.original(number)) }

  /// The same in UTF-8. Repairing makes a name longer, so it comes before fitting.
  private var repaired: OutputName {
    OutputName(of: FilePath(bytes: Array(FilePath(bytes: name).repaired.text.utf8)))
  }

  /// The name with a number of a source that is a result as it came.
  package func kept(_ number: Int) -> FilePath { repaired.original(number) }

  /// What follows the stem of each result's name: its extension. Those of one job that share it carry their roles, but
  /// for one whose role is the extension, and those that share the role too a number, which alone does in that case.
  package static func endings(_ results: [(role: String, fileExtension: String)]) -> [String] {
    var numbers: [String: Int] = [:]
    return results.map { result in
      // A file that is kept as it came may have none.
      let ending = result.fileExtension.isEmpty ? "" : ".\(result.fileExtension)"
      let same = results.filter { $0.fileExtension == result.fileExtension }
      guard same.count > 1 else { return ending }
      guard same.count(where: { $0.role == result.role }) > 1 else {
        return result.role == result.fileExtension ? ending : ".\(result.role)\(ending)"
      }
      numbers[result.role, default: 0] += 1
      let number = numbers[result.role, default: 1]
      return result.role == result.fileExtension
        ? ".\(number)\(ending)" : ".\(result.role)-\(number)\(ending)"
    }
  }

  /// A result's name with a number: stem, number, ending. Results are named in UTF-8, repaired where the original's name
  /// is none, so that reports can name them.
  ///
  /// - Parameter ending: one of `endings`.
  package func result(ending: String, _ number: Int) -> FilePath {
    Self.numbered(repaired.parts.stem, Array(ending.utf8), number)
  }

  /// The name with a number of a result that the configuration names.
  package static func result(named text: String, _ number: Int) -> FilePath {
    // A name makes no folder, whatever filled it.
    let bytes = text.utf8.filter { $0 != 0 }.map {
      $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
    }
    let (stem, suffix) = parts(bytes)
    return numbered(stem, suffix, number)
  }

  private static func numbered(_ stem: [UInt8], _ suffix: [UInt8], _ number: Int) -> FilePath {
    let path = fitted(stem, mark(number) + suffix)
    guard isReserved(path.bytes) else { return path }
    let (stem, suffix) = parts(path.bytes)
    return fitted(stem, Array("~1".utf8) + suffix)
  }
}
