package import PluginKit

/// The API as an OpenAPI 3.1 document.
package enum OpenAPI {
  package static func document(version: String) -> JSON {
    var paths: [(String, [(String, JSON)])] = []
    for endpoint in Endpoint.all {
      let entry = (endpoint.method.rawValue, operation(endpoint))
      if let index = paths.firstIndex(where: { $0.0 == endpoint.path }) {
        paths[index].1.append(entry)
      } else {
        paths.append((endpoint.path, [entry]))
      }
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "procd's page", "version": .string(version),
        "description":
          "Same origin, a session's cookie. Failures are {\"code\", \"message\"}.",
      ],
      "paths": object(paths.map { ($0.0, object($0.1)) }),
      "components": [
        "securitySchemes": [
          "session": ["type": "apiKey", "in": "cookie", "name": .string(PageSetup.cookieName)]
        ],
        "schemas": [
          "Failure": [
            "type": "object", "required": ["code", "message"],
            "properties": ["code": ["type": "string"], "message": ["type": "string"]],
          ]
        ],
      ],
    ]
  }

  private static func object(_ members: [(String, JSON)]) -> JSON {
    .object(members.map { .init($0.0, $0.1) })
  }

  private static func operation(_ endpoint: Endpoint) -> JSON {
    let inPath = endpoint.pathParameters.map { name -> JSON in
      [
        "name": .string(name), "in": "path", "required": true, "schema": ["type": "string"],
      ]
    }
    let inQuery = endpoint.query.map { parameter -> JSON in
      [
        "name": .string(parameter.name), "in": "query", "description": .string(parameter.about),
        "required": .bool(parameter.isRequired), "schema": schema(parameter.kind),
      ]
    }
    var statuses = [400, 403, 503] + endpoint.refusals
    if !endpoint.isOpen { statuses.append(401) }
    if !endpoint.body.isEmpty { statuses += [413, 415] }
    var answers: [(String, JSON)] = [success(endpoint)]
    for status in Set(statuses).sorted() { answers.append(("\(status)", failure)) }
    return [
      "summary": .string(endpoint.about),
      "parameters": .array(inPath + inQuery), "requestBody": body(endpoint),
      "responses": object(answers),
      "security": endpoint.isOpen ? .array([]) : .array([["session": .array([])]]),
    ]
  }

  private static let failure: JSON = [
    "description": "Why not",
    "content": [
      "application/json": ["schema": ["$ref": "#/components/schemas/Failure"]]
    ],
  ]

  private static func success(_ endpoint: Endpoint) -> (String, JSON) {
    let json: JSON = [
      "description": "Done", "content": ["application/json": ["schema": ["type": "object"]]],
    ]
    return switch endpoint.work {
    case .own(.login), .own(.logout): ("204", ["description": "Done"])
    case .own(.events): ("200", ["description": "A stream", "content": ["text/event-stream": [:]]])
    case .file: ("200", ["description": "The file", "content": ["*/*": [:]]])
    case .upload(.inbox): ("201", json)
    case .own, .answer, .upload: ("200", json)
    }
  }

  private static func body(_ endpoint: Endpoint) -> JSON? {
    if case .upload = endpoint.work {
      return [
        "required": true,
        "content": [
          "application/octet-stream": ["schema": ["type": "string", "format": "binary"]]
        ],
      ]
    }
    guard !endpoint.body.isEmpty else { return nil }
    let required = endpoint.body.filter(\.isRequired).map { JSON.string($0.name) }
    let object: JSON = [
      "type": "object", "required": required.isEmpty ? nil : .array(required),
      "properties": Self.object(
        endpoint.body.map { member in
          (member.name, schema(member.kind))
        }),
    ]
    return ["required": true, "content": ["application/json": ["schema": object]]]
  }

  private static func schema(_ kind: Endpoint.Parameter.Kind) -> JSON {
    switch kind {
    case .text(let length): ["type": "string", "maxLength": .integer(max(1, length))]
    case .texts(let most):
      ["type": "array", "items": ["type": "string"], "maxItems": .integer(most)]
    case .objects(let most):
      ["type": "array", "items": ["type": "object"], "maxItems": .integer(most)]
    case .number(let range):
      [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .day: ["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .flag: ["type": "boolean"]
    case .choice(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    }
  }
}
