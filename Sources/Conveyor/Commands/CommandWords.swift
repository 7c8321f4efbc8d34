internal import PluginKit

/// The words behind a command's name, told apart by what plugin.json says of them.
struct CommandWords: Equatable {
  enum Word: Equatable {
    /// Passed on as it stands.
    case plain(String)
    /// A file to read.
    case read(String)
    /// A file that an option names; the prefix is what stands before it in the same word, as `--from=`.
    case open(prefix: String, String)
    /// A file to write; the prefix is what stands before it in the same word, as `--output=`.
    case write(prefix: String, String)
  }

  private(set) var words: [Word] = []
  /// Whether `--overwrite` was among them: it is for procd, which puts the results into their places.
  private(set) var overwrites = false
  /// What results of this call may take the place of without it; nil for nothing.
  private(set) var replaces: CommandManifest.Replacing.Files?

  init(_ arguments: [String], _ manifest: CommandManifest) {
    var rest = arguments[...], position = 0, optionsEnded = false, verb = ""
    while let word = rest.popFirst() {
      if !optionsEnded, word.hasPrefix("-"), word != "-" {
        optionsEnded = word == "--"
        if optionsEnded {
          words.append(.plain(word))
        } else if word == CommandManifest.overwrite, !manifest.writes.isEmpty {
          overwrites = true
        } else if let (prefix, value) = Self.joined(word, manifest.writes, manifest) {
          words.append(Self.write(prefix: prefix, value))
        } else if let (prefix, value) = Self.joined(word, manifest.opens, manifest) {
          words.append(Self.open(prefix: prefix, value))
        } else {
          words.append(.plain(word))
          if manifest.writes.contains(word) {
            if let value = rest.popFirst() { words.append(Self.write(prefix: "", value)) }
          } else if manifest.opens.contains(word) {
            if let value = rest.popFirst() { words.append(Self.open(prefix: "", value)) }
          } else if manifest.values.contains(word), let value = rest.popFirst() {
            words.append(.plain(value))
          }
        }
      } else {
        let isFile = manifest.reads.contains(position, verb: verb)
        words.append(isFile && Self.isFile(word) ? .read(word) : .plain(word))
        if position == 0 { verb = word }
        position += 1
      }
    }
    replaces = manifest.replaces.first { $0.verb == nil || $0.verb == verb }?.files
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

  private static func open(prefix: String, _ value: String) -> Word {
    isFile(value) ? .open(prefix: prefix, value) : .plain(prefix + value)
  }

  private static func write(prefix: String, _ value: String) -> Word {
    isFile(value) ? .write(prefix: prefix, value) : .plain(prefix + value)
  }

  /// A single dash is standard input or output, which is open already.
  private static func isFile(_ value: String) -> Bool { value != "-" && !value.isEmpty }

  /// The file that one of some options names; of several the last.
  func file(of options: [String]) -> String? {
    words.indices.reversed().lazy.compactMap { index -> String? in
      guard case .open(let prefix, let file) = words[index] else { return nil }
      let isNamed =
        prefix.isEmpty
        ? index > 0 && options.contains { words[index - 1] == .plain($0) }
        : options.contains { prefix == $0 + "=" }
      return isNamed ? file : nil
    }.first
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
