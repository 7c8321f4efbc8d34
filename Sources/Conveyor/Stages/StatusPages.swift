package import Files
internal import Pipelines
internal import PluginKit
package import Series
internal import Synchronization
internal import SystemPackage

/// The pages of lists for people, `SERIES.status.html` in the outbox.
package enum StatusPages {
  /// One page after the other, so that none is replaced by one that was read before it.
  private static let renewing = Mutex(())

  /// Writes the page of a list anew, over the one that stands there.
  package static func renew(
    _ series: String, _ reader: SeriesReader, outbox: Folder
  ) throws {
    try renewing.withLock { _ in
      let page = try StatusPage(series: series, reader: reader, now: wallTime()).html
      let own = try outbox.makeOwn()
      // A name of its own: procd follow writes the same page in another process.
      let temporary = FilePath("\(JobIdentifiers.make(at: wallTime())).html")
      do {
        let file = try own.creating(temporary, mode: 0o660)
        try file.write(page.span)
        try file.setMode(0o660)
        try file.sync()
        try own.replace(temporary, in: outbox, as: FilePath("\(series).status.html"))
      } catch {
        _ = try? own.remove(temporary)
        throw error
      }
    }
  }
}
