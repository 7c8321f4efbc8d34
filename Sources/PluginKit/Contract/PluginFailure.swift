/// Why a step did not give its result. The class alone decides what the host does next; the code is
/// stable and may be matched by scripts; the message is one sentence for people.
public struct PluginFailure: Error, Sendable, Equatable {
  /// Who is at fault. Raw values are the words of procd/1.
  public enum Class: String, Sendable, CaseIterable {
    /// The file is at fault: never tried again.
    case input
    /// Something outside is at fault for now: tried again later.
    case transient
    /// The step's options are wrong: the configuration must change.
    case options
    /// The step itself is at fault: tried once more, then given up.
    case `internal`
    /// The host asked to stop.
    case cancelled
  }

  /// Decides whether the host tries again.
  public var `class`: Class
  /// Lower-case words joined by dots: `pdf.password`, `image.truncated`.
  public var code: String
  /// One sentence for people, without full stop.
  public var message: String
  /// The page at fault, counted from 1.
  public var page: Int?
  /// What the user may do next, one sentence.
  public var hint: String?

  /// A failure; ``isCode(_:)`` tells which codes procd accepts.
  public init(
    _ class: Class, _ code: String, _ message: String, page: Int? = nil, hint: String? = nil
  ) {
    self.class = `class`
    self.code = code
    self.message = message
    self.page = page
    self.hint = hint
  }

  /// The failure as procd/1 has it.
  var json: JSON {
    [
      "class": .string(self.class.rawValue), "code": .string(code), "msg": .string(message),
      "page": page.map { .integer($0) }, "hint": hint.map { .string($0) },
    ]
  }

  /// Whether a text is a code: lower-case letters, digits, dots and dashes, no more than 64.
  public static func isCode(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
      }
  }

  /// Reads a failure from a message; what is missing or odd makes it an internal one.
  public init(_ json: JSON) {
    if let code = json["code"]?.stringValue, !Self.isCode(code) {
      self.init(
        .internal, "plugin.protocol",
        "the step gave a code that is none (lower-case letters, digits, dots and dashes, at most 64)"
      )
      return
    }
    let name = json["class"]?.stringValue, known = name.flatMap(Class.init(rawValue:))
    let unknown =
      known == nil
      ? name.map {
        "the step gave the class \"\($0.prefix(100))\"; there are \(Class.allCases.map(\.rawValue).joined(separator: ", "))"
      } : nil
    self.init(
      known ?? .internal,
      json["code"]?.stringValue ?? "plugin.protocol",
      json["msg"]?.stringValue ?? "the step failed without saying why",
      page: json["page"]?.integerValue.flatMap { (1...10_000_000).contains($0) ? $0 : nil },
      hint: json["hint"]?.stringValue ?? unknown)
  }
}
