internal import Dates
internal import FoundationEssentials
package import PluginKit
internal import Synchronization
package import SystemPackage

extension FilePath {
  /// The bytes of the path as the kernel sees them.
  package var bytes: [UInt8] {
    unsafe withPlatformString { pointer in
      var bytes: [UInt8] = []
      var index = 0
      while unsafe pointer[index] != 0 {
        unsafe bytes.append(UInt8(bitPattern: pointer[index]))
        index += 1
      }
      return bytes
    }
  }

  /// A path of these bytes; what follows a zero byte is cut off.
  package init(bytes: some Sequence<UInt8>) {
    var characters = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
    characters.append(0)
    self.init(platformString: characters)
  }

  /// Of a path that is one name: the name without its extension, and the extension with its dot. What
  /// is longer than any extension is none.
  package var stemAndSuffix: (stem: [UInt8], suffix: [UInt8]) {
    let name = bytes
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 32 else {
      return (name, [])
    }
    return (Array(name[..<dot]), Array(name[dot...]))
  }

  /// The same with the extension before one that only tells of compression, `.xml.gz`: rules go by both, so what is
  /// added to a name stands before them.
  package var stemAndEnding: (stem: [UInt8], ending: [UInt8]) {
    let (stem, suffix) = stemAndSuffix
    let compressions = [".gz", ".bz2", ".xz", ".zst"]
    guard compressions.contains(String(decoding: suffix, as: UTF8.self).lowercased()) else {
      return (stem, suffix)
    }
    let (first, before) = FilePath(bytes: stem).stemAndSuffix
    // Not the last digits of a version or a date.
    guard before.count <= 12, let letter = before.dropFirst().first.map(Unicode.Scalar.init),
      letter.properties.isAlphabetic
    else { return (stem, suffix) }
    return (first, before + suffix)
  }

  /// A relative path of one name.
  package init(name: Component) { self.init(root: nil, [name]) }

  /// The path as JSON: text where it is UTF-8, else its bytes in base64 under `bytes`.
  package var json: JSON {
    if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
    return ["bytes": .string(Data(bytes).base64EncodedString())]
  }

  package init?(_ json: JSON) {
    if let text = json.stringValue {
      self.init(bytes: Array(text.utf8))
    } else if let encoded = json["bytes"]?.stringValue, let data = Data(base64Encoded: encoded) {
      self.init(bytes: data)
    } else {
      return nil
    }
  }

  /// The path as UTF-8 text, repaired where it is none, and its bytes in base64 in that case.
  package var repaired: (text: String, base64: String?) {
    let bytes = bytes
    if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
    return (String(decoding: bytes, as: UTF8.self), Data(bytes).base64EncodedString())
  }
}

/// Milliseconds since 1970 as `2026-01-02T03:04:05.678Z`.
package func timestamp(_ milliseconds: Int64) -> String {
  Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
}

/// Returns the day of a time in milliseconds since 1970, written 2026-01-31, in the zone that the configuration names,
/// or else in UTC.
package func day(of milliseconds: Int64) -> String { String(clock(of: milliseconds).prefix(10)) }

/// Returns the date and time of day in that zone for a time in milliseconds since 1970, written 2026-01-31T10:00:00.
package func clock(of milliseconds: Int64) -> String {
  let offset = dayZone.withLock { $0?.offset(at: milliseconds / 1000) } ?? 0
  return String(timestamp(milliseconds + offset * 1000).prefix(19))
}

/// Has days counted in a zone from now on. To be called before other threads run (``LocalZone``); one that does not
/// exist changes nothing, because the check of the configuration refuses it.
package func countDays(inZone name: String) {
  guard let zone = LocalZone(name) else { return }
  dayZone.withLock { $0 = zone }
}

private let dayZone = Mutex<LocalZone?>(nil)

/// The beginning of a day, written 2026-01-31, in UTC as milliseconds since 1970; nil for what is none.
package func milliseconds(ofDay text: String) -> Int64? {
  guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
    let date = try? Date(text, strategy: Date.ISO8601FormatStyle().year().month().day())
  else { return nil }
  return Int64(date.timeIntervalSince1970 * 1000)
}
