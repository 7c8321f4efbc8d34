/// The options of a step as they are meant: checked against the step's declaration, with its
/// defaults filled in.
public struct Options: Sendable, Hashable {
  /// An object.
  public let json: JSON

  /// Takes options that were checked already.
  public init(checked json: JSON) { self.json = json }

  /// The value of an option as it stands; nil where it was not set and has no default.
  public subscript(name: String) -> JSON? { json[name] }

  /// A text; nil where the option is not set or no text. Secrets are their texts here.
  public func string(_ name: String) -> String? { json[name]?.stringValue }
  /// A whole number; nil where the option is not set or no whole number.
  public func integer(_ name: String) -> Int? { json[name]?.integerValue }
  /// A number, whole ones included; nil where the option is not set or no number.
  public func double(_ name: String) -> Double? { json[name]?.doubleValue }
  /// Whether a boolean option is true; false also where it is not set.
  public func flag(_ name: String) -> Bool { json[name]?.boolValue ?? false }

  /// The text of a file of lines, without the byte order mark that editors of Windows put before it.
  public static func text(of bytes: [UInt8]) -> String {
    String(
      decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
  }

  /// The lines of a text that are not empty.
  public func lines(_ name: String) -> [String] {
    (string(name) ?? "").split(whereSeparator: \.isNewline).map(String.init)
  }

  /// A list of strings; a single string stands for a list of one.
  public func strings(_ name: String) -> [String] {
    switch json[name] {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.stringValue)
    default: []
    }
  }
}
