internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

/// A message with what is attached to it: the length of its head, four bytes, the highest first, the head as JSON, and
/// the rest.
enum FleetLetter {
  static func bytes(_ head: JSON, _ attached: [UInt8]) -> [UInt8] {
    let text = head.line, count = UInt32(clamping: text.count)
    var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    bytes.reserveCapacity(4 + text.count + attached.count)
    bytes += text
    bytes += attached
    return bytes
  }

  static func read(_ bytes: [UInt8]) -> (head: JSON, attached: [UInt8])? {
    guard bytes.count >= 4 else { return nil }
    let count = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard count <= bytes.count - 4,
      let head = try? JSONReader.read(Array(bytes[4..<(4 + count)])).value
    else { return nil }
    return (head, Array(bytes[(4 + count)...]))
  }
}

/// An order on its way to a helper: what is to be run, and where its files are.
struct TravelingOrder: Sendable {
  /// Never used twice.
  var name: String
  /// The life of the keeper that asks; nobody else hears of it.
  var keeper: String
  var build: String
  var request: RunRequest
  var inputs: [String: [FleetBytes]]
  var timeout: Int
  var stall: Int
  var files: Int
  var output: Int
  /// The content of small inputs.
  var attached: [UInt8]

  static let purpose = "order"

  var bytes: [UInt8] { FleetLetter.bytes(json, attached) }

  var json: JSON {
    [
      "name": .string(name), "keeper": .string(keeper), "build": .string(build),
      "run": Message.run(request).json,
      "inputs": .object(
        inputs.sorted { $0.key < $1.key }.map { role, files in
          JSON.Member(role, .array(files.map(\.json)))
        }),
      "timeout": .integer(timeout), "stall": .integer(stall), "files": .integer(files),
      "output": .integer(output),
    ]
  }

  /// An order whose files are yet to be added.
  init(name: String, keeper: String, build: String, order: StepOrder) {
    (self.name, self.keeper, self.build, inputs, attached) = (name, keeper, build, [:], [])
    var run = order.run
    // Where files lie on this machine is nobody else's business.
    run.workFolder = "/"
    run.inputs = run.inputs.mapValues { files in
      files.map { file in
        var file = file
        file.path = "/"
        return file
      }
    }
    request = RunRequest(
      run: run, isolationRequired: order.isolationRequired,
      processorSeconds: max(2, order.timeout / 1000 + 1))
    (timeout, stall) = (order.timeout, order.stall)
    (files, output) = (order.outputFiles, order.outputBytes)
  }

  init?(_ bytes: [UInt8]) {
    guard let (json, attached) = FleetLetter.read(bytes),
      let name = json["name"]?.stringValue, FleetBytes.isName(name),
      let keeper = json["keeper"]?.stringValue, FleetBytes.isName(keeper),
      let build = json["build"]?.stringValue,
      case .run(let request)? = try? Message(json["run"] ?? .null),
      let members = json["inputs"]?.members
    else { return nil }
    var inputs: [String: [FleetBytes]] = [:]
    for member in members {
      let all = member.value.arrayValue ?? []
      let files = all.compactMap { FleetBytes($0, attached: attached.count) }
      guard files.count == all.count, files.allSatisfy({ $0.known == nil }),
        files.count == request.run.inputs[member.name]?.count
      else {
        return nil
      }
      inputs[member.name] = files
    }
    guard inputs.count == request.run.inputs.count else { return nil }
    (self.name, self.keeper, self.build) = (name, keeper, build)
    (self.request, self.inputs, self.attached) = (request, inputs, attached)
    timeout = json["timeout"]?.integerValue ?? 0
    stall = json["stall"]?.integerValue ?? 0
    files = json["files"]?.integerValue ?? 0
    output = json["output"]?.integerValue ?? 0
  }
}

/// What a helper answers.
struct TravelingAnswer: Sendable {
  struct File: Sendable {
    var role: String
    var mime: String
    var fileExtension: String
    var bytes: FleetBytes
    var label: String?
  }

  var order: String
  /// Who answers, and in which life.
  var helper: String
  var life: String
  var outcome: RunOutcome
  var files: [File] = []
  /// The content of small files.
  var attached: [UInt8] = []

  var bytes: [UInt8] { FleetLetter.bytes(json, attached) }

  static func purpose(_ keeper: String) -> String { "answer \(keeper)" }

  /// Of which order, and whose, an answer is that cannot be read.
  static func sender(_ bytes: [UInt8]) -> (order: String, helper: String)? {
    guard let (json, _) = FleetLetter.read(bytes), let order = json["order"]?.stringValue,
      let helper = json["helper"]?.stringValue, helper.utf8.count <= FleetLimits.name
    else { return nil }
    return (order, helper)
  }

  private static let endings: [(name: String, ending: RunOutcome.Ending)] = [
    ("answered", .answered), ("failed", .failed), ("vanished", .vanished),
    ("sharedLimit", .sharedLimit), ("handedBack", .handedBack),
  ]

  init(
    order: String, helper: String, life: String, outcome: RunOutcome, files: [File] = []
  ) {
    (self.order, self.helper, self.life) = (order, helper, life)
    (self.outcome, self.files) = (outcome, files)
  }

  var json: JSON {
    [
      "order": .string(order), "helper": .string(helper), "life": .string(life),
      "done": Message.done(id: order, outcome.result).json,
      "ending": .string(
        Self.endings.first { $0.ending == outcome.ending }?.name ?? "failed"),
      "isolation": outcome.isolation, "notes": .array(outcome.notes.map { .string($0) }),
      "cpuMs": .integer(outcome.cpuMilliseconds), "peakMemory": .integer(outcome.peakMemory),
      "wallMs": .integer(outcome.wallMilliseconds),
      "files": .array(
        files.map { file in
          [
            "role": .string(file.role), "mime": .string(file.mime),
            "extension": .string(file.fileExtension), "bytes": file.bytes.json,
            "label": file.label.map { .string($0) },
          ]
        }),
    ]
  }

  init?(_ bytes: [UInt8]) {
    guard let (json, attached) = FleetLetter.read(bytes),
      let order = json["order"]?.stringValue, let helper = json["helper"]?.stringValue,
      let life = json["life"]?.stringValue, helper.utf8.count <= FleetLimits.name,
      case .done(_, let result)? = try? Message(json["done"] ?? .null),
      let ending = Self.endings.first(where: { $0.name == json["ending"]?.stringValue })
    else { return nil }
    let all = json["files"]?.arrayValue ?? []
    files = all.compactMap { json in
      guard let bytes = json["bytes"].flatMap({ FleetBytes($0, attached: attached.count) }),
        let role = json["role"]?.stringValue, let mime = json["mime"]?.stringValue,
        let fileExtension = json["extension"]?.stringValue, fileExtension.utf8.count <= 16,
        fileExtension.utf8.allSatisfy({ Character(UnicodeScalar($0)).isASCII })
      else { return nil }
      return File(
        role: role, mime: mime, fileExtension: fileExtension, bytes: bytes,
        label: json["label"]?.stringValue)
    }
    guard files.count == all.count else { return nil }
    self.attached = attached
    (self.order, self.helper, self.life) = (order, helper, life)
    func count(_ name: String) -> Int { max(0, min(json[name]?.integerValue ?? 0, 1 << 53)) }
    outcome = RunOutcome(
      ending: ending.ending, result: result, isolation: json["isolation"],
      notes: (json["notes"]?.arrayValue ?? []).prefix(1000).compactMap(\.stringValue),
      cpuMilliseconds: count("cpuMs"), peakMemory: count("peakMemory"),
      wallMilliseconds: count("wallMs"))
  }
}

/// What a helper says of an order while it works on it; may be lost.
struct Sign: Sendable {
  var order: String
  var helper: String
  var life: String
  /// How far the step is, where it tells.
  var progress: (done: Int, total: Int, unit: String)?

  static func purpose(_ keeper: String) -> String { "sign \(keeper)" }

  init(order: String, helper: String, life: String, progress: (Int, Int, String)? = nil) {
    (self.order, self.helper, self.life) = (order, helper, life)
    self.progress = progress
  }

  var json: JSON {
    [
      "order": .string(order), "helper": .string(helper), "life": .string(life),
      "done": progress.map { .integer($0.done) }, "total": progress.map { .integer($0.total) },
      "unit": progress.map { .string($0.unit) },
    ]
  }

  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONReader.read(bytes).value, let order = json["order"]?.stringValue,
      let helper = json["helper"]?.stringValue, let life = json["life"]?.stringValue,
      helper.utf8.count <= FleetLimits.name, life.utf8.count <= FleetLimits.name
    else { return nil }
    self.init(order: order, helper: helper, life: life)
    if let done = json["done"]?.integerValue, let total = json["total"]?.integerValue {
      progress = (done, total, String((json["unit"]?.stringValue ?? "").prefix(FleetLimits.name)))
    }
  }
}
