extension PluginManifest {
  /// What `plugin.json` may hold. The same declaration reads the file and prints its schema.
  public static var shape: Shape {
    .object(
      ObjectShape(
        "plugin",
        [
          Field("name", .identifier, "The plugin's name, as reports show it", required: true),
          Field("version", .text, "The plugin's own version", required: true),
          Field("about", .string, "One sentence for people", byDefault: ""),
          Field(
            "command", .list(.text, atLeast: 1),
            "The program and its arguments; a program with a slash is relative to the plugin's folder",
            required: true),
          Field(
            "protocol", .oneOf(["procd/1", "command"]),
            "procd/1: JSON lines on standard input and output; command: environment in, files in"
              + " out/, exit codes",
            byDefault: "command"),
          Field(
            "sandbox", .object(sandboxShape), "What the plugin may reach besides its job's folder"),
          Field("steps", .map(.object(stepShape)), "The steps it offers, by name", required: true),
          Field(
            "commands", .map(.object(commandShape)), "Commands it adds: procd NAME …"),
        ]))
  }

  private static var sandboxShape: ObjectShape {
    ObjectShape(
      "sandbox",
      [
        Field("network", .boolean, "Whether it may open sockets", byDefault: false),
        Field("read", .list(.text), "Folders it may read, absolute paths", byDefault: []),
      ])
  }

  private static var stepShape: ObjectShape {
    ObjectShape(
      "step",
      [
        Field("about", .string, "One sentence for people", byDefault: ""),
        Field(
          "accepts", .list(.text), "Media types it reads, with * as in image/*",
          byDefault: ["*/*"]),
        Field(
          "outputs", .map(.object(outputShape)), "What it gives, by role", required: true),
        Field("options", .map(.object(optionShape)), "Its options, by name"),
        Field(
          "facts", .map(.either([.string, .object(factShape)])),
          "Facts it gives, by name, with what they say"),
        Field(
          "split", .oneOf(["page"]), "Run it once per page and once more to join the parts"),
        Field(
          "state", .boolean, "Whether it keeps a folder of its own between jobs",
          byDefault: false),
        Field(
          "travels", .boolean,
          "Whether other machines that have the same plugin may run it: it needs its inputs and options alone",
          byDefault: false),
      ])
  }

  private static var outputShape: ObjectShape {
    ObjectShape(
      "output",
      [
        Field("mime", .text, "Its media type", required: true),
        Field("extension", .fileExtension, "The extension of its file name, without a dot before"),
        Field("optional", .boolean, "Whether a run may end well without it", byDefault: false),
      ])
  }

  private static var factShape: ObjectShape {
    ObjectShape(
      "fact",
      [
        Field("about", .string, "One sentence for people", byDefault: ""),
        Field(
          "type", .oneOf(FactManifest.Kind.allCases.map(\.rawValue)), "What kind of value it has"),
        Field("of", .list(.text), "The media types of the files that have it; all when left out"),
      ])
  }

  private static var optionShape: ObjectShape {
    ObjectShape(
      "option",
      [
        Field(
          "type",
          .oneOf([
            "boolean", "integer", "number", "numbers", "string", "strings", "duration", "size",
            "regex", "secret",
          ]),
          "What kind of value it takes", required: true),
        Field("about", .string, "One sentence for people", byDefault: ""),
        Field("default", .any, "What stands when it is left out"),
        Field("enum", .list(.text), "The words it may be"),
        Field("minimum", .integer(.min ... .max), "The least number"),
        Field("maximum", .integer(.min ... .max), "The greatest number"),
        Field("minItems", .integer(0...1000), "How many numbers there are at least"),
        Field(
          "rule", .oneOf(ValueRule.allCases.map(\.rawValue)), "What holds for the value besides"),
      ])
  }

  private static var argumentsShape: [Shape] { [.oneOf(["all"]), .list(.integer(0...1000))] }

  private static var replacedShape: Shape {
    .oneOf(CommandManifest.Replacing.Files.allCases.map(\.rawValue))
  }

  private static var commandShape: ObjectShape {
    ObjectShape(
      "command",
      [
        Field("about", .string, "One sentence for people", byDefault: ""),
        Field(
          "reads", .either(argumentsShape + [.map(.either(argumentsShape))]),
          "Which arguments are files to read: all, or positions from 0, options not counted; or the"
            + " same by first argument, of those behind it",
          byDefault: []),
        Field(
          "opens", .list(.text), "Options whose value is a file to read, such as --from",
          byDefault: []),
        Field(
          "writes", .list(.text), "Options whose value is a file to write, such as -o",
          byDefault: []),
        Field(
          "replaces", .either([replacedShape, .map(replacedShape)]),
          "What its results replace unasked: what an earlier call made, or inputs; or the same by first argument"
        ),
        Field("values", .list(.text), "Options whose value is no file", byDefault: []),
        Field(
          "state", .boolean, "Whether it gets the folder that the plugin keeps between jobs",
          byDefault: false),
        Field(
          "recognizes", .boolean,
          "Whether it asks for the text of pictures and scans by ending with"
            + " \(CommandManifest.asksForText)", byDefault: false),
      ])
  }

  /// Reads a manifest that was checked against ``shape``.
  public init(checked json: JSON) {
    self.init(
      name: json["name"]?.stringValue ?? "", version: json["version"]?.stringValue ?? "",
      about: json["about"]?.stringValue ?? "",
      steps: (json["steps"]?.members ?? []).map { StepManifest(name: $0.name, checked: $0.value) },
      commands: (json["commands"]?.members ?? []).map {
        CommandManifest(name: $0.name, checked: $0.value)
      })
  }

  /// The manifest as a plugin states it when it says hello.
  public var json: JSON {
    [
      "name": .string(name), "version": .string(version), "about": .string(about),
      "steps": .object(steps.map { JSON.Member($0.name, $0.json) }),
      "commands": commands.isEmpty
        ? nil : .object(commands.map { JSON.Member($0.name, $0.json) }),
    ]
  }
}

extension CommandManifest {
  init(name: String, checked json: JSON) {
    func words(_ key: String) -> [String] {
      (json[key]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    func positions(_ value: JSON?) -> [Int] { (value?.arrayValue ?? []).compactMap(\.integerValue) }
    let reads: Reads =
      if let verbs = json["reads"]?.members {
        .behind(
          verbs.map {
            Reads.Verb($0.name, positions: $0.value == "all" ? nil : positions($0.value))
          })
      } else {
        json["reads"] == "all" ? .all : .positions(positions(json["reads"]))
      }
    func replacing(_ files: JSON?, _ verb: String?) -> Replacing? {
      files?.stringValue.flatMap(Replacing.Files.init).map { Replacing($0, verb: verb) }
    }
    self.init(
      name: name, about: json["about"]?.stringValue ?? "", reads: reads,
      opens: words("opens"), writes: words("writes"),
      replaces: json["replaces"]?.members?.compactMap { replacing($0.value, $0.name) }
        ?? replacing(json["replaces"], nil).map { [$0] } ?? [],
      values: words("values"),
      state: json["state"]?.boolValue ?? false, recognizes: json["recognizes"]?.boolValue ?? false)
  }

  var json: JSON {
    func arguments(_ positions: [Int]?) -> JSON {
      positions.map { .array($0.map { .integer($0) }) } ?? "all"
    }
    let reads: JSON =
      switch self.reads {
      case .all: arguments(nil)
      case .positions(let positions): arguments(positions)
      case .behind(let verbs):
        .object(verbs.map { JSON.Member($0.name, arguments($0.positions)) })
      }
    let replaced = replaces.map { ($0.verb, JSON.string($0.files.rawValue)) }
    return [
      "replaces": replaced.isEmpty
        ? nil
        : replaced.first { $0.0 == nil }?.1
          ?? .object(replaced.map { JSON.Member($0.0 ?? "", $0.1) }),
      "about": .string(about), "reads": reads, "opens": .array(opens.map { .string($0) }),
      "writes": .array(writes.map { .string($0) }), "values": .array(values.map { .string($0) }),
      "state": .bool(state), "recognizes": .bool(recognizes),
    ]
  }
}

extension StepManifest {
  init(name: String, checked json: JSON) {
    let outputs = (json["outputs"]?.members ?? []).map { member in
      OutputManifest(
        member.name, mime: member.value["mime"]?.stringValue ?? "application/octet-stream",
        fileExtension: member.value["extension"]?.stringValue ?? member.name,
        always: member.value["optional"]?.boolValue != true)
    }
    self.init(
      name: name, about: json["about"]?.stringValue ?? "",
      accepts: json["accepts"]?.arrayValue?.compactMap(\.stringValue) ?? ["*/*"],
      outputs: outputs,
      options: ObjectShape(
        "options of \(name)",
        (json["options"]?.members ?? []).map { Field(option: $0.name, checked: $0.value) }),
      facts: (json["facts"]?.members ?? []).map {
        FactManifest(
          $0.name, ($0.value["about"] ?? $0.value).stringValue ?? "",
          $0.value["type"]?.stringValue.flatMap(FactManifest.Kind.init),
          of: $0.value["of"]?.arrayValue?.compactMap(\.stringValue) ?? ["*/*"])
      },
      splitByPage: json["split"]?.stringValue == "page", state: json["state"]?.boolValue ?? false,
      travels: json["travels"]?.boolValue ?? false,
      dataFolders: json["dataFolders"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }

  var json: JSON {
    [
      "about": .string(about), "accepts": .array(accepts.map { .string($0) }),
      "outputs": .object(
        outputs.map { output in
          JSON.Member(
            output.role,
            [
              "mime": .string(output.mime), "extension": .string(output.fileExtension),
              "optional": .bool(!output.always),
            ])
        }),
      "options": .object(options.fields.map { JSON.Member($0.key, $0.optionJSON) }),
      "facts": .object(
        facts.map { fact in
          let about = JSON.string(fact.about), isOfAll = fact.types == ["*/*"]
          guard fact.kind != nil || !isOfAll else { return JSON.Member(fact.name, about) }
          return JSON.Member(
            fact.name,
            [
              "about": about, "type": fact.kind.map { .string($0.rawValue) },
              "of": isOfAll ? nil : .array(fact.types.map { .string($0) }),
            ])
        }),
      "split": splitByPage ? "page" : nil, "state": .bool(state), "travels": .bool(travels),
      "dataFolders": .array(dataFolders.map { .string($0) }),
    ]
  }
}

extension Field {
  init(option name: String, checked json: JSON) {
    let words = json["enum"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let low = json["minimum"]?.integerValue ?? .min, high = json["maximum"]?.integerValue ?? .max
    let least = json["minimum"]?.integerValue.map(Double.init) ?? -.greatestFiniteMagnitude
    let most = json["maximum"]?.integerValue.map(Double.init) ?? .greatestFiniteMagnitude
    let numbers: Shape = .number(least...max(least, most))
    let shape: Shape =
      switch json["type"]?.stringValue {
      case "boolean": .boolean
      case "integer": .integer(low...max(low, high))
      case "number": numbers
      case "numbers": .list(numbers, atLeast: json["minItems"]?.integerValue ?? 0)
      case "strings": .oneOrMany(words.isEmpty ? .text : .oneOf(words))
      case "duration": .duration
      case "size": .size
      case "regex": .regex
      case "secret": .secret
      default: words.isEmpty ? .string : .oneOf(words)
      }
    let rule = json["rule"]?.stringValue.flatMap(ValueRule.init)
    self.init(
      name, rule.map { .such(shape, $0) } ?? shape, json["about"]?.stringValue ?? "",
      byDefault: json["default"])
  }

  /// The option as `plugin.json` would declare it. Built-in plugins keep to the kinds that it knows.
  var optionJSON: JSON {
    var kind = "string", words: [String] = [], low: Int?, high: Int?, least: Int?
    var rule: ValueRule?
    if case .such(_, let held) = shape { rule = held }
    let shape = shape.bare
    switch shape {
    case .boolean: kind = "boolean"
    case .integer(let range):
      kind = "integer"
      low = range.lowerBound == .min ? nil : range.lowerBound
      high = range.upperBound == .max ? nil : range.upperBound
    case .number(let range), .list(.number(let range), _):
      (kind, low, high) = ("number", Int(exactly: range.lowerBound), Int(exactly: range.upperBound))
      if case .list(_, let atLeast) = shape { (kind, least) = ("numbers", atLeast) }
    case .duration: kind = "duration"
    case .size: kind = "size"
    case .regex: kind = "regex"
    case .secret: kind = "secret"
    case .oneOf(let list): words = list
    case .oneOrMany(.oneOf(let list)), .list(.oneOf(let list), _): kind = "strings"; words = list
    case .oneOrMany, .list: kind = "strings"
    default: break
    }
    return [
      "type": .string(kind), "about": .string(about), "default": byDefault,
      "enum": words.isEmpty ? nil : .array(words.map { .string($0) }),
      "minimum": low.map { .integer($0) }, "maximum": high.map { .integer($0) },
      "minItems": least.map { .integer($0) }, "rule": rule.map { .string($0.rawValue) },
    ]
  }
}
