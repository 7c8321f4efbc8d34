internal import Files
package import Pipelines
internal import PluginKit

/// What is known of a source between two questions: kept in a small file below the spool. Decides what
/// follows from an answer; touches nothing.
package struct SourceState: Sendable, Equatable {
  /// The address that all of this is about.
  package var url: String
  /// Stands for the source's entry in the configuration; nil where that was not kept.
  package var entry: String?
  /// Milliseconds since 1970, as all times: since when it is asked for.
  package var since: Int64
  /// When the server was last reached and the file was what it should be, new or not.
  package var checked: Int64?
  /// When a new file was last handed in, and under which name.
  package var received: Int64?
  package var name: String?
  package var etag: String?
  package var modified: String?
  package var sha256: String?
  package var isPDF = false
  /// Failures since the last success.
  package var failures = 0
  package var failure: NetAnswer.Failure?
  /// When it is asked again.
  package var next: Int64
  /// When it had last been reached, milliseconds since 1970, as it was told that it cannot be; nil where nobody was
  /// told, or where it was told that it can be again.
  package var staleSince: Int64?
  /// A file on its way into the inbox, noted before its first step there.
  package var handingIn: HandingIn?
  /// Of a folder: the files that have come, by their paths. What the server shows no more is forgotten.
  package var files: [String: KnownFile] = [:]

  package struct HandingIn: Sendable, Equatable {
    package var name: String
    package var received: NetAnswer.Received
    package var sha256: String
    /// Of a folder: which file it is.
    package var file: NetAnswer.Listed?
  }

  package struct KnownFile: Sendable, Equatable {
    package var mark: String?
    /// The first digits of its SHA-256; empty where it had no content.
    package var digits: String
  }

  package init(_ source: Source, at now: Int64) {
    (url, since, next) = (source.url, now, now)
    entry = Self.entry(of: source)
  }

  /// This state where it is about this source's address, else a new one. A source whose entry was
  /// changed otherwise is asked at once: somebody may have mended what was wrong.
  package func about(_ source: Source, at now: Int64) -> SourceState {
    guard url == source.url else { return SourceState(source, at: now) }
    var state = self
    let entry = Self.entry(of: source)
    if entry != self.entry {
      (state.entry, state.failures, state.failure) = (entry, 0, nil)
      state.next = min(next, now)
    }
    return state
  }

  private static func entry(of source: Source) -> String {
    let json: JSON = [
      "url": .string(source.url), "every": .integer(source.every), "to": .string(source.to),
      "private": .bool(source.allowsPrivate),
      "name": source.names.isEmpty ? nil : .array(source.names.map { .string($0) }),
      "password": source.password, "key": source.key.map { .string($0) },
      "hostKey": source.hostKey.map { .string($0) },
    ]
    return ContentDigest(of: json.line).sha256
  }

  package func isDue(at now: Int64, _ source: Source) -> Bool {
    // A clock that was set back must not silence a source.
    now >= next || next > now + Int64(source.every) + Self.longestWait
  }

  /// What a source is asked.
  package func request(_ source: Source, folder: String) -> NetRequest.Fetch {
    var fetch = NetRequest.Fetch(url: source.url, folder: folder)
    (fetch.etag, fetch.modified, fetch.wasPDF) = (etag, modified, isPDF)
    fetch.bounds.allowsPrivate = source.allowsPrivate
    fetch.login.hostKey = source.hostKey
    return fetch
  }

  // MARK: - What follows

  /// What is to be done now.
  package enum Action: Sendable, Equatable {
    case handIn(HandingIn)
    /// What came has no further use.
    case discard
    case tell(Notice)
  }

  /// Nothing new.
  package mutating func unchanged(_ source: Source, at now: Int64) {
    succeed(source, at: now)
  }

  /// A file came whole.
  ///
  /// - Parameters:
  ///   - sha256: of the file; servers that know no conditions send the same again and again.
  ///   - isDated: whether its name is to carry a date.
  package mutating func received(
    _ file: NetAnswer.Received, sha256: String, _ source: Source, at now: Int64,
    isDated: Bool = false
  ) -> [Action] {
    (etag, modified, isPDF) = (file.etag, file.modified, isPDF || file.isPDF)
    guard sha256 != self.sha256 else {
      succeed(source, at: now)
      return [.discard]
    }
    let name = FetchedName.name(file, of: source)
    let handing = HandingIn(
      name: isDated ? FetchedName.dated(name, at: now, last: received, before: self.name) : name,
      received: file,
      sha256: sha256)
    handingIn = handing
    return [.handIn(handing)]
  }

  /// The file stands in the inbox.
  package mutating func handedIn(as name: String, _ source: Source, at now: Int64) {
    if let file = handingIn?.file {
      know(file, sha256: handingIn?.sha256)
    } else if let handingIn {
      sha256 = handingIn.sha256
    }
    (handingIn, received) = (nil, now)
    self.name = name
    if !source.isFolder { succeed(source, at: now) }
  }

  // MARK: - The files of a folder

  /// The folder was looked into: it can be reached, whatever becomes of its files.
  package mutating func lookedInto(at now: Int64) { checked = now }

  /// The files that are to come now: new or changed ones, which two looks have seen alike. Forgets what
  /// is not there any more.
  package mutating func due(
    _ first: [NetAnswer.Listed], _ second: [NetAnswer.Listed]
  ) -> [NetAnswer.Listed] {
    let paths = Set(second.map(\.path)), before = Set(first.map { "\($0.path)/\($0.mark ?? "")" })
    files = files.filter { paths.contains($0.key) }
    return new(among: second).filter { before.contains("\($0.path)/\($0.mark ?? "")") }
  }

  package func new(among listed: [NetAnswer.Listed]) -> [NetAnswer.Listed] {
    listed.filter { file in files[file.path].map { $0.mark != file.mark } ?? true }
  }

  /// A file of a folder came whole.
  ///
  /// - Returns: how it is handed in; nil where it has the same content as before.
  package mutating func received(
    _ received: NetAnswer.Received, sha256: String, _ file: NetAnswer.Listed
  ) -> HandingIn? {
    if files[file.path]?.digits == Self.digits(sha256) {
      know(file, sha256: sha256)
      return nil
    }
    handingIn = HandingIn(
      name: FetchedName.name(inFolder: file.name), received: received, sha256: sha256, file: file)
    return handingIn
  }

  /// - Parameter sha256: nil where it has no content.
  package mutating func know(_ file: NetAnswer.Listed, sha256: String?) {
    files[file.path] = KnownFile(mark: file.mark, digits: Self.digits(sha256 ?? ""))
  }

  private static func digits(_ sha256: String) -> String { String(sha256.prefix(32)) }

  /// How long two looks into a folder lie apart, in milliseconds: a file that is being written has
  /// another size by then.
  package static let betweenLooks = 3000

  /// - Parameter isByHand: whether somebody asked out of turn; that does not put off the next turn.
  package mutating func failed(
    _ failure: NetAnswer.Failure, _ source: Source, at now: Int64, isByHand: Bool = false
  ) -> [Action] {
    let isFirst = failures == 0
    if !isByHand || isFirst { failures = min(failures + 1, 1000) }
    self.failure = failure
    if !isByHand || isFirst || next <= now {
      next = now + Self.wait(after: failures, failure, every: Int64(source.every))
    }
    let last = checked ?? since
    guard staleSince != last, now - last >= 3 * Int64(source.every) else { return [] }
    staleSince = last
    let seen =
      checked.map { "It was last reached \(timestamp($0))." } ?? "It was never reached so far."
    return [
      .tell(
        Notice(
          id: "source-stale:\(source.id):\(last)", event: .sourceStale, time: now,
          subject: "The source \(source.id) cannot be reached",
          text: "\(source.url)\n\(failure.message). \(seen) procd goes on trying.",
          details: [
            "source": .string(source.id), "url": .string(source.url),
            "code": .string(failure.code), "message": .string(failure.message),
            "checked": checked.map { .string(timestamp($0)) },
          ]))
    ]
  }

  /// What those are told who were told that the source cannot be reached, now that it was; nil where there is nothing to
  /// tell. Once it is kept, ``staleSince`` is nil.
  package func reachedAgain(_ source: Source) -> Notice? {
    guard let staleSince, let checked, checked > staleSince, failures == 0 else { return nil }
    return Notice(
      id: "source-back:\(source.id):\(staleSince)", event: .sourceStale, time: checked,
      subject: "The source \(source.id) can be reached again",
      text: "\(source.url)\nBefore, it was last reached \(timestamp(staleSince)).",
      details: [
        "source": .string(source.id), "url": .string(source.url), "isReached": true,
        "checked": .string(timestamp(checked)),
      ])
  }

  private mutating func succeed(_ source: Source, at now: Int64) {
    (checked, failures, failure) = (now, 0, nil)
    next = now + Int64(source.every)
  }

  private static let firstWait: Int64 = 60_000
  private static let longestWait: Int64 = 86_400_000

  /// A minute, then twice as long each time, at most as long as between two questions; at least as
  /// long as the server asks for, within a day.
  static func wait(
    after failures: Int, _ failure: NetAnswer.Failure, every: Int64
  ) -> Int64 {
    let doubled = firstWait << Int64(min(max(0, failures - 1), 20))
    let asked = Int64(min(failure.retryAfter ?? 0, 86_400)) * 1000
    return max(min(doubled, every), min(asked, longestWait))
  }
}
