import ArgumentParser
import Conveyor
import Files
import Finding
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct FindCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find words in every text of the files that came through the inbox.",
    discussion: """
      All words must occur; case and accents do not matter, and ß is ss. "Quotes" make a phrase, word* matches \
      words that begin like this, -word excludes documents that contain it. in:NAME finds only \
      documents of a rule or folder, from:WORD only those of a sender (of mails, by name or address), \
      since:2026-05-01 and before:2026-05 only those that procd finished then; with - before it, the \
      others. Such a filter may stand alone; its value may be in quotes.

      Where nothing has a word of four letters or more, the word nearest to it is searched for: one letter \
      more, less or different, or two exchanged. What has digits or is in quotes is searched for as it \
      is, and so is everything with --json. Exits with 1 if nothing is found.
      """)

  @Argument(parsing: .allUnrecognized, help: "Words, \"phrases\", beginnings*, -unwanted.")
  var words: [String] = []

  @Option(name: .customLong("in"), help: "Only documents of this pipeline.")
  var pipeline: String?

  @Option(help: "Only documents since this day, such as 2026-03-01.")
  var since: String?

  @Option(name: .shortAndLong, help: "How many.")
  var number = 20

  @Flag(help: "Rebuild the index first.")
  var rebuild = false

  @Flag(help: "Print as JSON Lines.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  /// The words of the command line, with those that are not wanted at the end, where none is taken for an option: a
  /// `-closed` would name a configuration.
  static func separated(_ words: [String]) -> [String] {
    guard words.first == "find", !words.contains("--") else { return words }
    func isUnwanted(_ word: String) -> Bool {
      word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2
    }
    let unwanted = words.filter(isUnwanted)
    return unwanted.isEmpty ? words : words.filter { !isUnwanted($0) } + ["--"] + unwanted
  }

  func validate() throws {
    guard rebuild || !words.isEmpty else { throw ValidationError("Name a word.") }
    if let since, milliseconds(ofDay: since) == nil {
      throw ValidationError("\(since) is no day; write 2026-03-01")
    }
  }

  func run() async throws {
    let active = try options.loadWithSpool()
    guard active.configuration.isIndexed else {
      Console.complain(
        "procd: the configuration says \"find\": false, so no texts are kept that could be searched"
      )
      throw Status.configuration
    }
    guard
      let ledger = try Ledger.reading(path: active.spool.appending(Spool.ledgerName.components))
    else {
      Console.complain("procd: nothing has been processed here yet")
      throw ExitCode(1)
    }
    let names = active.configuration.pipelines.map(\.id)
    if let pipeline, !names.contains(pipeline) {
      Console.complain(
        "procd: no pipeline is called \(pipeline.plain) now; there are: \(names.joined(separator: ", "))"
      )
    }
    if rebuild { try FindStore.remove(Indexing.store(of: active)) }
    let indexing = try Indexing(active, ledger, .ofThisProgram())
    var isDamaged = false
    do { try await catchUp(indexing) } catch {
      isDamaged = (error as? LedgerError)?.isDamage ?? false
      Console.complain(
        "procd: new documents could not be read, so they cannot be found yet: \(error)")
    }
    // Several words of one argument were quoted for the shell, not for us.
    let query = FindQuery(words.joined(separator: " "))
    guard !words.isEmpty else { return }
    if query.isEmpty { Console.complain("procd: that contains no word to search for") }
    let filter = FindReader.Filter(
      pipeline: pipeline, since: since.flatMap(milliseconds(ofDay:)))
    let answer = try indexing.search(query, filter, limit: max(1, number), forgives: !json)
    if let instead = answer.instead {
      Console.complain(
        "procd: nothing found for \(query.typed.plain); these are for \(instead.typed.plain)")
    }
    for hit in answer.hits {
      if json {
        Console.print(line: HitText.json(hit))
      } else {
        for line in HitText.lines(hit) { Console.print(line) }
      }
    }
    if answer.hits.isEmpty {
      // Not all could be searched.
      if isDamaged { throw Status.ledgerDamaged }
      if !json, !query.isEmpty { Console.complain("procd: nothing found") }
      throw ExitCode(1)
    }
    if let suggestion = answer.suggestion {
      Console.complain("procd: did you mean \(suggestion.typed.plain)?")
    }
    let rest = answer.total - answer.hits.count
    if !json, rest > 0 || answer.isMore {
      Console.complain(
        answer.isMore
          ? "procd: these are the newest of many matches; --number shows more, and another word narrows the search"
          : "procd: and \(rest) more; --number \(answer.total) shows all")
    }
  }

  private func catchUp(_ indexing: Indexing) async throws {
    let showsProgress = Console.errorsToTerminal
    try await indexing.catchUp { done, total in
      if total > 500, showsProgress {
        Console.complain("\r  \(done) of \(total) documents read", end: done == total ? "\n" : "")
      }
      return true
    }
  }
}

/// What was found, as text and as JSON.
enum HitText {
  static func lines(_ hit: FindReader.Hit) -> [PlainText] {
    let page = hit.page.map { $0 > 0 ? ", page \($0)" : "" } ?? ""
    let day = timestamp(hit.finished).prefix(10)
    let state = hit.outcome == "done" ? "" : "  (\(hit.outcome))"
    var snippet: PlainText = ""
    for piece in hit.snippet {
      snippet = snippet + (piece.isLit ? Console.lit(piece.words) : PlainText("\(piece.words)"))
    }
    return ["\(day)  \(hit.path)\(page)\(state)", "            \(snippet)"]
  }

  static func json(_ hit: FindReader.Hit) -> JSON {
    [
      "job": .string(hit.job), "path": .string(hit.path),
      "name": .string(FilePath(hit.path).lastComponent?.string ?? hit.path),
      "pipeline": hit.pipeline.map { .string($0) }, "outcome": .string(hit.outcome),
      "finished": .string(timestamp(hit.finished)), "page": hit.page.map { .integer($0) },
      "pages": .integer(hit.pages),
      "snippet": .array(
        hit.snippet.map { ["text": .string($0.text), "lit": $0.isLit ? true : nil] }),
    ]
  }
}

extension FindReader.Piece {
  /// On one line: runs of blanks and breaks are one blank.
  fileprivate var words: String {
    var words = ""
    for character in text where !character.isWhitespace || words.last != " " {
      words.append(character.isWhitespace ? " " : character)
    }
    return words
  }
}
