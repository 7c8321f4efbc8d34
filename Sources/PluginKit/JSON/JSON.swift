/// A JSON value (RFC 8259). Members of an object keep their order, so that what is written is
/// deterministic.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One name and value of an object.
  public struct Member: Sendable, Hashable {
    /// The key, with its escapes resolved.
    public var name: String
    /// What stands behind the key.
    public var value: JSON
    /// A member of a name and a value.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The member of this name, nil where this is no object or lacks it.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// This object with the member set; other kinds become an object of that one member.
  public func setting(_ name: String, _ value: JSON?) -> JSON {
    var members: [Member] = []
    if case .object(let present) = self { members = present }
    if let index = members.firstIndex(where: { $0.name == name }) {
      if let value { members[index].value = value } else { members.remove(at: index) }
    } else if let value {
      members.append(Member(name, value))
    }
    return .object(members)
  }

  /// The text of a string; nil for other kinds.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The value of a boolean; nil for other kinds.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements of an array; nil for other kinds.
  public var arrayValue: [JSON]? { if case .array(let value) = self { value } else { nil } }
  /// The members of an object in their order; nil for other kinds.
  public var members: [Member]? { if case .object(let value) = self { value } else { nil } }

  /// The value as an integer: integers, and numbers without a fraction that fit.
  public var integerValue: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The value of a number, whole ones included; nil for other kinds. Large integers are rounded.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByFloatLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number, also where it has no fraction.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// An array of its elements in their order.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// Members whose value is nil are left out.
  public init(dictionaryLiteral elements: (String, JSON?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
