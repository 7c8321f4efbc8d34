import TestSupport
import Testing

@testable import PDFSyntax

/// Which filters run, in which order, and what their parameters do.
struct FilterChainTests {
  private let text = Array("the same text again and again and again".utf8)

  private func decode(_ bytes: [UInt8], _ dictionary: String) throws -> DecodedStream {
    let source = Array("<<\(dictionary)>>".utf8)
    var parser = ObjectParser(source.span)
    let parsed = parser.object()?.dictionary
    return FilterChain(try #require(parsed)).decode(bytes.span, limit: 1 << 20)
  }

  private func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + Array(">".utf8)
  }

  @Test(
    arguments: [
      "/Filter[/ASCIIHexDecode/FlateDecode]", "/F[/AHx/Fl]", "/Filter[/AHx/FlateDecode]",
      "/Filter[/ASCIIHexDecode/Crypt/FlateDecode]",
      "/Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms[null null]",
    ])
  func `filters run in their order, under either name`(dictionary: String) throws {
    let encoded = hexadecimal(try #require(Deflate.compressed(text)))
    let decoded = try decode(encoded, dictionary)
    #expect(decoded.bytes == text && decoded.isComplete && decoded.pending == nil)
  }

  @Test func `each abbreviated name is known`() throws {
    let flate = try #require(Deflate.compressed(text))
    #expect(try decode(flate, "/Filter/Fl").bytes == text)
    let lzw: [UInt8] = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]
    #expect(try decode(lzw, "/Filter/LZW").bytes.count == 10)
    #expect(try decode(Array("87cURD]i,\"Ebo80~>".utf8), "/Filter/A85").bytes.count == 12)
    #expect(try decode(Array("4142>".utf8), "/F/AHx").bytes == [0x41, 0x42])
    #expect(try decode([254, 9, 128], "/F/RL").bytes == [9, 9, 9])
  }

  @Test func `a stream without filters is as it stands`() throws {
    #expect(try decode(text, "").bytes == text)
    #expect(try decode(text, "/Filter null").bytes == text)
    #expect(try decode(text, "/Filter[]").bytes == text)
  }

  @Test(arguments: ["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode", "DCT", "CCF"])
  func `image filters are not run`(name: String) throws {
    let encoded = hexadecimal(text)
    let decoded = try decode(
      encoded, "/Filter[/ASCIIHexDecode/\(name)]/DecodeParms[null<</K -1>>]")
    #expect(decoded.bytes == text && decoded.isComplete)
    #expect(decoded.pending?.text == name && decoded.pendingParameters?.integer("K") == -1)
  }

  @Test func `an unknown filter ends the chain`() throws {
    let decoded = try decode(hexadecimal(text), "/Filter[/AHx/Secret/FlateDecode]")
    #expect(decoded.bytes == text && decoded.pending == "Secret")
  }

  @Test func `parameters go with the filter at their place`() throws {
    let rows: [UInt8] = [2, 1, 2, 3, 2, 1, 1, 1]
    let flate = try #require(Deflate.compressed(rows))
    let expected: [UInt8] = [1, 2, 3, 2, 3, 4]
    let parameters = "<</Predictor 12/Columns 3>>"
    for dictionary in [
      "/Filter/FlateDecode/DecodeParms\(parameters)",
      "/Filter[/FlateDecode]/DecodeParms\(parameters)",
      "/Filter/FlateDecode/DecodeParms[\(parameters)]", "/F/Fl/DP\(parameters)",
    ] {
      #expect(try decode(flate, dictionary).bytes == expected, "\(dictionary)")
    }
    let chained = try decode(
      hexadecimal(flate), "/Filter[/AHx/Fl]/DecodeParms[null\(parameters)]")
    #expect(chained.bytes == expected)
  }

  @Test func `parameters may be references`() throws {
    var file = FileAssembler()
    file.page()
    let rows: [UInt8] = [2, 1, 2, 3, 2, 1, 1, 1]
    file.stream(
      4, try #require(Deflate.compressed(rows)), entries: "/Filter 6 0 R/DecodeParms 7 0 R")
    file.object(6, "[8 0 R]")
    file.object(7, "[<</Predictor 9 0 R/Columns 3>>]")
    file.object(8, "/FlateDecode")
    file.object(9, "12")
    let opened = try PDFFile(FileBytes(file.bytes))
    let stream = try #require(opened.object(4).stream)
    #expect(opened.decode(stream).bytes == [1, 2, 3, 2, 3, 4])
  }

  @Test func `LZW without early change widens its codes one later`() throws {
    // 300 different pairs of bytes need more codes than fit into nine bits.
    let source = (0..<300).flatMap { [UInt8($0 & 255), UInt8($0 >> 4 & 255)] }
    for early in [0, 1] {
      let encoded = lzw(source, early: early)
      let right = try decode(
        encoded, "/Filter/LZWDecode/DecodeParms<</EarlyChange \(early)>>")
      #expect(right.bytes == source && right.isComplete)
      let wrong = try decode(
        encoded, "/Filter/LZWDecode/DecodeParms<</EarlyChange \(1 - early)>>")
      #expect(wrong.bytes != source)
    }
  }

  /// Codes of literals only, which fill the table all the same.
  private func lzw(_ bytes: [UInt8], early: Int) -> [UInt8] {
    var result: [UInt8] = []
    var bits = 0
    var count = 0
    var width = 9
    var next = 258
    func put(_ code: Int) {
      bits = bits << width | code
      count += width
      while count >= 8 {
        result.append(UInt8(truncatingIfNeeded: bits >> (count - 8)))
        count -= 8
        bits &= (1 << count) - 1
      }
    }
    put(256)
    for (index, byte) in bytes.enumerated() {
      put(Int(byte))
      if index > 0 { next += 1 }
      if next + early >= 1024 { width = 11 } else if next + early >= 512 { width = 10 }
    }
    put(257)
    put(0)
    return result
  }

  @Test func `a chain is not longer than its limit`() throws {
    let names = String(repeating: "/AHx", count: 10_000)
    #expect(try decode(Array("41>".utf8), "/Filter[\(names)]").bytes.count <= 1)
  }

  @Test func `a damaged filter in a chain gives what it had to the next`() throws {
    let flate = try #require(Deflate.compressed(hexadecimal(text)))
    let cut = Array(flate.dropLast(6))
    let decoded = try decode(cut, "/Filter[/FlateDecode/ASCIIHexDecode]")
    #expect(!decoded.isComplete)
    #expect(decoded.bytes.count > 4 && text.starts(with: decoded.bytes.dropLast()))
  }

  @Test func `data behind a broken zlib header is read`() throws {
    var flate = try #require(Deflate.compressed(text))
    flate[0] = 0xFF
    #expect(try decode(flate, "/Filter/FlateDecode").bytes == text)
    #expect(try decode(Array(flate.dropFirst(2)), "/Filter/FlateDecode").bytes == text)
    let sound = try #require(Deflate.compressed(text))
    #expect(try decode([0x0D, 0x0A] + sound, "/Filter/FlateDecode").bytes == text)
  }
}
