import ArgumentParser
import Conveyor
import Glibc
import Pipelines
import PlainText
import PluginKit
import Series
import SystemPackage

/// A list at an address: fetched, and looked into while it arrives.
extension LookupCommand {
  static func isAddress(_ list: String) -> Bool {
    let start = list.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The list at an address, or what was kept of it.
  func download(_ url: String) async throws -> (ListContent, Edition, Int64?) {
    guard let cache = ListDownload.userCache() else {
      throw ValidationError("HOME is not set, so there is no place for the list.")
    }
    signal(SIGPIPE, SIG_IGN)
    let download = ListDownload(url, cache: cache)
    var copy = try await fetch(download, url, anew: false)
    var (content, edition) = try await read(copy)
    // A copy that is damaged may be the fault of the way here, of which the server knows nothing.
    if edition.isPartial, !copy.isNew, copy.failure == nil {
      copy = try await fetch(download, url, anew: true)
      if copy.isNew { (content, edition) = try await read(copy) }
    }
    return (content, edition, copy.checked)
  }

  private func read(_ copy: ListDownload.Copy) async throws -> (ListContent, Edition) {
    try await ListFile(copy.path, name: copy.name).read(reading, options: options)
  }

  private func fetch(
    _ download: ListDownload, _ url: String, anew: Bool
  ) async throws -> ListDownload.Copy {
    let meter = DownloadMeter(url)
    let net = NetProgram(.ofThisProgram(), landlockCeiling: landlockCeiling())
    let (ticks, clock) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let ticking = Task { while (try? await Task.sleep(for: Self.glance)) != nil { clock.yield() } }
    let fetching = Task { () -> Result<ListDownload.Copy, NetAnswer.Failure> in
      defer {
        ticking.cancel()
        clock.finish()
      }
      do throws(NetAnswer.Failure) {
        return .success(try await download.fetch(net, anew: anew) { meter.show($0, of: $1) })
      } catch { return .failure(error) }
    }
    var glances = Glances(numbers: json ? [] : numbers.compactMap { ListNumber($0)?.text })
    for await _ in ticks { await look(at: download, &glances, meter) }
    let result = await fetching.value
    meter.clear()
    switch result {
    case .success(let copy):
      if let failure = copy.failure {
        Console.complain(
          "procd: \(failure.message) [\(failure.code)]; this is what the list said"
            + " \(LookupAnswer.age(wallTime() - copy.checked)) ago")
      }
      return copy
    case .failure(let failure):
      Console.complain("procd: \(failure.message) [\(failure.code)]")
      throw Status.deferred
    }
  }

  // MARK: - While a list arrives

  /// How often is looked at what has come of a list.
  private static let glance = Duration.seconds(2)

  /// What was looked at of a list that arrives.
  private struct Glances {
    /// Those of which nothing was told yet.
    var numbers: [String]
    var bytes = 0
    /// Looking takes no more than a quarter of the time.
    var next = ContinuousClock.now

    /// Whether so much more has come that it is worth a look.
    func areDue(at bytes: Int) -> Bool {
      !numbers.isEmpty && bytes >= 50_000 && bytes >= self.bytes + self.bytes / 4
        && ContinuousClock.now >= next
    }
  }

  /// Tells the row of a number as soon as its part of the list has come: many programs write the text of a page with the
  /// page, others only at the end of the file.
  private func look(
    at download: ListDownload, _ glances: inout Glances, _ meter: DownloadMeter
  ) async {
    guard let (path, bytes, total) = download.arriving(), glances.areDue(at: bytes) else { return }
    let start = ContinuousClock.now
    defer {
      let end = ContinuousClock.now
      (glances.bytes, glances.next) = (bytes, end.advanced(by: start.duration(to: end) * 3))
    }
    // What cannot be read yet is read when all of it is here.
    guard
      let (content, edition) = try? await ListFile(path, name: "list.pdf", isArriving: true).read(
        reading, options: options)
    else { return }
    glances.numbers.removeAll { number in
      guard let row = LookupAnswer(number, in: content, of: edition).entries.current else {
        return false
      }
      meter.clear()
      let of = total.map { " of \(ByteCount.text($0))" } ?? ""
      Console.complain("procd: in the first \(ByteCount.text(bytes))\(of): \(number)  \(row.line)")
      return true
    }
  }
}
