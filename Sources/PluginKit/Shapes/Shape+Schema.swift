extension Shape {
  /// The JSON Schema (2020-12) of a file whose top is this shape.
  public func schema(title: String, identifier: String) -> JSON {
    var definitions = SchemaDefinitions()
    let body = schema(&definitions)
    var members: [JSON.Member] = [
      JSON.Member("$schema", "https://json-schema.org/draft/2020-12/schema"),
      JSON.Member("$id", .string(identifier)), JSON.Member("title", .string(title)),
    ]
    members += body.members ?? []
    if !definitions.done.isEmpty {
      members.append(JSON.Member("$defs", .object(definitions.done)))
    }
    return .object(members)
  }

  /// The schema without title, for use inside another.
  public var schemaBody: JSON {
    var definitions = SchemaDefinitions()
    return schema(&definitions)
  }

  fileprivate func schema(_ definitions: inout SchemaDefinitions) -> JSON {
    switch self {
    case .any: return [:]
    case .boolean: return ["type": "boolean"]
    case .integer(let range):
      return [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
      ]
    case .number(let range):
      return [
        "type": "number", "minimum": .number(range.lowerBound),
        "maximum": range.upperBound.isFinite ? .number(range.upperBound) : nil,
      ]
    case .string: return ["type": "string"]
    case .text: return ["type": "string", "minLength": 1]
    case .identifier: return ["type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*$"]
    case .fileExtension:
      return [
        "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9][A-Za-z0-9_-]*)*$",
      ]
    case .regex: return ["type": "string", "format": "regex"]
    case .duration:
      return ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? *(ms|s|m|h|d)$"]
    case .size:
      return [
        "type": "string",
        "pattern": "^[0-9]+(\\.[0-9]+)? *(B|KiB|MiB|GiB|TiB|KB|MB|GB)$",
      ]
    case .pixels: return ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? *(px|kpx|Mpx|Gpx)$"]
    // No schema can compare quantities, or ask more of a value.
    case .atLeast(_, let shape), .such(let shape, _): return shape.schema(&definitions)
    case .day:
      return ["type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .permissions: return ["type": "string", "pattern": "^0?[67][0-7][0-7]$"]
    case .secret:
      let places = ["file", "environment"].map { key -> JSON in
        [
          "type": "object", "properties": .object([JSON.Member(key, ["type": "string"])]),
          "required": .array([.string(key)]), "additionalProperties": false,
        ]
      }
      return ["oneOf": .array(places)]
    case .oneOf(let words): return ["enum": .array(words.map { .string($0) })]
    case .list(let shape, let atLeast):
      return [
        "type": "array", "items": shape.schema(&definitions),
        "minItems": atLeast > 0 ? .integer(atLeast) : nil,
      ]
    case .oneOrMany(let shape):
      let one = shape.schema(&definitions)
      return ["anyOf": [one, ["type": "array", "items": one]]]
    case .map(let shape):
      return ["type": "object", "additionalProperties": shape.schema(&definitions)]
    case .object(let object): return object.schema(&definitions)
    case .either(let shapes):
      return ["anyOf": .array(shapes.map { $0.schema(&definitions) })]
    case .named(let name, let shape):
      if definitions.started.insert(name).inserted {
        let body = shape().schema(&definitions)
        definitions.done.append(JSON.Member(name, body))
      }
      return ["$ref": .string("#/$defs/\(name)")]
    }
  }
}

private struct SchemaDefinitions {
  var started: Set<String> = []
  var done: [JSON.Member] = []
}

extension ObjectShape {
  fileprivate func schema(_ definitions: inout SchemaDefinitions) -> JSON {
    var properties: [JSON.Member] = []
    for field in fields {
      var members = field.shape.schema(&definitions).members ?? []
      members.append(JSON.Member("description", .string(field.about)))
      if let value = field.byDefault { members.append(JSON.Member("default", value)) }
      properties.append(JSON.Member(field.key, .object(members)))
    }
    let required = fields.filter(\.required).map { JSON.string($0.key) }
    return [
      "type": "object", "properties": .object(properties),
      "required": required.isEmpty ? nil : .array(required),
      // Members that begin with $ are for editors and comments.
      "patternProperties": open ? nil : ["^\\$": [:]],
      "additionalProperties": open ? nil : false,
    ]
  }
}
