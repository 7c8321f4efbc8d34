import Bytes
import Dates
import Foundation
import PDFWriter
import SystemPackage

@testable import Finding
@testable import Fleet
@testable import Guide
@testable import ImageHeaders
@testable import ImageOCR
@testable import MarkdownText
@testable import Notes
@testable import PDFSyntax
@testable import PDFText
@testable import Pipelines
@testable import PluginKit
@testable import Probe

/// The parsers that read bytes nobody vouches for. `FUZZ_TARGET` chooses one; `Tests/Fuzzing/run` runs
/// them all.
enum FuzzTarget: String, CaseIterable {
  case lexer, object, file, flate, lzw, ascii85, asciihex, runlength, predictor
  case content, cmap, type1, cff, truetype, page
  case jbig2, fax, picture, composition, exif, imageheader, json, configuration, message, guide
  case notes, magic, fleet, find

  func run(_ bytes: [UInt8]) {
    switch self {
    case .lexer:
      var lexer = Lexer(bytes.span)
      while lexer.next().kind != .end {}
    case .object:
      var parser = ObjectParser(bytes.span, at: 0, references: true)
      _ = parser.object()
    case .file:
      guard let file = try? PDFFile(FileBytes(bytes), limits: Self.smallLimits) else { return }
      for number in 0..<min(64, file.largestObjectNumber) { _ = file.object(number) }
      let rows = EmbeddedFile(name: "a", mime: "text/csv", about: "", bytes: bytes)
      _ = try? AttachingUpdate(attaching: [rows], to: file)
    case .flate: _ = Flate.inflate(bytes.span, limit: 1 << 20)
    case .lzw: _ = LZW.decode(bytes.span, earlyChange: (bytes.first ?? 0) & 1 == 1, limit: 1 << 20)
    case .ascii85: _ = ASCII85.decode(bytes.span, limit: 1 << 20)
    case .asciihex: _ = ASCIIHex.decode(bytes.span, limit: 1 << 20)
    case .runlength: _ = RunLength.decode(bytes.span, limit: 1 << 20)
    case .predictor: Self.predict(bytes)
    case .content: Self.read(Self.page(content: bytes))
    case .cmap:
      _ = CharacterMapParser.parse(bytes.span, unicode: true)
      _ = CharacterMapParser.parse(bytes.span, unicode: false)
    case .type1: _ = Type1Program.encoding(bytes.span)
    case .cff: _ = CompactFontProgram(bytes.span)
    case .truetype: _ = TrueTypeProgram(bytes.span)
    case .page: Self.read(bytes)
    case .jbig2:
      // The first byte is the share of the data that is global.
      guard let first = bytes.first else { return }
      let split = 1 + (bytes.count - 1) * Int(first) / 255
      var decoder = JBIG2Decoder(width: 64, height: 64)
      _ = decoder.decode(Array(bytes[split...]), globals: Array(bytes[1..<split]))
    case .fax:
      guard bytes.count > 2 else { return }
      let parameters = FaxDecoder.Parameters(
        k: Int(bytes[0] % 3) - 1, columns: Int(bytes[1]) * 9,
        isByteAligned: bytes[0] & 16 != 0, hasEndsOfLine: bytes[0] & 32 != 0)
      var decoder = FaxDecoder(bytes, in: 2..<bytes.count, parameters)
      _ = decoder.decode(rows: 300)
      _ = decoder.positionBehindEnd
    case .picture: Self.decode(bytes)
    case .composition: Self.compose(bytes)
    case .exif: _ = TIFFDirectory.exif(bytes.span, in: 0..<bytes.count)
    case .imageheader: _ = ImageHeader.read(bytes.span)
    case .json: _ = try? JSONReader.read(bytes)
    case .configuration:
      _ = ConfigurationFile(name: "fuzz", text: bytes, catalog: nil)
    case .message: _ = try? Message(line: bytes)
    case .guide: Self.readGuide(bytes)
    case .notes: Self.readNotes(bytes)
    case .magic: _ = Self.database?.mediaType(of: bytes.span)
    case .find: Self.find(bytes)
    case .fleet:
      var buffer = FrameBuffer()
      for frame in (try? buffer.append(bytes)) ?? [] { Self.readFleet(frame.body) }
      Self.readFleet(bytes)
    }
  }

  /// What opens may still be nonsense.
  private static func readFleet(_ bytes: [UInt8]) {
    _ = TravelingOrder(bytes)
    _ = TravelingAnswer(bytes)
    _ = Sign(bytes)
    _ = Presence(bytes)
  }

  private nonisolated(unsafe) static let database = try? MediaTypeDatabase()

  private static let store = try? FindStore(
    path: FilePath(NSTemporaryDirectory() + "procd-fuzz-\(getpid()).sqlite"))

  /// The first line is looked for in a document of the others.
  private static func find(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let query = String(decoding: parts[0], as: UTF8.self)
    let text = String(decoding: parts.count > 1 ? parts[1] : [], as: UTF8.self)
    guard let store else { return }
    do throws(FindError) {
      try store.put([
        FindStore.Document(
          job: "a", path: query, pipeline: nil, outcome: "done", finished: 1, pages: [text, query],
          isPaged: bytes.count % 2 == 0)
      ])
      _ = try store.reader.search(FindQuery(query, isTyping: bytes.count % 3 == 0), forgives: true)
    } catch {
      fatalError("\(error)")
    }
  }

  /// A document with notes is read and its notes are written into it again; what is none is taken for a
  /// file of notes for a small document.
  private static func readNotes(_ bytes: [UInt8]) {
    let isDocument = bytes.starts(with: Array("%PDF".utf8))
    let target = isDocument ? bytes : page(content: Array("BT /F1 9 Tf (some words) Tj ET".utf8))
    guard
      var document = try? NotesDocument(
        FileBytes(target), budget: ReadingBudget(comparisons: 1_000_000))
    else { return }
    document.readPages()
    var changes = bytes
    if isDocument {
      _ = NotesJSON(document: document).bytes
      _ = NotesMarkdown(document: document, name: "a").bytes
      changes = XFDFWriter(document: document, name: "a").bytes
    }
    guard let requests = try? ChangeReader.read(changes, name: "a") else { return }
    var editor = NotesEditor(document, now: nil)
    try? editor.apply(requests)
    _ = editor.finish()
  }

  /// Counts, and keeps nothing.
  private final class Counter: GuideSink {
    func wants(channel: [UInt8]) -> Bool { true }
    func add(_ channel: ChannelEntry) {}
    func add(_ programme: borrowing ProgrammeEntry) {
      var words: [UInt8] = []
      WordFolding.append(programme.work.title.span, to: &words)
      WordFolding.append(programme.work.about.span, to: &words)
      _ = try? JSONReader.read([0x7B] + programme.work.details + [0x7D])
    }
  }

  private static func readGuide(_ bytes: [UInt8]) {
    let path = "/dev/shm/procd-fuzz-guide-\(getpid())"
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    guard let source = try? DocumentBytes(path: path), let zone = LocalZone("") else { return }
    try? GuideReader(into: Counter(), zone: zone).read(source)
  }

  private static var smallLimits: PDFSyntax.Limits {
    var limits = PDFSyntax.Limits()
    limits.decodedStream = 4 << 20
    limits.decodedStructure = 16 << 20
    return limits
  }

  /// The first bytes are the parameters, the rest is what they are applied to.
  private static func predict(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    let entries =
      "<</Predictor \(bytes[0])/Colors \(bytes[1])/BitsPerComponent \(bytes[2])/Columns \(bytes[3])>>"
    var parser = ObjectParser(Array(entries.utf8).span, at: 0, references: false)
    _ = Predictor.undo(
      parser.object()?.dictionary, FilterResult(bytes: Array(bytes[4...]), isComplete: true))
  }

  private static func read(_ bytes: [UInt8]) {
    var limits = WorkLimits()
    limits.operators = 20_000
    limits.glyphs = 20_000
    limits.contentBytes = 4 << 20
    guard let file = try? PDFFile(FileBytes(bytes), limits: smallLimits),
      let extractor = try? TextExtractor(file, limits: limits)
    else { return }
    var markdown = MarkdownWriter(reading: extractor)
    for index in 0..<min(3, extractor.pageCount) {
      _ = extractor.images(index)
      guard let page = extractor.page(index) else { continue }
      _ = page.layoutText()
      _ = page.joinedText()
      markdown.add(page)
    }
    _ = DocumentInformation(file)
  }

  private static var smallPictures: OCRLimits {
    var limits = OCRLimits()
    limits.pixels = 300_000
    return limits
  }

  /// An image dictionary, a line feed, and the image's data.
  private static func decode(_ bytes: [UInt8]) {
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
    var parser = ObjectParser(bytes.span, at: 0, references: false)
    guard let dictionary = parser.object()?.dictionary,
      let file = try? PDFFile(FileBytes(page(content: [])), limits: smallLimits)
    else { return }
    let stream = PDFStream(dictionary, bytes: Array(bytes[min(end + 1, bytes.count)...]))
    let decoder = ScanDecoder(file: file, limits: smallPictures)
    _ = try? decoder.decode(stream, resources: [:], page: 1)
    var isDamaged = false
    _ = try? decoder.opacity(of: stream, resources: [:], page: 1, isDamaged: &isDamaged)
  }

  private static func compose(_ bytes: [UInt8]) {
    guard let file = try? PDFFile(FileBytes(bytes), limits: smallLimits),
      let pages = try? PageTree(file)
    else { return }
    let decoder = ScanDecoder(file: file, limits: smallPictures)
    for index in 0..<min(2, pages.count) {
      guard let page = pages.page(index) else { continue }
      let content = PageContent(of: page, in: file)
      _ = content.onlyPicture(on: page, in: file)
      _ = try? PageComposer(file: file, decoder: decoder, limits: smallPictures)
        .compose(content, of: page)
      guard page.reference != nil else { continue }
      var update = IncrementalUpdate(rewriting: file.trailer, highestNumber: 9)
      _ = UnseenText(content: content, file: file).strip(page, &update)
    }
  }

  /// A file of one page around a content stream.
  private static func page(content: [UInt8]) -> [UInt8] {
    Array(
      """
      %PDF-1.4
      1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
      2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>> endobj
      3 0 obj <</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>> endobj
      4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
      5 0 obj <</Length \(content.count)>> stream

      """.utf8) + content + Array("\nendstream endobj\ntrailer <</Root 1 0 R>>\n".utf8)
  }
}

let chosen: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    exit(64)
  }
  return target
}()

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
