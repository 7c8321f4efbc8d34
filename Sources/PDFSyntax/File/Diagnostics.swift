/// What was odd about a file and was read nevertheless.
public struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
  /// How much a finding matters.
  public enum Severity: Int, Sendable {
    /// Repaired without loss.
    case repaired
    /// Part of the content is missing from what was read.
    case lost
  }

  /// Whether anything was lost.
  public var severity: Severity
  /// A sentence without full stop.
  public var message: String
  /// The object it is about, where known.
  public var object: PDFReference?
  /// The byte offset in the file, where known.
  public var offset: Int?

  /// The message with its object and its offset in parentheses, as far as they are known.
  public var description: String {
    var text = message
    if let object { text += " (object \(object.number))" }
    if let offset { text += " (at byte \(offset))" }
    return text
  }
}

/// The diagnostics of one file, in order, each message once for an object, at most
/// ``Diagnostics/limit`` of them.
public struct Diagnostics: Sendable {
  /// The findings that are kept; a file made to complain gives no more.
  public static let limit = 200
  /// In the order in which they were found.
  public private(set) var list: [Diagnostic] = []
  /// Whether some content is missing from what was read.
  public var isPartial: Bool { losses > 0 }
  /// How often content was found to be missing, also where nothing more is kept.
  public private(set) var losses = 0

  /// Notes a finding, unless the limit is reached.
  public mutating func add(
    _ severity: Diagnostic.Severity, _ message: String, object: PDFReference? = nil,
    offset: Int? = nil
  ) {
    if severity == .lost { losses += 1 }
    guard list.count < Self.limit else { return }
    let entry = Diagnostic(severity: severity, message: message, object: object, offset: offset)
    if !list.contains(entry) { list.append(entry) }
  }
}
