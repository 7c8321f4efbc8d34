internal import PluginKit
internal import SystemPackage

/// The media type of folders (shared-mime-info).
package let folderMediaType = "inode/directory"

/// What is known of a file when it is routed.
package struct RoutingFacts: Sendable {
  package var mime: String
  /// All media types that some probe gave; the first is `mime`.
  package var candidates: [String]
  /// File name and path below the inbox, for patterns.
  package var name: String
  package var path: String
  package var size: Int
  /// Whether it is a folder, whose files are one document.
  package var isFolder: Bool
  /// The names of the files that came with it.
  package var companions: [String]

  package init(
    mime: String, candidates: [String], name: String, path: String, size: Int,
    isFolder: Bool = false, companions: [String] = []
  ) {
    self.isFolder = isFolder
    self.companions = companions
    self.mime = mime
    self.candidates = candidates
    self.name = name
    self.path = path
    self.size = size
  }
}

/// Answers of a worker to text questions: in how many lines the expression matched.
package typealias TextAnswers = [TextQuestion: Int]

/// Where a file goes, or what must be known first.
package enum RouteAnswer: Sendable {
  /// The index of the pipeline.
  case pipeline(Int)
  case ask(TextQuestion)
  case unmatched
}

/// Why one rule was taken or passed over; `explain` prints these.
package struct RuleTrace: Sendable, Equatable {
  package var pipeline: String
  package var taken: Bool
  /// The first condition that failed with what was seen, or what made it match.
  package var reason: String
  /// Whether all that failed is that something did not come with the file.
  package var lacksCompanion = false
}

/// Routes files: ordered rules, the first that matches is taken. Pure: text questions are answered
/// by somebody else and handed in.
package struct Router: Sendable {
  private let pipelines: [Pipeline]

  package init(_ pipelines: [Pipeline]) { self.pipelines = pipelines }

  /// - Parameters:
  ///   - passedOver: pipelines that were tried and whose `expect` failed.
  ///   - answers: what is known of the text so far.
  /// - Returns: the answer, and a line per rule that was looked at.
  package func route(
    _ file: RoutingFacts, passedOver: Set<String> = [], answers: TextAnswers = [:]
  ) -> (answer: RouteAnswer, trace: [RuleTrace]) {
    var trace: [RuleTrace] = []
    for (index, pipeline) in pipelines.enumerated() {
      if passedOver.contains(pipeline.id) {
        trace.append(
          RuleTrace(
            pipeline: pipeline.id, taken: false, reason: "was tried; what it expects did not hold"))
        continue
      }
      guard file.isFolder == (pipeline.gather != nil) else {
        let reason = file.isFolder ? "takes files, this is a folder" : "takes folders"
        trace.append(RuleTrace(pipeline: pipeline.id, taken: false, reason: reason))
        continue
      }
      if pipeline.companions == nil, let first = file.companions.first {
        let reason = "takes a file alone, this one came with \(first)"
        trace.append(RuleTrace(pipeline: pipeline.id, taken: false, reason: reason))
        continue
      }
      switch evaluate(pipeline.match, file, answers) {
      case .yes(let reason):
        if let missing = missing(pipeline, file) {
          trace.append(
            RuleTrace(
              pipeline: pipeline.id, taken: false, reason: "it came without \(missing)",
              lacksCompanion: true))
          continue
        }
        trace.append(RuleTrace(pipeline: pipeline.id, taken: true, reason: reason))
        return (.pipeline(index), trace)
      case .no(let reason):
        trace.append(RuleTrace(pipeline: pipeline.id, taken: false, reason: reason))
      case .unknown(let question): return (.ask(question), trace)
      }
    }
    return (.unmatched, trace)
  }

  /// What a rule wants to come with a file and did not, as the rule writes it; nil where nothing lacks.
  private func missing(_ pipeline: Pipeline, _ file: RoutingFacts) -> String? {
    guard let companions = pipeline.companions else { return nil }
    let wanted = companions.names(for: FilePath(file.name)).map { $0.map(\.repaired.text) }
    return wanted.first { !$0.contains(where: file.companions.contains) }?
      .joined(separator: " or ")
  }

  /// Whether some rule may take a folder as one document, as far as its name tells.
  package func gathers(folder path: String, name: String) -> Bool {
    let facts = RoutingFacts(
      mime: folderMediaType, candidates: [folderMediaType], name: name, path: path, size: 0,
      isFolder: true)
    return pipelines.contains { pipeline in
      guard pipeline.gather != nil else { return false }
      if case .no = evaluate(pipeline.match.withoutSize, facts, [:]) { return false }
      return true
    }
  }

  /// Whether some rule may take a file, as far as its path below the inbox tells.
  package func mayTake(path: String) -> Bool {
    pipelines.contains { $0.gather == nil && Self.mayMatch($0.match, path) != false }
  }

  /// Nil where the path does not decide.
  private static func mayMatch(_ match: Match, _ path: String) -> Bool? {
    switch match {
    case .mime, .size, .text: return nil
    // Servers may give their files any name, but none that stays the same.
    case .name(let patterns):
      return patterns.allSatisfy { !$0.contains { "*?0123456789".contains($0) } } ? false : nil
    case .path(let patterns): return patterns.contains { glob($0, matches: path) }
    case .not(let inner): return mayMatch(inner, path).map { !$0 }
    case .any(let parts):
      let found = parts.map { mayMatch($0, path) }
      return found.contains(true) ? true : found.contains(nil) ? nil : false
    case .all(let parts):
      let found = parts.map { mayMatch($0, path) }
      return found.contains(false) ? false : found.contains(nil) ? nil : true
    }
  }

  private enum Verdict {
    case yes(String)
    case no(String)
    case unknown(TextQuestion)
  }

  private func evaluate(_ match: Match, _ file: RoutingFacts, _ answers: TextAnswers) -> Verdict {
    switch match {
    case .mime(let patterns):
      for type in file.candidates where patterns.contains(where: { mediaType(type, matches: $0) }) {
        return .yes("type is \(type)")
      }
      return .no("type is \(file.mime), not \(patterns.joined(separator: " or "))")
    case .name(let patterns):
      return patterns.contains { glob($0, matches: file.name) }
        ? .yes("name matches") : .no("name is not like \(patterns.joined(separator: " or "))")
    case .path(let patterns):
      return patterns.contains { glob($0, matches: file.path) }
        ? .yes("path matches") : .no("path is not like \(patterns.joined(separator: " or "))")
    case .size(let min, let max):
      if let min, file.size < min { return .no("\(file.size) bytes, less than \(min)") }
      if let max, file.size > max { return .no("\(file.size) bytes, more than \(max)") }
      return .yes("\(file.size) bytes")
    case .text(let question):
      guard let lines = answers[question] else { return .unknown(question) }
      let seen =
        "\(lines) \(lines == 1 ? "line matches" : "lines match") \(question.regex)"
        + " on page \(question.pages.description)"
      return lines >= question.lines ? .yes(seen) : .no("\(seen), \(question.lines) needed")
    case .not(let inner):
      switch evaluate(inner, file, answers) {
      case .yes(let reason): return .no("excluded: \(reason)")
      case .no(let reason): return .yes("not excluded: \(reason)")
      case .unknown(let question): return .unknown(question)
      }
    case .any(let parts):
      // Cheap conditions first: a text question is put only when nothing else decides.
      var question: TextQuestion?, reasons: [String] = []
      for part in parts {
        switch evaluate(part, file, answers) {
        case .yes(let reason): return .yes(reason)
        case .no(let reason): reasons.append(reason)
        case .unknown(let asked): question = question ?? asked
        }
      }
      return question.map { .unknown($0) } ?? .no(reasons.joined(separator: "; "))
    case .all(let parts):
      var question: TextQuestion?, reasons: [String] = []
      for part in parts {
        switch evaluate(part, file, answers) {
        case .yes(let reason): reasons.append(reason)
        case .no(let reason): return .no(reason)
        case .unknown(let asked): question = question ?? asked
        }
      }
      return question.map { .unknown($0) }
        ?? .yes(reasons.isEmpty ? "takes every file" : reasons.joined(separator: ", "))
    }
  }
}
