public import PluginKit

/// A small checker of JSON Schema (2020-12): as much of it as procd prints. It knows nothing of
/// shapes, so that it can contradict them.
public struct SchemaChecker {
  private let schema: JSON

  /// A checker of values against a schema; `$ref` is looked up in its `$defs`.
  public init(_ schema: JSON) { self.schema = schema }

  /// Everything in which a value differs from the schema, with the place.
  public func violations(of value: JSON) -> [String] { check(value, schema, at: "$") }

  /// Keywords that change no verdict here.
  private static let notes: Set<String> = [
    "$schema", "$id", "$defs", "title", "description", "default", "format", "then",
  ]

  private func check(_ value: JSON, _ rule: JSON, at place: String) -> [String] {
    guard let keywords = rule.members else { return ["\(place): a schema that is no object"] }
    return keywords.flatMap { keyword in
      check(value, keyword.name, keyword.value, rule, at: place)
    }
  }

  private func check(
    _ value: JSON, _ keyword: String, _ wanted: JSON, _ rule: JSON, at place: String
  ) -> [String] {
    func unless(_ holds: Bool) -> [String] { holds ? [] : ["\(place): \(keyword)"] }
    switch keyword {
    case "type": return unless(isType(value, wanted.stringValue ?? ""))
    case "enum": return unless((wanted.arrayValue ?? []).contains { same($0, value) })
    case "const": return unless(same(wanted, value))
    case "minimum": return unless(number(value).map { $0 >= number(wanted) ?? 0 } ?? true)
    case "maximum": return unless(number(value).map { $0 <= number(wanted) ?? 0 } ?? true)
    case "minLength":
      return unless(
        value.stringValue.map { $0.unicodeScalars.count >= wanted.integerValue ?? 0 } ?? true)
    case "minItems":
      return unless(value.arrayValue.map { $0.count >= wanted.integerValue ?? 0 } ?? true)
    case "pattern":
      return unless(value.stringValue.map { matches($0, wanted.stringValue ?? "") } ?? true)
    case "items":
      return (value.arrayValue ?? []).enumerated().flatMap { index, item in
        check(item, wanted, at: "\(place)[\(index)]")
      }
    case "required":
      guard let members = value.members else { return [] }
      return (wanted.arrayValue ?? []).compactMap(\.stringValue)
        .filter { name in !members.contains { $0.name == name } }
        .map { "\(place): required \($0)" }
    case "properties":
      return (value.members ?? []).flatMap { member in
        wanted[member.name].map { check(member.value, $0, at: "\(place).\(member.name)") } ?? []
      }
    case "patternProperties":
      return (value.members ?? []).flatMap { member in
        (wanted.members ?? []).filter { matches(member.name, $0.name) }.flatMap {
          check(member.value, $0.value, at: "\(place).\(member.name)")
        }
      }
    case "additionalProperties":
      let others = (value.members ?? []).filter { member in
        rule["properties"]?[member.name] == nil
          && !(rule["patternProperties"]?.members ?? []).contains { matches(member.name, $0.name) }
      }
      if wanted == false { return others.map { "\(place): additional \($0.name)" } }
      return others.flatMap { check($0.value, wanted, at: "\(place).\($0.name)") }
    case "anyOf":
      return unless((wanted.arrayValue ?? []).contains { check(value, $0, at: place).isEmpty })
    case "allOf": return (wanted.arrayValue ?? []).flatMap { check(value, $0, at: place) }
    case "if":
      guard check(value, wanted, at: place).isEmpty, let then = rule["then"] else { return [] }
      return check(value, then, at: place)
    case "$ref":
      let name = (wanted.stringValue ?? "").replacing("#/$defs/", with: "")
      guard let found = schema["$defs"]?[name] else { return ["\(place): no $defs/\(name)"] }
      return check(value, found, at: place)
    case _ where Self.notes.contains(keyword): return []
    // A keyword that nobody checks would make every agreement worthless.
    default: return ["\(place): the checker does not know \(keyword)"]
    }
  }

  private func isType(_ value: JSON, _ name: String) -> Bool {
    switch (name, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("null", .null), ("integer", .integer), ("number", .integer), ("number", .number):
      true
    case ("integer", .number(let number)): number == number.rounded()
    default: false
    }
  }

  private func number(_ value: JSON) -> Double? { value.doubleValue }

  private func same(_ left: JSON, _ right: JSON) -> Bool {
    left == right || (left.doubleValue != nil && left.doubleValue == right.doubleValue)
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? Regex(pattern) else { return false }
    return text.firstMatch(of: expression) != nil
  }
}
