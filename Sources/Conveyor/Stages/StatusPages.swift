package import Files
internal import Pipelines
package import Series
internal import SystemPackage

/// The pages of lists for people, `SERIES.status.html` in the outbox.
package enum StatusPages {
  /// Writes the page of a list anew, over the one that stands there.
  package static func renew(
    _ series: String, _ reader: SeriesReader, outbox: Folder
  ) throws {
    let page = try StatusPage(series: series, reader: reader, now: wallTime()).html
    let name = FilePath("\(series).status.html")
    try outbox.makeFolder(".procd", mode: 0o700)
    let own = try outbox.folder(".procd")
    try own.remove(name)
    let file = try own.creating(name, mode: 0o660)
    try file.write(page.span)
    try file.setMode(0o660)
    try file.sync()
    try own.replace(name, in: outbox, as: name)
  }
}
