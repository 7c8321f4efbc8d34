import Bytes
import Foundation

@testable import ImageHeaders
@testable import ImageOCR
@testable import PDFSyntax
@testable import PDFText
@testable import Pipelines
@testable import PluginKit

/// The parsers that read bytes nobody vouches for. `FUZZ_TARGET` chooses one; `Tests/Fuzzing/run` runs
/// them all.
enum FuzzTarget: String, CaseIterable {
  case lexer, object, file, flate, lzw, ascii85, asciihex, runlength, predictor
  case content, cmap, type1, cff, truetype, page
  case jbig2, imageheader, json, configuration, message

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
      var decoder = JBIG2Decoder(width: 64, height: 64)
      _ = decoder.decode(bytes, globals: nil)
    case .imageheader: _ = ImageHeader.read(bytes.span)
    case .json: _ = try? JSONReader.read(bytes)
    case .configuration:
      _ = ConfigurationFile(name: "fuzz", text: bytes, catalog: nil)
    case .message: _ = try? Message(line: bytes)
    }
  }

  private static var smallLimits: Limits {
    var limits = Limits()
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
    var markdown = MarkdownWriter()
    for index in 0..<min(3, extractor.pageCount) {
      _ = extractor.images(index)
      guard let page = extractor.page(index) else { continue }
      _ = page.layoutText()
      _ = page.joinedText()
      markdown.add(page)
    }
    _ = DocumentInformation(file)
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
