internal import Bytes
internal import Dates
internal import PluginKit

/// What the step's options and the commands' options say in common.
struct GuideSettings {
  var zone: LocalZone
  var zoneName: String
  /// Seconds after midnight.
  var dayStarts: Int64
  var keepPast: Int64

  /// - Throws: an `options` failure that names the value that is wrong.
  init(zone name: String, dayStarts: String, keepPast: String) throws(PluginFailure) {
    guard let zone = LocalZone(name) else {
      throw PluginFailure(
        .options, "guide.zone", "there is no time zone \"\(name)\"",
        hint: "names are as in Europe/Berlin; empty means that of this machine")
    }
    guard let start = TimeWords.secondsOfDay(dayStarts) else {
      throw PluginFailure(
        .options, "guide.dayStarts", "\"\(dayStarts)\" is no time of day; write it as 05:00")
    }
    guard let keep = Quantity.milliseconds(keepPast) else {
      throw PluginFailure(
        .options, "guide.keepPast", "\"\(keepPast)\" is no time span; write it as 7d or 12h")
    }
    self.zone = zone
    zoneName = name
    self.dayStarts = start
    self.keepPast = Int64(clamping: keep / 1000)
  }

  func words(now: Int64) -> TimeWords { TimeWords(zone: zone, now: now, dayStarts: dayStarts) }

  /// `05:00`
  var dayStartsText: String {
    "\((Int(dayStarts) / 3600).padded()):\((Int(dayStarts) / 60 % 60).padded())"
  }

  var clock: ClockText { ClockText(zone: zone) }
}
