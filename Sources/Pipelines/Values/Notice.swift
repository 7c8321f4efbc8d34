internal import PlainText
package import PluginKit

/// Something that somebody may want to be told of.
package struct Notice: Sendable, Equatable {
  package enum Event: String, Sendable, CaseIterable {
    /// A followed number appears, gains a row, has a row changed, or is gone.
    case number
    case done
    /// The same, and only a part of the file could be read.
    case partial
    /// A step has something to tell: its fact `news`.
    case news
    case quarantined
    case paused
    /// A file stays in the inbox until somebody does something about it.
    case stuck
    /// procd ended by itself, or could not start.
    case stopped
    case pluginDisabled = "plugin-disabled"
    case sourceStale = "source-stale"
  }

  /// The same for the same news, however often it is found: what makes telling it twice avoidable.
  package var id: String
  package var event: Event
  /// Milliseconds since 1970.
  package var time: Int64
  /// Of news of a number: its list.
  package var series: String?
  package var number: String?
  /// What the number is called by who follows it.
  package var label: String?
  /// One line.
  package var subject: String
  /// The rest for people; may be several lines.
  package var text: String
  /// The same for programs.
  package var details: JSON

  package init(
    id: String, event: Event, time: Int64, series: String? = nil, number: String? = nil,
    label: String? = nil, subject: String, text: String = "", details: JSON = [:]
  ) {
    (self.id, self.event, self.time) = (id, event, time)
    (self.series, self.number, self.label) = (series, number, label)
    // Whoever is told sees one line for the subject, and no line in the text that a name has made.
    (self.subject, self.text) = (subject.plain, PlainText(lines: text).string)
    self.details = details
  }
}
