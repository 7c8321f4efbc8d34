internal import SystemPackage

/// Why a line is no message.
public struct MessageError: Error, Sendable {
  /// What is wrong with the line, one sentence without full stop.
  public var message: String
  /// An error with its explanation, one sentence without full stop.
  public init(message: String) { self.message = message }
}

extension Message {
  /// The message as a line, line feed included.
  public var line: [UInt8] { json.line + [0x0A] }

  /// The message as a value.
  package var json: JSON {
    switch self {
    case .hostHello(let host):
      return [
        "t": "hello", "protocols": [1], "host": .string(host), "features": ["progress", "cancel"],
        "limits": ["lineBytes": .integer(Self.longestLine)],
      ]
    case .run(let request): return request.json
    case .cancel(let id, let reason):
      return ["t": "cancel", "id": .string(id), "reason": .string(reason)]
    case .bye: return ["t": "bye"]
    case .pluginHello(let hello):
      return [
        "t": "hello", "protocol": .integer(hello.protocolNumber),
        "plugins": .array(hello.plugins.map(\.json)),
      ]
    case .begun(let id, let isolation):
      return ["t": "begun", "id": .string(id), "isolation": isolation]
    case .progress(let id, let done, let total, let unit):
      return [
        "t": "progress", "id": .string(id), "done": .integer(done), "total": .integer(total),
        "unit": .string(unit),
      ]
    case .log(let id, let level, let code, let message, let page):
      return [
        "t": "log", "id": .string(id), "level": .string(level), "code": .string(code),
        "msg": .string(message), "page": page.map { .integer($0) },
      ]
    case .artifact(let id, let artifact):
      return [
        "t": "artifact", "id": .string(id), "role": .string(artifact.role),
        "path": .string(artifact.path), "mime": .string(artifact.mime),
        "label": artifact.label.map { .string($0) },
      ]
    case .done(let id, .success(let output)):
      return [
        "t": "done", "id": .string(id), "ok": true, "facts": output.facts,
        "partial": output.partial ? true : nil,
      ]
    case .done(let id, .failure(let failure)):
      return ["t": "done", "id": .string(id), "ok": false, "error": failure.json]
    case .exit(let id, let end):
      return [
        "t": "exit", "id": .string(id), "status": .integer(end.status),
        "signal": .integer(end.signal), "cpuMs": .integer(end.cpuMilliseconds),
        "peakMemory": .integer(end.peakMemory), "lingered": end.lingered ? true : nil,
      ]
    }
  }

  /// Reads a line, without its line feed.
  ///
  /// - Throws: ``MessageError`` when the line is no JSON object, names no known kind, or lacks what
  ///   its kind needs.
  public init(line: [UInt8]) throws(MessageError) {
    let json: JSON
    do { json = try JSONReader.read(line).value } catch {
      throw MessageError(message: "not JSON: \(error.message)")
    }
    try self.init(json)
  }

  /// Reads the value of a line.
  ///
  /// - Throws: ``MessageError`` as for a line.
  package init(_ json: JSON) throws(MessageError) {
    guard let kind = json["t"]?.stringValue else { throw MessageError(message: "no \"t\"") }
    func string(_ name: String) throws(MessageError) -> String {
      guard let value = json[name]?.stringValue else {
        throw MessageError(message: "\(kind) without \"\(name)\"")
      }
      return value
    }
    func count(_ name: String) -> Int { max(0, min(json[name]?.integerValue ?? 0, 1 << 53)) }
    switch kind {
    case "hello" where json["protocols"] != nil:
      self = .hostHello(host: json["host"]?.stringValue ?? "")
    case "hello":
      self = .pluginHello(
        PluginHello(
          protocolNumber: json["protocol"]?.integerValue ?? 0,
          plugins: (json["plugins"]?.arrayValue ?? []).map(PluginManifest.init(checked:))))
    case "run": self = .run(try RunRequest(json))
    case "cancel": self = .cancel(id: try string("id"), reason: json["reason"]?.stringValue ?? "")
    case "bye": self = .bye
    case "begun": self = .begun(id: try string("id"), isolation: json["isolation"] ?? .null)
    case "progress":
      self = .progress(
        id: try string("id"), done: count("done"), total: count("total"),
        unit: json["unit"]?.stringValue ?? "")
    case "log":
      self = .log(
        id: try string("id"), level: json["level"]?.stringValue ?? "info",
        code: json["code"]?.stringValue ?? "", message: json["msg"]?.stringValue ?? "",
        page: json["page"]?.integerValue)
    case "artifact":
      self = .artifact(
        id: try string("id"),
        Artifact(
          role: try string("role"), path: try string("path"),
          mime: json["mime"]?.stringValue ?? "application/octet-stream",
          label: json["label"]?.stringValue))
    case "done":
      let id = try string("id")
      guard let isDone = json["ok"]?.boolValue else {
        throw MessageError(message: "done whose \"ok\" is neither true nor false")
      }
      guard isDone else {
        self = .done(id: id, .failure(PluginFailure(json["error"] ?? .null)))
        return
      }
      let facts = json["facts"] ?? [:]
      self = .done(
        id: id,
        .success(
          StepOutput(
            facts: facts.members == nil ? [:] : facts,
            partial: json["partial"]?.boolValue ?? false)))
    case "exit":
      self = .exit(
        id: try string("id"),
        ProcessEnd(
          status: count("status"), signal: count("signal"), cpuMilliseconds: count("cpuMs"),
          peakMemory: count("peakMemory"), lingered: json["lingered"]?.boolValue ?? false))
    default: throw MessageError(message: "unknown kind \"\(kind)\"")
    }
  }
}

extension RunRequest {
  var json: JSON {
    // Whoever is told a path that is no text is a worker of ours: a foreign program gets copies. Its bytes are
    // numbers, since base64 is Foundation's, which this library does without.
    func json(of path: FilePath) -> JSON {
      if let text = unsafe path.withPlatformString({ unsafe String(validatingCString: $0) }) {
        return .string(text)
      }
      let bytes = unsafe path.withPlatformString {
        unsafe Array(UnsafeBufferPointer(start: $0, count: path.length))
      }
      return .array(bytes.map { .integer(Int($0)) })
    }
    func input(_ input: StepInput) -> JSON {
      [
        "path": json(of: input.path), "mime": .string(input.mime), "bytes": .integer(input.bytes),
        "sha256": input.sha256.map { .string($0) }, "name": input.name.map { .string($0) },
        "madeBy": input.madeBy.map { .string($0) },
      ]
    }
    let inputs = run.inputs.sorted { $0.key < $1.key }.map { role, files in
      JSON.Member(role, files.count == 1 ? input(files[0]) : .array(files.map(input)))
    }
    return [
      "t": "run", "id": .string(run.id), "step": .string(run.step), "job": .string(run.job),
      "attempt": .integer(run.attempt), "in": .object(inputs),
      "source": ["name": .string(run.sourceName)], "options": run.options.json,
      "work": .string(run.workFolder), "state": run.stateFolder.map { .string($0) },
      "part": run.part.map {
        ["page": .integer($0.page), "last": .integer($0.last), "of": .integer($0.of)]
      },
      "join": run.part?.join == true ? true : nil,
      "limits": [
        "pages": .integer(run.limits.pages), "pixels": .integer(run.limits.pixels),
        "memory": .integer(run.limits.memory), "output": .integer(run.limits.output),
        "cpuSeconds": .integer(processorSeconds),
      ],
      "landlock": landlockCeiling.map { .integer($0) },
      "isolation": isolationRequired ? "required" : "best-effort",
    ]
  }

  init(_ json: JSON) throws(MessageError) {
    func string(_ name: String) throws(MessageError) -> String {
      guard let value = json[name]?.stringValue else {
        throw MessageError(message: "run without \"\(name)\"")
      }
      return value
    }
    func path(_ json: JSON) -> FilePath? {
      if let text = json.stringValue { return FilePath(text) }
      guard
        let bytes = json.arrayValue?.compactMap({ $0.integerValue.flatMap(CChar.init(exactly:)) }),
        !bytes.isEmpty, !bytes.contains(0)
      else { return nil }
      return FilePath(platformString: bytes + [0])
    }
    func input(_ json: JSON) throws(MessageError) -> StepInput {
      guard let path = json["path"].flatMap(path) else {
        throw MessageError(message: "an input without \"path\"")
      }
      return StepInput(
        path: path, mime: json["mime"]?.stringValue ?? "application/octet-stream",
        bytes: json["bytes"]?.integerValue ?? 0, sha256: json["sha256"]?.stringValue,
        name: json["name"]?.stringValue, madeBy: json["madeBy"]?.stringValue)
    }
    var inputs: [String: [StepInput]] = [:]
    for member in json["in"]?.members ?? [] {
      var files: [StepInput] = []
      for one in member.value.arrayValue ?? [member.value] { files.append(try input(one)) }
      inputs[member.name] = files
    }
    var limits = StepLimits()
    let given = json["limits"]
    limits.pages = given?["pages"]?.integerValue ?? limits.pages
    limits.pixels = given?["pixels"]?.integerValue ?? limits.pixels
    limits.memory = given?["memory"]?.integerValue ?? limits.memory
    limits.output = given?["output"]?.integerValue ?? limits.output
    var part: StepRun.Part?
    if let json = json["part"], let page = json["page"]?.integerValue,
      let of = json["of"]?.integerValue
    {
      let last = json["last"]?.integerValue ?? page
      part = StepRun.Part(pages: page...max(page, last), of: of)
    }
    if json["join"]?.boolValue == true {
      part = StepRun.Part(joining: part?.of ?? inputs["parts"]?.count ?? 0)
    }
    self.init(
      run: StepRun(
        id: try string("id"), step: try string("step"), job: json["job"]?.stringValue ?? "",
        attempt: json["attempt"]?.integerValue ?? 1, inputs: inputs,
        sourceName: json["source"]?["name"]?.stringValue ?? "",
        options: Options(checked: json["options"] ?? [:]), workFolder: try string("work"),
        part: part, limits: limits),
      stateFolder: json["state"]?.stringValue, landlockCeiling: json["landlock"]?.integerValue,
      isolationRequired: json["isolation"]?.stringValue == "required",
      processorSeconds: given?["cpuSeconds"]?.integerValue ?? 3600)
  }
}
