extension Shape {
  /// A number without a fraction that says nothing.
  private static func short(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// All that is wrong with a value, in the order of the text. A member that is wrong in itself
  /// hides what follows from it, so that one mistake gives one complaint.
  public func complaints(about node: JSONNode) -> [Complaint] {
    var found: [Complaint] = []
    check(node, into: &found)
    return found
  }

  private func check(_ node: JSONNode, into found: inout [Complaint]) {
    switch (self, node.kind) {
    case (.any, _), (.boolean, .bool), (.string, .string): break
    case (.named(_, let shape), _): shape().check(node, into: &found)
    case (.integer(let range), .integer(let value)) where range.contains(value): break
    case (.number(let range), .integer(let value)) where range.contains(Double(value)): break
    case (.number(let range), .number(let value)) where range.contains(value): break
    case (.text, .string(let value)) where !value.isEmpty: break
    case (.identifier, .string(let value)) where Self.isIdentifier(value): break
    case (.fileExtension, .string(let value))
    where value.split(separator: ".", omittingEmptySubsequences: false)
      .allSatisfy({ Self.isIdentifier(String($0)) }):
      break
    case (.duration, .string(let value)) where Quantity.milliseconds(value) != nil: break
    case (.size, .string(let value)) where Quantity.bytes(value) != nil: break
    case (.pixels, .string(let value)) where Quantity.pixels(value) != nil: break
    case (.atLeast(let least, let shape), .string(let value)) where shape.fits(node.kind):
      shape.check(node, into: &found)
      guard let amount = shape.amount(value), let bound = shape.amount(least), amount < bound else {
        break
      }
      found.append(
        Complaint("value.kind", "\(value) cannot work here; the least is \(least)", at: node.range))
    case (.atLeast(_, let shape), _): shape.check(node, into: &found)
    case (.such(let shape, let rule), _):
      let before = found.count
      shape.check(node, into: &found)
      if found.count == before, !rule.holds(for: node.value) {
        found.append(
          Complaint("value.kind", "\(rule.expectation) is expected here", at: node.range))
      }
    case (.day, .string(let value)) where Quantity.isDay(value): break
    case (.permissions, .string(let value)) where Quantity.permissions(value) != nil: break
    case (.regex, .string(let value)):
      do { _ = try Regex(value) } catch {
        found.append(
          Complaint(
            "value.regex", "this regular expression cannot be read", at: node.range,
            hint: String(describing: error).split(separator: "\n").first.map(String.init)))
      }
    case (.oneOf(let words), .string(let value)):
      guard !words.contains(value) else { break }
      let near = nearestName(to: value, among: words).map { "did you mean \"\($0)\"? " } ?? ""
      found.append(
        Complaint(
          "value.unknown", "\"\(value)\" is not allowed here", at: node.range,
          hint: "\(near)known: \(words.joined(separator: ", "))"))
    case (.secret, .object(let members)):
      Self.secretPlace.check(members, of: node, into: &found)
      if members.count(where: { Self.secretPlace[$0.name] != nil }) > 1 {
        found.append(
          Complaint("value.secret", "a secret has one place, file or environment", at: node.range))
      }
    case (.list(let shape, let atLeast), .array(let nodes)):
      if nodes.count < atLeast {
        found.append(
          Complaint(
            "value.empty",
            "at least \(atLeast) \(atLeast == 1 ? "entry is" : "entries are")"
              + " needed here", at: node.range))
      }
      for node in nodes { shape.check(node, into: &found) }
    case (.oneOrMany(let shape), .array(let nodes)):
      for node in nodes { shape.check(node, into: &found) }
    case (.oneOrMany(let shape), _): shape.check(node, into: &found)
    case (.map(let shape), .object(let members)):
      for member in members { shape.check(member.value, into: &found) }
    case (.object(let object), .object(let members)):
      object.check(members, of: node, into: &found)
    case (.either(let shapes), _):
      guard let shape = shapes.first(where: { $0.fits(node.kind) }) else { fallthrough }
      shape.check(node, into: &found)
    default:
      found.append(
        Complaint(
          "value.kind", "\(expectation) is expected here", at: node.range,
          hint: suggestion(for: node)))
    }
  }

  /// What a quantity comes to in its smallest unit; nil for what is none.
  private func amount(_ text: String) -> Int? {
    switch self {
    case .duration: Quantity.milliseconds(text)
    case .size: Quantity.bytes(text)
    case .pixels: Quantity.pixels(text)
    default: nil
    }
  }

  /// Whether the kind of JSON value can be meant for this shape.
  private func fits(_ kind: JSONNode.Kind) -> Bool {
    switch (self, kind) {
    case (.any, _): true
    case (.boolean, .bool), (.integer, .integer), (.number, .integer), (.number, .number): true
    case (.list, .array), (.oneOrMany, .array), (.map, .object), (.object, .object): true
    case (.secret, .object): true
    case (.string, .string), (.text, .string), (.identifier, .string), (.regex, .string): true
    case (.fileExtension, .string), (.day, .string): true
    case (.duration, .string), (.size, .string), (.pixels, .string), (.permissions, .string): true
    case (.oneOf(let words), .string(let value)): words.contains(value)
    case (.oneOrMany(let shape), _): shape.fits(kind)
    case (.either(let shapes), _): shapes.contains { $0.fits(kind) }
    case (.named(_, let shape), _): shape().fits(kind)
    case (.atLeast(_, let shape), _), (.such(let shape, _), _): shape.fits(kind)
    default: false
    }
  }

  /// What is expected, in words.
  var expectation: String {
    switch self {
    case .any: "a value"
    case .boolean: "true or false"
    case .integer(let range):
      range.upperBound == .max
        ? "a whole number from \(range.lowerBound)"
        : range.count == 1
          ? "\(range.lowerBound)"
          : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    case .string: "a string"
    case .text: "a string that is not empty"
    case .identifier: "a name of letters, digits, - and _"
    case .fileExtension: "an extension such as \"txt\" or \"words.jsonl\""
    case .regex: "a regular expression in quotes"
    case .duration: "a time with a unit such as \"2s\", \"5m\" or \"1h\""
    case .size: "a size with a unit such as \"512MiB\" or \"2GiB\""
    case .pixels: "a number of pixels such as \"250Mpx\""
    case .atLeast(_, let shape), .such(let shape, _): shape.expectation
    case .day: "a day such as \"2026-11-25\""
    case .permissions: "permissions in octal digits such as \"0640\", with rw for the owner"
    case .secret: "{\"file\": PATH} or {\"environment\": NAME}"
    case .oneOf(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .list: "a list in brackets"
    case .oneOrMany(let shape): "\(shape.expectation), or a list of such values,"
    case .map: "an object"
    case .object(let object): "an object (\(object.name))"
    case .either(let shapes): shapes.map(\.expectation).joined(separator: " or ")
    case .named(_, let shape): shape().expectation
    }
  }

  private func suggestion(for node: JSONNode) -> String? {
    switch (self, node.kind) {
    case (.duration, .integer(let value)): "write \"\(value)s\" for seconds"
    case (.size, .integer(let value)): "write \"\(value)MiB\" if you mean mebibytes"
    case (.pixels, .integer(let value)): "write \"\(value)Mpx\" if you mean million pixels"
    case (.permissions, .integer): "put it into quotes, with a zero in front"
    case (.boolean, .string(let value)) where value == "true" || value == "false":
      "leave the quotes out"
    case (.integer, .string(let value)) where Int(value) != nil: "leave the quotes out"
    case (.secret, .string): "secrets do not stand in this file"
    case (.list, .string), (.list, .object): "put it into [ ]"
    default: nil
    }
  }

  private static let secretPlace = ObjectShape(
    "secret",
    [
      Field("file", .text, "A file that holds the secret; a relative path starts at this file"),
      Field("environment", .text, "The environment variable of procd that holds the secret"),
    ])

  package static func isIdentifier(_ text: String) -> Bool {
    func plain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard let first = text.utf8.first, plain(first) else { return false }
    return text.utf8.allSatisfy { plain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }
}

extension ObjectShape {
  fileprivate func check(
    _ members: [JSONMember], of node: JSONNode, into found: inout [Complaint]
  ) {
    for member in members {
      if let field = self[member.name] {
        found += field.shape.complaints(about: member.value)
      } else if !open, !member.name.hasPrefix("$") {
        let known = fields.map(\.key)
        // What belongs one level further down was not mistyped.
        let inner = fields.first { $0.shape.object?[member.name] != nil }
        let near =
          inner.map { "it belongs in \"\($0.key)\": { \"\(member.name)\": … }; " }
          ?? nearestName(to: member.name, among: known).map { "did you mean \"\($0)\"? " }
        let list = known.isEmpty ? "there are none" : "known: \(known.joined(separator: ", "))"
        found.append(
          Complaint(
            name == "options" || name.hasPrefix("options of") ? "option.unknown" : "key.unknown",
            "\"\(member.name)\" is not a member of \(article) \(name)",
            at: member.nameRange, hint: "\(near ?? "")\(list)"))
      }
    }
    // A name that is nearly right was told already.
    let mistyped = members.filter { self[$0.name] == nil && !$0.name.hasPrefix("$") }
      .compactMap { nearestName(to: $0.name, among: fields.map(\.key)) }
    for field in fields
    where field.required && (open || !mistyped.contains(field.key))
      && !members.contains(where: { $0.name == field.key })
    {
      found.append(
        Complaint(
          "key.missing", "\(article) \(name) needs \"\(field.key)\": \(field.about)",
          at: node.range.lowerBound..<min(node.range.lowerBound + 1, node.range.upperBound)))
    }
  }

  private var article: String {
    if name.hasPrefix("options") || name.hasSuffix("s") { return "the" }
    return "aeiou".contains(name.first ?? "b") ? "an" : "a"
  }

  /// The object with declared defaults filled in.
  public func filled(_ json: JSON) -> JSON {
    var filled = json.members == nil ? .object([]) : json
    for field in fields where filled[field.key] == nil {
      if let value = field.byDefault { filled = filled.setting(field.key, value) }
    }
    return filled
  }
}

/// The name that a mistyped one most likely means, or nil where none is near.
///
/// - Parameter most: how many letters may differ; two, or a third of the name, when left out.
public func nearestName(to name: String, among names: [String], within most: Int? = nil) -> String?
{
  let wanted = Array(name.lowercased().utf8)
  guard wanted.count <= 100 else { return nil }
  var best: (name: String, distance: Int)?
  for candidate in names {
    let other = Array(candidate.lowercased().utf8)
    guard other.count <= 100 else { continue }
    // Edit distance with transpositions (optimal string alignment).
    var before: [Int] = [], previous = Array(0...other.count)
    for (row, byte) in wanted.enumerated() {
      var current = [row + 1]
      for (column, otherByte) in other.enumerated() {
        var cost = min(
          previous[column] + (byte == otherByte ? 0 : 1), previous[column + 1] + 1,
          current[column] + 1)
        if row > 0, column > 0, byte == other[column - 1], wanted[row - 1] == otherByte {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    let distance = previous[other.count]
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  if let best, best.distance <= most ?? max(2, wanted.count / 3) { return best.name }
  // Or the only one that it is the beginning of.
  let longer = names.filter { $0.lowercased().hasPrefix(name.lowercased()) }
  return most == nil && wanted.count >= 3 && longer.count == 1 ? longer[0] : nil
}

extension Shape {
  /// The members that it allows, where a value may be an object.
  fileprivate var object: ObjectShape? {
    switch self {
    case .object(let shape): shape
    case .either(let shapes): shapes.lazy.compactMap(\.object).first
    default: nil
    }
  }
}
