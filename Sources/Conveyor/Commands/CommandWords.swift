internal import PluginKit

/// The words behind a command's name, told apart by what plugin.json says of them.
struct CommandWords: Equatable {
  enum Word: Equatable {
    /// Passed on as it stands.
    case plain(String)
    /// A file to read; the prefix is what stands before it in the same word, as `--from=`.
    case read(prefix: String, String)
    /// A file to write; the prefix is what stands before it in the same word, as `--output=`.
    case write(prefix: String, String)
  }

  private(set) var words: [Word] = []

  init(_ arguments: [String], _ manifest: CommandManifest) {
    var rest = arguments[...], position = 0, optionsEnded = false, verb = ""
    while let word = rest.popFirst() {
      if !optionsEnded, word.hasPrefix("-"), word != "-" {
        optionsEnded = word == "--"
        if optionsEnded {
          words.append(.plain(word))
        } else if let (prefix, value) = Self.joined(word, manifest.writes, manifest) {
          words.append(Self.write(prefix: prefix, value))
        } else if let (prefix, value) = Self.joined(word, manifest.opens, manifest) {
          words.append(Self.read(prefix: prefix, value))
        } else {
          words.append(.plain(word))
          if manifest.writes.contains(word) {
            if let value = rest.popFirst() { words.append(Self.write(prefix: "", value)) }
          } else if manifest.opens.contains(word) {
            if let value = rest.popFirst() { words.append(Self.read(prefix: "", value)) }
          } else if manifest.values.contains(word), let value = rest.popFirst() {
            words.append(.plain(value))
          }
        }
      } else {
        let isFile = manifest.reads.contains(position, verb: verb)
        words.append(isFile ? Self.read(prefix: "", word) : .plain(word))
        if position == 0 { verb = word }
        position += 1
      }
    }
  }

  /// `--output=FILE` and `-oFILE`.
  private static func joined(
    _ word: String, _ options: [String], _ manifest: CommandManifest
  ) -> (prefix: String, value: String)? {
    guard !(manifest.opens + manifest.writes + manifest.values).contains(word) else { return nil }
    for option in options {
      let prefix = option.hasPrefix("--") ? option + "=" : option
      if word.hasPrefix(prefix) { return (prefix, String(word.dropFirst(prefix.count))) }
    }
    return nil
  }

  /// A single dash is standard input, which is open already.
  private static func read(prefix: String, _ value: String) -> Word {
    value == "-" || value.isEmpty ? .plain(prefix + value) : .read(prefix: prefix, value)
  }

  /// A single dash is standard output.
  private static func write(prefix: String, _ value: String) -> Word {
    value == "-" || value.isEmpty ? .plain(prefix + value) : .write(prefix: prefix, value)
  }
}

extension CommandManifest.Reads {
  fileprivate func contains(_ position: Int, verb: String) -> Bool {
    switch self {
    case .all: return true
    case .positions(let positions): return positions.contains(position)
    case .behind(let verbs):
      guard position > 0, let chosen = verbs.first(where: { $0.name == verb }) else { return false }
      return chosen.positions?.contains(position - 1) ?? true
    }
  }
}
