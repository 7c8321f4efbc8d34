import Testing

@testable import PDFSyntax

struct FilterTests {
  private let limit = 1 << 20

  @Test func `LZW reads the example of the standard`() {
    // PDF 32000-1, 7.4.4.2
    let input: [UInt8] = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]
    let result = LZW.decode(input.span, earlyChange: true, limit: limit)
    #expect(result.bytes == [45, 45, 45, 45, 45, 65, 45, 45, 45, 66])
    #expect(result.isComplete)
  }

  @Test func `ASCII85 reads a known text`() {
    let input = Array("87cURD]i,\"Ebo80~>".utf8)
    #expect(ASCII85.decode(input.span, limit: limit).bytes == Array("Hello World!".utf8))
  }

  @Test func `ASCII85 knows z and passes junk over`() {
    let input = Array("z\n87\u{1}cU~>".utf8)
    let result = ASCII85.decode(input.span, limit: limit)
    #expect(result.bytes.prefix(4) == [0, 0, 0, 0])
    #expect(!result.isComplete)
  }

  @Test func `hexadecimal with an odd digit is padded`() {
    let input = Array("48 656C6C 7>".utf8)
    #expect(ASCIIHex.decode(input.span, limit: limit).bytes == Array("Hellp".utf8))
  }

  @Test func `run lengths repeat and copy`() {
    let input: [UInt8] = [2, 1, 2, 3, 254, 9, 128]
    #expect(RunLength.decode(input.span, limit: limit).bytes == [1, 2, 3, 9, 9, 9])
  }

  // zlib's own output for 200 bytes "a".
  private let deflated: [UInt8] = [
    0x78, 0x9C, 0x4B, 0x4C, 0x1C, 0x1E, 0x00, 0x00, 0xC2, 0x7F, 0x4B, 0xC9,
  ]

  @Test func `a cut Flate stream gives what it has`() {
    let deflated = deflated
    let whole = Flate.inflate(deflated.span, limit: limit)
    let head = Array(deflated.dropLast(5))
    let cut = Flate.inflate(head.span, limit: limit)
    #expect(!whole.bytes.isEmpty && whole.bytes.allSatisfy { $0 == 0x61 })
    #expect(!cut.isComplete)
  }

  @Test func `output stops at the limit`() {
    let deflated = deflated
    let result = Flate.inflate(deflated.span, limit: 10)
    #expect(result.bytes.count == 10 && !result.isComplete)
  }

  @Test func `the PNG predictor Up adds the row above`() {
    let parameters: PDFDictionary = ["Predictor": .integer(12), "Columns": .integer(3)]
    let input = FilterResult(bytes: [2, 1, 2, 3, 2, 1, 1, 1], isComplete: true)
    #expect(Predictor.undo(parameters, input).bytes == [1, 2, 3, 2, 3, 4])
  }

  @Test func `the TIFF predictor adds the pixel before`() {
    let parameters: PDFDictionary = ["Predictor": .integer(2), "Columns": .integer(3)]
    let input = FilterResult(bytes: [1, 1, 1, 5, 1, 1], isComplete: true)
    #expect(Predictor.undo(parameters, input).bytes == [1, 2, 3, 5, 6, 7])
  }
}
