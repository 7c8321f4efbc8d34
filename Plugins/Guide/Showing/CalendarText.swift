internal import Bytes

/// Programmes as a calendar that phones and mail programs read: iCalendar (RFC 5545).
struct CalendarText {
  /// When the calendar was made, seconds since 1970.
  let now: Int64

  /// - Parameter about: the description of a work; nil where there is none.
  func calendar(
    _ programmes: [FoundProgramme], about: (Int64) throws -> String?
  ) rethrows -> [UInt8] {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//procd//guide//EN", "METHOD:PUBLISH"]
    for programme in programmes {
      let title = programme.title.isEmpty ? "Without a title" : programme.title
      lines += [
        "BEGIN:VEVENT",
        "UID:\(programme.identifier.text)@guide.procd", "DTSTAMP:\(Self.time(now))",
        "DTSTART:\(Self.time(programme.start))", "DTEND:\(Self.time(programme.stop))",
        "SUMMARY:\(Self.text("\(title) (\(programme.channelName))"))",
        "LOCATION:\(Self.text(programme.channelName))",
      ]
      let about = try about(programme.work) ?? ""
      let text = [programme.subtitle, about].filter { !$0.isEmpty }.joined(separator: "\n")
      if !text.isEmpty { lines.append("DESCRIPTION:\(Self.text(text))") }
      lines += ["TRANSP:TRANSPARENT", "END:VEVENT"]
    }
    lines.append("END:VCALENDAR")
    return lines.flatMap(Self.folded)
  }

  /// `20260105T191500Z` (section 3.3.5).
  static func time(_ time: Int64) -> String {
    let days = Int((Double(time) / 86_400).rounded(.down)), seconds = Int(time) - days * 86_400
    let date = CalendarDate(daysSince1970: days).iso.filter { $0 != "-" }
    return
      "\(date)T\((seconds / 3600).padded())\((seconds / 60 % 60).padded())\((seconds % 60).padded())Z"
  }

  /// A value of the type TEXT (section 3.3.11). Control characters have no place in it.
  static func text(_ text: String) -> String {
    var value = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value.append(contentsOf: ["\\", scalar])
      case "\n": value.append(contentsOf: ["\\", "n"])
      default:
        if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value) { value.append(scalar) }
      }
    }
    return String(value)
  }

  /// A line in pieces of at most 75 bytes, none of which ends inside a scalar (section 3.1).
  static func folded(_ line: String) -> [UInt8] {
    var bytes: [UInt8] = [], length = 0
    for scalar in line.unicodeScalars {
      let encoded = Array(String(scalar).utf8)
      if length + encoded.count > 75 {
        bytes += [0x0D, 0x0A, 0x20]
        length = 1
      }
      bytes += encoded
      length += encoded.count
    }
    return bytes + [0x0D, 0x0A]
  }
}
