import PluginKit
import SystemPackage
import TestSupport
import Testing

@Suite struct MessageTests {
  private func back(_ message: Message) throws -> Message {
    let line = message.line
    #expect(line.last == 0x0A)
    #expect(line.dropLast().contains(0x0A) == false)
    return try Message(line: Array(line.dropLast()))
  }

  /// Messages have no equality; what they write has.
  private func expectSame(_ message: Message) throws {
    #expect(try back(message).line == message.line)
  }

  @Test func `every kind of message is read back as it was written`() throws {
    var limits = StepLimits()
    (limits.pages, limits.pixels, limits.memory, limits.output) = (3, 4, 5, 6)
    let input = StepInput(path: "/a b\n", mime: "image/png", bytes: 7, sha256: "0f")
    let named = StepInput(
      path: FilePath(platformString: [0x2F, 0x61, -23, 0x62, 0]), mime: "image/png", bytes: 7)
    let run = StepRun(
      id: "i", step: "s", job: "j", attempt: 2,
      inputs: ["source": [input], "parts": [input, named]], sourceName: "é \"x\".png",
      options: Options(checked: ["languages": ["eng"]]), workFolder: "/w",
      part: StepRun.Part(pages: 2...3, of: 3), limits: limits)
    let request = RunRequest(
      run: run, stateFolder: "/s", landlockCeiling: 2, isolationRequired: true,
      processorSeconds: 9)
    try expectSame(.run(request))
    guard case .run(let read) = try back(.run(request)) else {
      Issue.record("no run")
      return
    }
    #expect(read.run.inputs == run.inputs)
    #expect(read.run.options == run.options)
    #expect(read.run.limits == limits)
    #expect(read.run.part == run.part)
    #expect(read.run.attempt == 2)
    #expect(read.run.sourceName == run.sourceName)
    #expect(read.run.stateFolder == "/s")
    #expect(read.landlockCeiling == 2)
    #expect(read.isolationRequired)
    #expect(read.processorSeconds == 9)
    var join = run
    join.part = StepRun.Part(joining: 2)
    guard case .run(let joined) = try back(.run(RunRequest(run: join))) else {
      Issue.record("no run")
      return
    }
    #expect(joined.run.part?.join == true)

    let failure = PluginFailure(.input, "pdf.password", "locked", page: 4, hint: "unlock it")
    for message: Message in [
      .hostHello(host: "procd"), .cancel(id: "i", reason: "limit.time"), .bye,
      .begun(id: "i", isolation: ["profile": "sealed"]),
      .progress(id: "i", done: 1, total: 2, unit: "page"),
      .log(id: "i", level: "warn", code: "c", message: "m", page: 3),
      .log(id: "i", level: "warn", code: "c", message: "m", page: nil),
      .artifact(id: "i", Artifact(role: "pdf", path: "out/a.pdf", mime: "application/pdf")),
      .artifact(id: "i", Artifact(role: "csv", path: "out/b", mime: "text/csv", label: "B 2")),
      .done(id: "i", .success(StepOutput(facts: ["pages": 2], partial: true))),
      .done(id: "i", .failure(failure)),
      .exit(id: "i", .init(status: 1, signal: 9, cpuMilliseconds: 5, peakMemory: 6)),
      .exit(
        id: "i",
        .init(status: 0, signal: 9, cpuMilliseconds: 5, peakMemory: 6, lingered: true)),
    ] { try expectSame(message) }
    guard case .done("i", .failure(let read)) = try back(.done(id: "i", .failure(failure))) else {
      Issue.record("no failure")
      return
    }
    #expect(read == failure)
  }

  @Test(arguments: [
    "", "x", "[]", "{}", #"{"t":"unknown"}"#, #"{"t":1}"#, #"{"t":"done"}"#, #"{"t":"exit"}"#,
    #"{"t":"artifact","id":"i","role":"r"}"#, #"{"t":"run","id":"i"}"#,
    #"{"t":"run","id":"i","step":"s","work":"/w","in":{"source":{}}}"#,
  ])
  func `a line that is no message is refused`(line: String) {
    #expect(throws: MessageError.self) { try Message(line: Array(line.utf8)) }
  }

  @Test func `numbers from the wire cannot overflow what is counted with them`() throws {
    let line = #"{"t":"exit","id":"i","status":-5,"cpuMs":1e300,"peakMemory":9223372036854775807}"#
    guard case .exit(_, let end) = try Message(line: Array(line.utf8)) else {
      Issue.record("no exit")
      return
    }
    #expect(end.status == 0)
    #expect(end.cpuMilliseconds == 0)
    #expect(end.peakMemory == 1 << 53)
  }

  @Test func `a failure without a class is an internal one, an odd page is none`() {
    let failure = PluginFailure(["class": "weird", "page": -1])
    #expect(failure.class == .internal)
    #expect(failure.code == "plugin.protocol")
    #expect(failure.page == nil)
  }

  @Test func `reading mutated messages always ends`() {
    let original = Message.done(id: "i", .success(StepOutput(facts: ["a": [1, "x"]]))).line
    var numbers = SeededNumbers(seed: 5), read = 0
    for _ in 0..<10_000 {
      var bytes = original
      bytes[Int.random(in: 0..<bytes.count, using: &numbers)] =
        UInt8.random(in: 0...255, using: &numbers)
      if (try? Message(line: bytes)) != nil { read += 1 }
    }
    #expect(read > 0 && read < 10_000)
  }

  @Test func `lines are cut wherever the stream is cut`() {
    let text = Array("one\n\ntwo\nthree".utf8)
    for size in 1...text.count {
      var buffer = LineBuffer(longest: 10), lines: [LineBuffer.Piece] = []
      for start in stride(from: 0, to: text.count, by: size) {
        lines += buffer.append(text[start..<min(start + size, text.count)])
      }
      #expect(lines == [.line(Array("one".utf8)), .line([]), .line(Array("two".utf8))])
      #expect(buffer.remainder == Array("three".utf8))
    }
  }

  @Test func `a line may be as long as the limit and no longer, ended or not`() {
    var buffer = LineBuffer(longest: 4)
    #expect(buffer.append(Array("abcd\n".utf8)) == [.line(Array("abcd".utf8))])
    #expect(
      buffer.append(Array("abcde\nx\n".utf8)) == [
        .tooLong(Array("abcde".utf8)), .line(Array("x".utf8)),
      ])
    #expect(buffer.append(Array("abcde".utf8)) == [.tooLong(Array("abcde".utf8))])
    #expect(buffer.remainder.isEmpty)
  }

  @Test func `a manifest is the same after a hello, options and all`() throws {
    let step = StepManifest(
      name: "s.one", about: "One", accepts: ["image/*"],
      outputs: [
        OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf"),
        OutputManifest("txt", mime: "text/plain", fileExtension: "txt", always: false),
      ],
      options: ObjectShape(
        "options",
        [
          Field("flag", .boolean, "A flag", byDefault: true),
          Field("count", .integer(2...7), "A count", byDefault: 3),
          Field("free", .integer(.min ... .max), "Any"),
          Field("word", .oneOf(["a", "b"]), "A word"),
          Field("words", .oneOrMany(.text), "Words", byDefault: ["x"]),
          Field("time", .duration, "A time"), Field("room", .size, "A size"),
          Field("like", .regex, "An expression"), Field("text", .string, "A text"),
        ]),
      facts: [FactManifest("pages", "How many")], splitByPage: true, state: true,
      dataFolders: ["/usr/share/x"])
    let manifest = PluginManifest(name: "p", version: "1.2", about: "About", steps: [step])
    let hello = Message.pluginHello(.init(protocolNumber: 1, plugins: [manifest]))
    guard case .pluginHello(let read) = try back(hello) else {
      Issue.record("no hello")
      return
    }
    #expect(read.protocolNumber == 1)
    #expect(read.plugins.map(\.json) == [manifest.json])
    let options = try #require(read.plugins.first?.steps.first?.options)
    for (text, code) in [
      (#"{"flag": 1}"#, "value.kind"), (#"{"count": 8}"#, "value.kind"),
      (#"{"word": "c"}"#, "value.unknown"), (#"{"words": [1]}"#, "value.kind"),
      (#"{"time": "2"}"#, "value.kind"), (#"{"room": "2"}"#, "value.kind"),
      (#"{"like": "("}"#, "value.regex"), (#"{"text": 1}"#, "value.kind"),
      (#"{"fre": 1}"#, "option.unknown"),
    ] {
      let node = try JSONReader.read(text)
      #expect(Shape.object(options).complaints(about: node).map(\.code) == [code], "\(text)")
    }
    #expect(options.filled([:]) == ["flag": true, "count": 3, "words": ["x"]])
  }

  @Test func `a manifest from a file passes its shape and its schema`() throws {
    let text = """
      {"name": "words", "version": "1", "command": ["./run"], "sandbox": {"network": true},
       "steps": {"words.count": {"outputs": {"json": {"mime": "application/json"}},
         "options": {"least": {"type": "integer", "minimum": 1}}}}}
      """
    let node = try JSONReader.read(text)
    #expect(PluginManifest.shape.complaints(about: node).isEmpty)
    let checker = SchemaChecker(PluginManifest.shape.schema(title: "p", identifier: "p"))
    #expect(checker.violations(of: node.value) == [])
    #expect(!checker.violations(of: node.value.setting("command", [])).isEmpty)
    let step = try #require(PluginManifest(checked: node.value).steps.first)
    #expect(step.accepts == ["*/*"])
    #expect(step.outputs.first?.fileExtension == "json")
    #expect(step.outputs.first?.always == true)
  }

  @Test func `commands of a manifest say what they read, write and keep`() throws {
    func read(_ command: String) throws -> (node: JSONNode, isRight: Bool) {
      let node = try JSONReader.read(
        #"{"name": "n", "version": "1", "command": ["./n"], "steps": {}, "commands": {"c": \#(command)}}"#
      )
      let checker = SchemaChecker(PluginManifest.shape.schema(title: "p", identifier: "p"))
      let isRight = PluginManifest.shape.complaints(about: node).isEmpty
      #expect(checker.violations(of: node.value).isEmpty == isRight, "\(command)")
      return (node, isRight)
    }
    let right = [
      ("{}", CommandManifest(name: "c", about: "")),
      (
        #"{"about": "A", "reads": "all", "opens": ["-f"], "writes": ["-o"], "values": ["-n"],"#
          + #" "state": true, "recognizes": true}"#,
        CommandManifest(
          name: "c", about: "A", reads: .all, opens: ["-f"], writes: ["-o"], values: ["-n"],
          state: true, recognizes: true)
      ),
      (
        #"{"writes": ["-o"], "replaces": "earlier"}"#,
        CommandManifest(name: "c", about: "", writes: ["-o"], replaces: [.init(.earlier)])
      ),
      (
        #"{"replaces": {"add": "inputs"}}"#,
        CommandManifest(name: "c", about: "", replaces: [.init(.inputs, verb: "add")])
      ),
      (#"{"reads": [0, 2]}"#, CommandManifest(name: "c", about: "", reads: .positions([0, 2]))),
    ]
    for (text, wanted) in right {
      let (node, isRight) = try read(text)
      #expect(isRight, "\(text)")
      #expect(PluginManifest(checked: node.value).commands == [wanted])
      let again = PluginManifest(checked: PluginManifest(checked: node.value).json)
      #expect(again.commands == [wanted])
    }
    for text in [
      #"{"reads": "some"}"#, #"{"reads": [-1]}"#, #"{"reads": ["a"]}"#, #"{"writes": "-o"}"#,
      #"{"replaces": "some"}"#, #"{"replaces": {"add": true}}"#,
      #"{"state": 1}"#, #"{"sate": true}"#,
    ] {
      #expect(try !read(text).isRight, "\(text)")
    }
  }

  @Test func `options and facts of a step survive what is said of them`() throws {
    let text = """
      {"name": "p", "version": "1", "command": ["x"], "steps": {"p.s": {"outputs": {},
        "options": {"area": {"type": "numbers", "minimum": 0, "maximum": 10, "minItems": 4},
          "share": {"type": "number", "minimum": 0, "maximum": 1},
          "odd": {"type": "integer", "minimum": 5, "maximum": 3}},
        "facts": {"plain": "says so", "typed": {"about": "says so too", "type": "number"}}}}}
      """
    let node = try JSONReader.read(text)
    #expect(PluginManifest.shape.complaints(about: node).isEmpty)
    let read = PluginManifest(checked: node.value), again = PluginManifest(checked: read.json)
    for manifest in [read, again] {
      let step = try #require(manifest.steps.first)
      func complaints(_ option: String, _ value: String) throws -> Int {
        try #require(step.options[option]).shape.complaints(about: try JSONReader.read(value)).count
      }
      #expect(try complaints("area", "[0, 1.5, 2, 10]") == 0)
      #expect(try complaints("area", "[0, 1, 2]") == 1 && complaints("area", "[0, 1, 2, 11]") == 1)
      #expect(try complaints("area", #"["0", 1, 2, 3]"#) == 1)
      #expect(try complaints("share", "0.5") == 0 && complaints("share", "1.5") == 1)
      // Bounds that exclude each other are no reason to end.
      #expect(try complaints("odd", "5") == 0)
      #expect(step.facts.map(\.kind) == [nil, .number])
      #expect(step.facts.map(\.about) == ["says so", "says so too"])
    }
  }

  @Test func `the specification for the launcher survives its argument`() {
    var spec = LaunchSpec(workFolder: "/w \"x\"")
    spec.executableFolders = ["/usr"]
    spec.readableFiles = ["/etc/x"]
    spec.readableFolders = ["/data"]
    spec.writableFolders = ["/state"]
    spec.network = true
    spec.memory = 5
    spec.output = 6
    spec.processorSeconds = 7
    spec.landlockCeiling = 2
    spec.required = true
    spec.speaksProtocol = true
    spec.isCommand = true
    spec.runIdentifier = "r"
    #expect(LaunchSpec(text: spec.text) == spec)
    #expect(LaunchSpec(text: "{}") == nil)
  }
}
