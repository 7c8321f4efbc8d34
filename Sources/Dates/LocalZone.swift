internal import Glibc

/// A time zone of the system's data, for the whole process: the C library knows one at a time, and finds it by an
/// environment variable, so it is chosen before other threads run.
package struct LocalZone: Sendable {
  private var day = Int.min
  private var dayOffset: Int64?

  private static let folder = "/usr/share/zoneinfo/"

  /// Takes a zone by name; the empty name is that of the machine.
  ///
  /// - Returns: nil if there is no such zone.
  package init?(_ name: String) {
    if !name.isEmpty {
      guard Self.exists(name) else { return nil }
      unsafe setenv("TZ", name, 1)
    }
    tzset()
  }

  /// Returns whether the system has data of a zone, such as `Europe/Berlin`.
  package static func exists(_ name: String) -> Bool {
    guard !name.isEmpty, name.count < 64, !name.hasPrefix("/"), !name.hasPrefix("."),
      !name.contains("..")
    else { return false }
    var status = stat()
    return unsafe stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The name of the machine's zone, or nil if it has none by name.
  package static var ofMachine: String? {
    guard let path = unsafe realpath("/etc/localtime", nil) else { return nil }
    defer { unsafe free(path) }
    let target = unsafe String(cString: path)
    guard target.hasPrefix(folder) else { return nil }
    let name = String(target.dropFirst(folder.count))
    return exists(name) ? name : nil
  }

  /// Seconds that clocks of the zone are ahead of UTC at a time.
  package func offset(at time: Int64) -> Int64 {
    var time = time_t(time), parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
    return unsafe Int64(parts.tm_gmtoff)
  }

  /// The time at which clocks show this many seconds since 1970-01-01 00:00.
  ///
  /// An hour that comes twice is taken the first time, one that is left out as if it were not.
  package mutating func time(ofClock clock: Int64) -> Int64 {
    let day = Int(clock / 86_400)
    if day == self.day, let dayOffset { return clock - dayOffset }
    let before = offset(at: clock - 86_400), after = offset(at: clock + 86_400)
    self.day = day
    dayOffset = before == after ? before : nil
    if offset(at: clock - before) == before { return clock - before }
    return offset(at: clock - after) == after ? clock - after : clock - before
  }

  /// What clocks show at a time, in seconds since 1970-01-01 00:00.
  package func clock(at time: Int64) -> Int64 { time + offset(at: time) }
}
