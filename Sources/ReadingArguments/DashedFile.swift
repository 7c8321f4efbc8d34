internal import Glibc

/// Files whose names begin with a dash, and so are taken for options.
package enum DashedFile {
  /// The same where the word would be taken for several options of one letter, such as the `h` that asks for help, so
  /// that the file would be passed over without a word.
  package static func refusal(_ words: [String]) -> String? {
    hint(words.filter { $0.count > 2 && !$0.hasPrefix("--") || !$0.hasPrefix("-") || $0 == "--" })
  }

  /// What helps where one of the words is the name of such a file; nil where none is.
  package static func hint(_ words: [String]) -> String? {
    let options = words.prefix { $0 != "--" }.dropFirst()
    let name = options.first { word in
      guard word.hasPrefix("-"), word != "-" else { return false }
      return unsafe access(word, F_OK) == 0
    }
    return name.map {
      "\($0) is also the name of a file here: write ./\($0), or -- before the names of files"
    }
  }
}
