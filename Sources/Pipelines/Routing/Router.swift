internal import PluginKit
internal import SystemPackage

/// The media type of folders (shared-mime-info).
package let folderMediaType = "inode/directory"

/// What is known of a file when it is routed; nil for what is not known yet.
package struct RoutingFacts: Sendable {
  package var mime: String?
  /// All media types that some probe gave; the first is `mime`.
  package var candidates: [String]
  /// File name and path below the inbox, for patterns.
  package var name: String?
  package var path: String
  package var size: Int?
  /// When it was last changed and when it was taken, milliseconds since 1970.
  package var modified: Int64?
  package var arrived: Int64?
  /// Whether it is a folder, whose files are one document.
  package var isFolder: Bool
  /// The names of the files that came with it.
  package var companions: [String]

  package init(
    mime: String?, candidates: [String], name: String?, path: String, size: Int?,
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
  /// Whether it passed the file over though it takes files of that type.
  package var takesType = false

  /// A rule that somebody asked for, whatever it says.
  package static func asked(_ pipeline: String) -> RuleTrace {
    RuleTrace(pipeline: pipeline, taken: true, reason: "was asked for when it was handed in")
  }
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
            pipeline: pipeline.id, taken: false,
            reason: "was tried, but what it expects did not hold"))
        continue
      }
      guard file.isFolder == (pipeline.gather != nil) else {
        let reason =
          file.isFolder
          ? "takes files, this is a folder"
          : "takes folders, each as one document; this is a file"
        trace.append(
          RuleTrace(
            pipeline: pipeline.id, taken: false, reason: reason,
            takesType: !file.isFolder && pipeline.match.mayHold(file)))
        continue
      }
      if pipeline.companions == nil, let first = file.companions.first {
        let reason = "takes a file alone, this one came with \(first)"
        trace.append(RuleTrace(pipeline: pipeline.id, taken: false, reason: reason))
        continue
      }
      switch pipeline.match.verdict(file, answers) {
      case .yes(let reason):
        if let missing = missing(pipeline, file) {
          trace.append(
            RuleTrace(
              pipeline: pipeline.id, taken: false,
              reason: pipeline.companions?.areNamed(file.name ?? "") == true
                ? "it belongs to another file, and is taken with it" : "it came without \(missing)",
              lacksCompanion: true))
          continue
        }
        trace.append(RuleTrace(pipeline: pipeline.id, taken: true, reason: reason))
        return (.pipeline(index), trace)
      case .no(let reason):
        trace.append(
          RuleTrace(
            pipeline: pipeline.id, taken: false, reason: reason,
            takesType: pipeline.match.mayTake(file.candidates)))
      case .unknown(let question?): return (.ask(question), trace)
      case .unknown(nil):
        trace.append(
          RuleTrace(pipeline: pipeline.id, taken: false, reason: "too little is known of the file"))
      }
    }
    return (.unmatched, trace)
  }

  /// What a rule wants to come with a file and did not, as the rule writes it; nil where nothing lacks.
  private func missing(_ pipeline: Pipeline, _ file: RoutingFacts) -> String? {
    guard let companions = pipeline.companions else { return nil }
    let wanted = companions.names(for: FilePath(file.name ?? "")).map { $0.map(\.repaired.text) }
    return wanted.first { !$0.contains(where: file.companions.contains) }?
      .joined(separator: " or ")
  }

  /// Whether some rule may take a folder as one document, as far as its name tells.
  package func gathers(folder path: String, name: String) -> Bool {
    leastFiles(ofFolder: path, name: name) != nil
  }

  /// How many files a folder has at least that some rule takes as one document; nil where none does.
  package func leastFiles(ofFolder path: String, name: String) -> Int? {
    let facts = RoutingFacts(
      mime: folderMediaType, candidates: [folderMediaType], name: name, path: path, size: nil,
      isFolder: true)
    return pipelines.filter { $0.match.mayHold(facts) }.compactMap(\.gather)
      .map { $0 == .oddEven ? 2 : 1 }.min()
  }

  /// Whether some rule may take a file, as far as its path below the inbox tells.
  package func mayTake(path: String) -> Bool {
    let facts = RoutingFacts(mime: nil, candidates: [], name: nil, path: path, size: nil)
    return pipelines.contains { $0.gather == nil && $0.match.mayHold(facts) }
  }
}
