internal import Files
internal import Glibc
package import Pipelines
internal import PluginKit
package import SystemPackage

/// A list that is looked into at its address, without any configuration. A copy is kept, so that asking
/// again costs nothing, and what it said last is known when the address cannot be reached.
package struct ListDownload: Sendable {
  private let source: Source
  private let cache: FilePath

  /// - Parameter cache: a folder of copies; made where it is missing.
  package init(_ url: String, cache: FilePath) {
    let name = String(ContentDigest(of: Array(url.utf8)).sha256.prefix(32))
    source = Source(id: name, url: url, every: Self.interval, allowsPrivate: false)
    self.cache = cache
  }

  /// Milliseconds; only states need it, which are not waited for here.
  private static let interval = 3_600_000

  /// The user's own cache; nil where neither `XDG_CACHE_HOME` nor `HOME` says where it is.
  package static func userCache() -> FilePath? {
    func path(_ variable: String) -> FilePath? {
      let path = unsafe getenv(variable).map { FilePath(unsafe String(cString: $0)) }
      return path?.isAbsolute == true ? path : nil
    }
    return (path("XDG_CACHE_HOME") ?? path("HOME")?.appending(".cache"))?.appending("procd")
  }

  /// The list, as it is or as it last was.
  package struct Copy: Sendable {
    package var path: FilePath
    /// What the server calls it.
    package var name: String
    /// When the server last said that this is the list; milliseconds since 1970.
    package var checked: Int64
    /// Whether it came just now, and not with an earlier look.
    package var isNew: Bool
    /// Why it may be out of date.
    package var failure: NetAnswer.Failure?
  }

  /// What has come so far of a list that is being fetched; nil where none is.
  package func arriving() -> (path: FilePath, bytes: Int, total: Int?)? {
    guard let place = SourceFolder.existing(source, spool: cache),
      let (done, total) = place.progress()
    else { return nil }
    return (place.folder.path.appending(SourceFolder.bodyName.components), done, total)
  }

  /// Asks the server.
  ///
  /// - Parameter anew: whether the whole list is asked for, also where the server says that it has not
  ///   changed: the copy is damaged.
  /// - Throws: where it cannot be reached and there is no copy either.
  package func fetch(
    _ net: NetProgram, anew: Bool = false,
    progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }
  ) async throws(NetAnswer.Failure) -> Copy {
    do {
      let place = try SourceFolder(source, spool: cache)
      try await wait(for: place)
      let now = wallTime()
      // It is about a copy: without it the list is fetched again, and nothing is lost.
      let known = (try? place.state()) ?? nil
      var state = (known ?? SourceState(source, at: now)).about(source, at: now)
      if try anew || !place.hasKept() {
        (state.etag, state.modified, state.sha256) = (nil, nil, nil)
      }
      var request = state.request(source, folder: place.folder.path.string)
      // Whoever names a host means it; where that host leads on to is another matter.
      request.bounds.allowsOwnHost = true
      request.wasPDF = true
      let answer = await net.answer(to: .fetch(request), progress: progress)
      let failure = try take(answer, &state, place)
      guard let checked = state.checked, try place.hasKept() else {
        throw failure ?? NetAnswer.Failure("net.program", "procd-net gave no list")
      }
      return Copy(
        path: place.keptPath, name: state.name ?? "list.pdf", checked: checked,
        isNew: (state.received ?? 0) >= now, failure: failure)
    } catch let failure as NetAnswer.Failure {
      throw failure
    } catch {
      throw NetAnswer.Failure("net.disk", "\(error)", isPassing: true)
    }
  }

  private func take(
    _ answer: NetAnswer, _ state: inout SourceState, _ place: SourceFolder
  ) throws -> NetAnswer.Failure? {
    switch answer {
    case .received(let file):
      let digest = try place.digest().sha256
      for action in state.received(file, sha256: digest, source, at: wallTime()) {
        switch action {
        case .handIn(let handing):
          try place.keep(handing.received, at: wallTime())
          state.handedIn(as: handing.name, source, at: wallTime())
        case .discard: try place.discardBody()
        case .tell: break
        }
      }
    case .unchanged: state.unchanged(source, at: wallTime())
    case .failed(let failure):
      _ = state.failed(failure, source, at: wallTime())
      try place.save(state)
      return failure
    case .progress, .accepted, .listed: return nil
    }
    try place.save(state)
    return nil
  }

  /// Another look at the same address may be under way.
  private func wait(for place: SourceFolder) async throws {
    let patience = ContinuousClock.now + .seconds(60)
    while !place.lock() {
      guard ContinuousClock.now < patience else {
        throw NetAnswer.Failure(
          "net.busy", "another procd asks this address just now", isPassing: true)
      }
      try await Task.sleep(for: .milliseconds(100))
    }
  }
}
