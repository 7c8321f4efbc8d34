import Files
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing
import Workers

@testable import Fleet

/// What travels: sealed, and refused where it is not what it should be.
struct FleetWireTests {
  private func key(_ text: String = FleetKey.make(), mode: UInt32 = 0o600) throws -> FleetKey {
    let scratch = try ScratchFolder(for: "test")
    defer { scratch.remove() }
    let file = try scratch.folder.creating("key", mode: mode)
    try file.write(Array(text.utf8).span)
    try file.setMode(mode)
    return try FleetKey(file: scratch.path.appending("key"))
  }

  @Test func `what is sealed opens with the key, as what it is`() throws {
    let key = try key()
    let sealed = key.seal([1, 2, 3], as: "order")
    #expect(key.open(sealed, as: "order") == [1, 2, 3])
    #expect(key.open(sealed, as: "answer") == nil)
    #expect(try self.key().open(sealed, as: "order") == nil)
    #expect(key.seal([1, 2, 3], as: "order") != sealed, "a nonce was used twice")
  }

  @Test func `no changed byte opens`() throws {
    let key = try key(), sealed = key.seal(Array("words".utf8), as: "order")
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(key.open(changed, as: "order") == nil)
      #expect(key.open(Array(sealed.prefix(index)), as: "order") == nil)
    }
  }

  @Test(arguments: [
    "", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 63),
  ])
  func `what is no key is refused`(_ text: String) {
    #expect(throws: FleetFailure.self) { try key(text) }
  }

  @Test func `a key that everybody may read is refused`() {
    #expect(throws: FleetFailure.self) { try key(mode: 0o644) }
  }

  @Test func `the site's name does not tell the key`() throws {
    let text = FleetKey.make()
    #expect(try key(text).site == key(text).site)
    #expect(try !text.contains(key(text).site))
  }

  private var order: TravelingOrder {
    let run = StepRun(
      id: "run", step: "ocr.tesseract", job: "job", attempt: 1,
      inputs: ["source": [StepInput(path: "/secret/place/a.png", mime: "image/png", bytes: 3)]],
      sourceName: "a.png", options: Options(checked: ["languages": ["eng"]]),
      workFolder: "/secret/work", part: StepRun.Part(pages: 2...3, of: 9))
    var order = TravelingOrder(
      name: "0a", keeper: "0b", build: "b",
      order: StepOrder(
        run: run, program: .worker("procd-worker-ocr"), timeout: 1000, stall: 500, outputFiles: 7,
        outputBytes: 99))
    order.inputs["source"] = [
      FleetBytes(.kept(name: "0c"), bytes: 3, sha256: String(repeating: "0", count: 64))
    ]
    return order
  }

  @Test func `an order comes as it was sent, without this machine's paths`() throws {
    let text = order.bytes
    #expect(!String(decoding: text, as: UTF8.self).contains("secret"))
    let back = try #require(TravelingOrder(text))
    #expect(back.json == order.json)
    #expect(back.request.run.part == StepRun.Part(pages: 2...3, of: 9))
    #expect(back.files == 7 && back.output == 99 && back.timeout == 1000 && back.stall == 500)
  }

  @Test(arguments: [
    "name", "keeper", "build", "run", "inputs",
  ]) func `an order without what it needs is none`(_ member: String) {
    #expect(TravelingOrder(letter(order.json.setting(member, nil))) == nil)
    #expect(TravelingOrder(letter(order.json.setting(member, .integer(1)))) == nil)
  }

  @Test func `an order whose files do not fit its run is none`() {
    let files = order.json["inputs"]?["source"] ?? .null
    for inputs: JSON in [
      [:], ["source": []], ["source": files, "more": files],
      ["source": .array([files.arrayValue?[0] ?? .null, files.arrayValue?[0] ?? .null])],
    ] {
      #expect(TravelingOrder(letter(order.json.setting("inputs", inputs))) == nil)
    }
  }

  @Test(
    arguments: [
      ["name": "../a"], ["name": ""], ["bytes": -1], ["sha256": "abc"], ["at": 8, "bytes": 3],
      ["at": -1], ["at": 0, "bytes": 11], ["at": .integer(.max)],
      ["at": 0, "pieces": 1], ["at": 0, "pieces": 1, "role": "source", "index": 0, "rest": 3],
      ["at": 0, "pieces": -1, "role": "source", "index": 0, "rest": 0],
      ["at": 0, "pieces": .integer(.max), "role": "source", "index": 0, "rest": 0],
      ["at": 0, "pieces": 0, "role": "source", "index": -1, "rest": 0],
    ] as [JSON]) func `a file that makes no sense is none`(_ change: JSON)
  {
    var json = FleetBytes(
      .kept(name: "0c"), bytes: 3, sha256: String(repeating: "0", count: 64)
    ).json
    #expect(FleetBytes(json, attached: 10) != nil)
    for member in change.members ?? [] { json = json.setting(member.name, member.value) }
    #expect(FleetBytes(json, attached: 10) == nil)
  }

  @Test func `small files come with their message`() throws {
    var attached: [UInt8] = [], order = order
    let files = ["one", "", "three"].map { FleetBytes(attaching: Array($0.utf8), to: &attached) }
    order.inputs = ["source": [files[2]]]
    order.attached = attached
    let back = try #require(TravelingOrder(order.bytes))
    #expect(back.attached == Array("onethree".utf8) && back.inputs["source"] == [files[2]])
    // Cut off behind its head, nothing of what it speaks of is there.
    #expect(TravelingOrder(Array(order.bytes.dropLast(1))) == nil)
  }

  /// A picture whose data is parted by heads, as PNG has it, and a document that holds the data without them.
  private var pictureAndDocument: (picture: [UInt8], document: [UInt8]) {
    var generator = SystemRandomNumberGenerator()
    let parts = (0..<5).map { _ in
      (0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    let head = [UInt8](repeating: 7, count: 300)
    let picture = head + parts.flatMap { [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] + $0 }
    return (picture, Array("%PDF-1.7 ".utf8) + parts.flatMap(\.self) + Array(" endstream".utf8))
  }

  @Test func `a result travels without what the receiver has of it`() throws {
    let (picture, document) = pictureAndDocument
    let pieces = InputPiece.find(in: document, of: picture)
    #expect(pieces.count == 5)
    var attached: [UInt8] = [9]
    let bytes = FleetBytes(
      attaching: document, without: pieces, of: "source", 0, to: &attached)
    #expect(attached.count < 300 && bytes.bytes == document.count)
    let back = try #require(FleetBytes(bytes.json, attached: attached.count))
    #expect(back == bytes)
    let known = try #require(back.known)
    let folder = TemporaryFolder()
    let made = try Folder.open(folder.path)
    try made.creating("picture").write(picture.span)
    func whole(_ known: FleetBytes.Known, _ attached: [UInt8]) throws -> [UInt8] {
      let open = try Folder.open(folder.path)
      _ = try? open.remove("document")
      try back.assemble(
        known, 1, attached, open.reading("picture"), into: open.creating("document"))
      return try open.reading("document").readAll()
    }
    #expect(try whole(known, attached) == document)
    // Stretches that end before they begin, lie outside of the input, or leave something over.
    for place in 1..<13 {
      var other = attached
      other[place] ^= 0x40
      #expect(throws: (any Error).self, "\(place)") { try whole(known, other) }
    }
    var short = known
    short.rest -= 1
    #expect(throws: (any Error).self) { try whole(short, attached) }
  }

  @Test func `files that have nothing in common share no stretch`() {
    let (picture, document) = pictureAndDocument
    #expect(InputPiece.find(in: [UInt8](repeating: 1, count: 50_000), of: picture).isEmpty)
    #expect(InputPiece.find(in: document, of: [UInt8](repeating: 2, count: 50_000)).isEmpty)
    #expect(InputPiece.find(in: [], of: picture).isEmpty)
    let same = InputPiece.find(in: picture, of: picture)
    #expect(same == [InputPiece(start: 0, at: 0, count: picture.count)])
  }

  @Test func `what is attached leaves room for what is said of it`() throws {
    var order = order
    order.inputs = [:]
    let room = FleetBytes.room(beside: order.bytes, files: 2)
    #expect(room > 600 << 10)
    order.inputs["source"] = [room - 1, 1].map {
      FleetBytes(attaching: [UInt8](repeating: 7, count: $0), to: &order.attached)
    }
    #expect(order.bytes.count <= FleetBytes.longestMessage)
    let long = [UInt8](repeating: 32, count: FleetBytes.longestMessage)
    #expect(FleetBytes.room(beside: long, files: 1) == 0)
  }

  private func letter(_ json: JSON) -> [UInt8] { FleetLetter.bytes(json, []) }

  @Test func `an answer comes as it was sent`() throws {
    var outcome = RunOutcome(
      ending: .failed, result: .failure(PluginFailure(.input, "pdf.broken", "it is broken")),
      isolation: ["profile": "sealed"], notes: ["a note"], cpuMilliseconds: 5, peakMemory: 6,
      wallMilliseconds: 7)
    let failed = TravelingAnswer(order: "0a", helper: "one", life: "l", outcome: outcome)
    #expect(TravelingAnswer(failed.bytes)?.json == failed.json)
    outcome.ending = .answered
    outcome.result = .success(StepOutput(facts: ["pages": 2], partial: true))
    let done = TravelingAnswer(
      order: "0a", helper: "one", life: "l", outcome: outcome,
      files: [
        TravelingAnswer.File(
          role: "pdf", mime: "application/pdf", fileExtension: "pdf",
          bytes: FleetBytes(
            .kept(name: "0c"), bytes: 3, sha256: String(repeating: "0", count: 64)),
          label: "A 1")
      ])
    #expect(TravelingAnswer(done.bytes)?.json == done.json)
    #expect(TravelingAnswer(letter(done.json.setting("ending", "well"))) == nil)
    #expect(TravelingAnswer(letter(done.json.setting("files", [["role": "pdf"]]))) == nil)
  }

  @Test func `frames come through whatever the pieces they are read in`() throws {
    let frames = [
      Frame(["t": "say"], Array("body".utf8)), Frame(["n": 1, "ok": true]),
      Frame([:], [UInt8](repeating: 7, count: 70_000)),
    ]
    let bytes = frames.flatMap(\.bytes)
    for size in [1, 3, 4096, bytes.count] {
      var buffer = FrameBuffer(), read: [Frame] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        read += try buffer.append(Array(bytes[start..<min(bytes.count, start + size)]))
      }
      #expect(read == frames)
    }
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], [0, 0, 0, 2, 0x7F, 0, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 0, 0x7B],
    ] as [[UInt8]]) func `a stream that is none of frames is told as such`(_ bytes: [UInt8])
  {
    var buffer = FrameBuffer()
    #expect(throws: FrameBuffer.Broken.self) { try buffer.append(bytes) }
  }
}

/// Why a helper gets no work.
struct StepBuildTests {
  private static let data: JSON = ["deu.traineddata": "2", "eng.traineddata": "1"]

  /// One with another part, as its JSON names it.
  private func build(_ part: String = "version", _ value: JSON = "5") -> StepBuild? {
    let whole: JSON = [
      "step": "ocr.tesseract", "version": "5", "program": "p", "libraries": "l", "data": Self.data,
      "processor": "x86_64+avx2",
    ]
    return StepBuild(whole.setting(part, value))
  }

  @Test func `the same parts make the same build`() throws {
    let one = try #require(build()), other = try #require(build())
    #expect(one.digest == other.digest && one == other)
    #expect(one.difference(from: other) == nil)
    #expect(StepBuild(one.json) == one)
  }

  @Test(
    arguments: [
      ("another build", "version", "6"), ("another build", "program", "q"),
      ("lacks deu.traineddata", "data", ["eng.traineddata": "1"]),
      ("has fra.traineddata", "data", data.setting("fra.traineddata", "3")),
      ("another version", "data", data.setting("eng.traineddata", "9")),
      ("libraries", "libraries", "m"), ("processor", "processor", "x86_64"),
    ] as [(String, String, JSON)])
  func `each part counts, and is told`(_ words: String, _ part: String, _ value: JSON) throws {
    let one = try #require(build()), other = try #require(build(part, value))
    #expect(other.digest != one.digest)
    #expect(other.difference(from: one)?.contains(words) == true)
  }
}
