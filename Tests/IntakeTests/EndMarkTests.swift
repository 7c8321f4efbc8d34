import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Intake

/// Whether files end as those of their kind do.
@Suite struct EndMarkTests {
  private func stands(_ bytes: [UInt8]) throws -> Bool? {
    let place = TemporaryFolder()
    try place.write(Data(bytes), to: "a")
    return try EndMark.stands(
      in: try Folder.open(place.path).reading("a"), size: bytes.count)
  }

  private static let tiff: [UInt8] =
    [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 16)
  private static let bigTIFF: [UInt8] =
    [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1] + [UInt8](repeating: 0, count: 16)

  @Test(arguments: [
    Array("%PDF-1.4\n1 0 obj\n%%EOF\n".utf8), Array("junk\n%PDF-1.4\n%%EOF".utf8),
    [0x89, 0x50, 0x4E, 0x47, 0, 0, 0x49, 0x45, 0x4E, 0x44, 1, 2, 3, 4],
    [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 0xFF, 0xD9, 0, 0],
    [0x50, 0x4B, 3, 4, 1, 2, 0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18), tiff, bigTIFF,
  ])
  func `a whole file has its end, and one that is cut off has none`(bytes: [UInt8]) throws {
    #expect(try stands(bytes) == true)
    #expect(try stands(Array(bytes.prefix(5))) != true)
  }

  @Test func `files of other kinds have no mark to wait for`() throws {
    for bytes in [Array("line\n".utf8), [0x49, 0x49], [0xFF]] {
      #expect(try stands(bytes) == nil)
    }
  }

  /// A scanner reserves a name before it knows what to write.
  @Test func `an empty file has no end yet`() throws { #expect(try stands([]) == false) }

  @Test(arguments: [
    [UInt8](repeating: 0, count: 5000), Array("<html>".utf8) + Array(repeating: 0x20, count: 2000),
    Array(repeating: 0x41, count: 200_000),
  ])
  func `a PDF with other data behind its end mark is whole`(data: [UInt8]) throws {
    #expect(try stands(Array("%PDF-1.4\n1 0 obj\n%%EOF\n".utf8) + data) == true)
  }

  /// An update that is still being written, and a linearized file whose first page alone is there.
  @Test(arguments: ["7 0 obj\n<< /Length 9000 >>\nstream\n", "xref\n0 1\n"])
  func `a PDF with a part behind its end mark that has no end is cut off`(part: String) throws {
    let data = Array("%PDF-1.4\n1 0 obj\n%%EOF\n\(part)".utf8) + Array(repeating: 0x41, count: 3000)
    #expect(try stands(data) == false)
  }

  /// As libtiff's usual writers and others put them: the directory first or last, strips inline or listed.
  @Test func `a TIFF file is whole once the strips and pictures that it names are there`() throws {
    func field(_ tag: UInt8, _ type: UInt8, _ count: UInt8, _ value: UInt8) -> [UInt8] {
      [tag, 1, type, 0, count, 0, 0, 0, value, 0, 0, 0]
    }
    let start: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
    // One strip of ten bytes behind its directory, which names no other one.
    let one = start + [2, 0] + field(17, 4, 1, 38) + field(23, 3, 1, 10) + [0, 0, 0, 0]
    #expect(one.count == 38)
    let strip = [UInt8](repeating: 7, count: 10)
    #expect(try stands(one + strip) == true)
    for count in 0..<10 { #expect(try stands(one + strip.prefix(count)) == false) }
    // Two strips whose places stand behind the directory.
    let two = start + [2, 0] + field(17, 4, 2, 38) + field(23, 4, 2, 46) + [0, 0, 0, 0]
    let list: [UInt8] = [54, 0, 0, 0, 59, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0]
    #expect(try stands(two + list + strip) == true)
    #expect(try stands(two + list + strip.prefix(9)) == false)
    #expect(try stands(two + list.prefix(6)) == false)
    // Another picture is to come.
    let first = Array(one.prefix(34)), more: [UInt8] = first + [48, 0, 0, 0] + strip
    #expect(try stands(more) == false)
    #expect(try stands(more + Array(one[8...])) == true)
    // One directory that leads to itself.
    #expect(try stands(first + [8, 0, 0, 0] + strip) == true)
  }

  @Test func `a TIFF file of endless directories and lists is not gone through`() throws {
    // Fields that all name the same list of 60,000 places, in a directory that leads to itself.
    let count = 60_000
    var bytes: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0x60, 0xEA]
    let field: [UInt8] = [17, 1, 4, 0, 0x60, 0xEA, 0, 0, 8, 0, 0, 0]
    for _ in 0..<count { bytes += field }
    bytes += [8, 0, 0, 0]
    // Gone through, it would be some ten million million numbers, and nothing lacks.
    #expect(try stands(bytes) == true)
  }

  @Test func `numbers of a file that lead out of it are no end`() throws {
    for offset in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [30, 0, 0, 0]] as [[UInt8]] {
      #expect(try stands([0x49, 0x49, 0x2A, 0] + offset + [0xFF, 0xFF]) == false)
    }
  }
}
