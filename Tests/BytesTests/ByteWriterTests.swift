import Bytes
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct ByteWriterTests {
  private func text(_ write: (inout ByteWriter) -> Void) -> String {
    var writer = ByteWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.12346, "0.1235"), (-0.00001, "0"), (1e6, "1000000"),
    (2.5000, "2.5"), (.infinity, "0"), (.nan, "0"), (99.99996, "100"),
  ])
  func `numbers are written in fixed point without exponent or trailing zeros`(
    value: Double, expected: String
  ) {
    #expect(text { $0.append(fixed: value) } == expected)
  }

  @Test func `whole numbers are written at their ends and with leading zeros`() {
    #expect(text { $0.append(decimal: Int.min) } == String(Int.min))
    #expect(text { $0.append(decimal: Int.max) } == String(Int.max))
    #expect(text { $0.append(decimal: 42, width: 10) } == "0000000042")
    #expect(text { $0.append(decimal: 0, width: 5) } == "00000")
  }

  @Test func `bytes are written as hexadecimal digits`() {
    #expect(text { $0.append(hexadecimal: [0, 0x1F, 0xFF]) } == "001fff")
  }
}

@Suite struct SearchTests {
  private let bytes = Array("startxref 12 startxref 34".utf8)

  @Test func `words are found from both ends and only inside the range`() {
    #expect(bytes.span.first(of: "startxref", in: 0..<bytes.count) == 0)
    #expect(bytes.span.last(of: "startxref", in: 0..<bytes.count) == 13)
    #expect(bytes.span.first(of: "startxref", in: 1..<bytes.count) == 13)
    #expect(bytes.span.first(of: "startxref", in: 14..<bytes.count) == nil)
    #expect(bytes.span.last(of: "startxref", in: -5..<9) == 0)
    #expect(bytes.span.first(of: "34", in: 0..<10_000) == 23)
  }

  @Test func `numbers beyond the end are nil, whatever the offset`() {
    let span = [UInt8](arrayLiteral: 1, 2, 3, 4).span
    #expect(span.bigEndian32(at: 0) == 0x0102_0304)
    #expect(span.littleEndian16(at: 2) == 0x0403)
    for offset in [-1, 1, 4, .max, .min] { #expect(span.bigEndian32(at: offset) == nil) }
  }
}

@Suite struct MappedFileTests {
  @Test func `a file is mapped whole, an empty one too`() throws {
    let folder = TemporaryFolder()
    try folder.write("bytes", to: "file")
    try folder.write("", to: "empty")
    let file = try MappedFile(path: folder("file"))
    #expect(file.span.array(0..<99) == Array("bytes".utf8))
    #expect(try MappedFile(path: folder("empty")).count == 0)
  }

  @Test func `folders, links and files beyond the limit are refused`() throws {
    let folder = TemporaryFolder()
    try folder.write("bytes", to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder("link").string, withDestinationPath: folder("file").string)
    func refusal(_ name: String, limit: Int = 100) -> MappingError? {
      do throws(MappingError) {
        _ = try MappedFile(path: folder(name), limit: limit)
        return nil
      } catch { return error }
    }
    #expect(refusal("file", limit: 4) == .tooLarge(size: 5, limit: 4))
    #expect(refusal("link") == .system(40))
    #expect(refusal("missing") == .system(2))
    #expect(refusal("") == .notARegularFile)
  }
}
