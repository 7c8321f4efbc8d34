internal import FoundationEssentials
internal import GRDB
internal import Pipelines
internal import SystemPackage

/// Finds the number that the names of a bundle get. Numbers grow in the order in which files were published: the
/// highest one that stands is the newest, also where earlier ones were taken away.
struct NumberedNames {
  let bundle: NameBundle
  let job: String
  let database: Database
  /// Whether nothing stands at that path on the disk.
  let isFree: (Place, FilePath) -> Bool

  /// - Returns: 1 for the plain names.
  func number() throws -> Int {
    let plain = bundle.paths(1)
    if bundle.onClash == .refuse {
      if let taken = try plain.first(where: { try !isFree($0) }) {
        throw LedgerError.nameTaken(bundle.place, taken)
      }
      return 1
    }
    let rows = try plain.compactMap(row)
    var isOvertaken = false
    if bundle.onClash == .replace {
      if let holder = try plain.lazy.compactMap(holder).first {
        throw LedgerError.nameHeld(by: holder)
      }
      // What came later stays. One that would have come in a time that is not yet was named by a wrong clock.
      let now = JobIdentifiers.prefix(at: Int64(Date().timeIntervalSince1970 * 1000))
      isOvertaken = rows.contains { $0.job > job && $0.job.prefix(10) <= now }
      if !isOvertaken {
        try keep(1, plain, [])
        return 1
      }
    }
    var last = rows.map(\.number).max() ?? 1
    // Those that were taken away count no more.
    while last > 1, try isFree(last) { last -= 1 }
    if !isOvertaken, last == 1, try isFree(1) {
      if !rows.isEmpty { try forget(plain) }
      return 1
    }
    let number = try firstFree(after: last)
    try keep(number, plain, rows)
    return number
  }

  /// The first free number. What stands there without the ledger knowing may be much, and is numbered without gaps
  /// where it came from here: steps double, and the last one is halved.
  private func firstFree(after last: Int) throws -> Int {
    var taken = last, step = 1
    while try !isFree(taken + step) {
      (taken, step) = (taken + step, step * 2)
      guard step < 1 << 40 else {
        throw LedgerError.noName("no free name is left for a result of job \(job)")
      }
    }
    var free = taken + step
    while free - taken > 1 {
      let middle = taken + (free - taken) / 2
      if try isFree(middle) { free = middle } else { taken = middle }
    }
    return free
  }

  private func isFree(_ number: Int) throws -> Bool {
    try bundle.paths(number).allSatisfy { try isFree($0) }
  }

  private func isFree(_ path: FilePath) throws -> Bool {
    guard isFree(bundle.place, path) else { return false }
    return try holder(path) == nil
  }

  /// The other job that has reserved a path.
  private func holder(_ path: FilePath) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT job FROM name WHERE place = ? AND path = ?"),
      arguments: [bundle.place.rawValue, path.data])
  }

  private func row(_ path: FilePath) throws -> (number: Int, job: String)? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT number, job FROM numbered WHERE place = ? AND path = ?"),
      arguments: [bundle.place.rawValue, path.data]
    ).map { ($0["number"], $0["job"]) }
  }

  private func keep(
    _ number: Int, _ plain: [FilePath], _ rows: [(number: Int, job: String)]
  ) throws {
    // Identifiers grow with time: this is the latest that had one of the names.
    let job = rows.map(\.job).reduce(job, max)
    for path in plain {
      try database.perform(
        sql: "INSERT OR REPLACE INTO numbered (place, path, number, job) VALUES (?, ?, ?, ?)",
        arguments: [bundle.place.rawValue, path.data, number, job])
    }
  }

  private func forget(_ plain: [FilePath]) throws {
    for path in plain {
      try database.perform(
        sql: "DELETE FROM numbered WHERE place = ? AND path = ?",
        arguments: [bundle.place.rawValue, path.data])
    }
  }
}
