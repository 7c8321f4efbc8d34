import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Probe

/// What `probe.identify` says about the size of images.
@Suite struct ImageFactsTests {
  private func facts(_ bytes: [UInt8]) throws -> JSON {
    Identification.facts(of: bytes.span, magic: try MediaTypeDatabase(), describes: false)
  }

  @Test func `a photo's size is told without decoding it`() throws {
    let path = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let whole = Array(try #require(FileManager.default.contents(atPath: path)))
    let facts = try facts(whole)
    #expect(facts["mime"] == "image/jpeg")
    let width = try #require(facts["width"]?.integerValue)
    let height = try #require(facts["height"]?.integerValue)
    #expect(width > 100 && height > 100)
    #expect(facts["pixels"] == .integer(width * height))
    #expect(facts["frames"] == 1)
    // The header suffices.
    let cut = try self.facts(Array(whole.prefix(whole.count / 2)))
    #expect(cut["width"] == facts["width"] && cut["endMark"] == false)
  }

  @Test func `the words of libmagic are there where somebody asks for them`() throws {
    let magic = try MediaTypeDatabase(), bytes = Array("two words\n".utf8)
    let plain = Identification.facts(of: bytes.span, magic: magic, describes: false)
    let described = Identification.facts(of: bytes.span, magic: magic, describes: true)
    #expect(plain["mime"] == "text/plain" && plain["description"] == nil)
    #expect(described["description"] == "ASCII text")
  }

  @Test func `all frames of a TIFF count`() throws {
    func directory(next: UInt8) -> [UInt8] {
      [2, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 100, 0, 0, 0] + [1, 1, 3, 0, 1, 0, 0, 0, 50, 0, 0, 0]
        + [next, 0, 0, 0]
    }
    let facts = try facts(
      Array("II*\0".utf8) + [8, 0, 0, 0] + directory(next: 38) + directory(next: 0))
    #expect(facts["mime"] == "image/tiff")
    #expect(facts["frames"] == 2 && facts["pagesWithoutText"] == 2)
    #expect(facts["pixels"] == 10_000)
  }

  @Test func `what is no image has no size`() throws {
    for text in ["P1 is a label\n", "plain text\n", "%PDF-1.7\n"] {
      let facts = try facts(Array(text.utf8))
      for name in ["width", "height", "frames", "pixels", "pagesWithoutText"] {
        #expect(facts[name] == nil, "\(text)")
      }
    }
  }

  @Test func `no changed byte of a photo stops the probe`() throws {
    let path = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let start = Array(try #require(FileManager.default.contents(atPath: path)).prefix(2000))
    let magic = try MediaTypeDatabase()
    var numbers = SeededNumbers(seed: 5)
    for _ in 0..<500 {
      var changed = start
      for _ in 0..<3 {
        changed[Int(numbers.next() % 700)] = UInt8(truncatingIfNeeded: numbers.next())
      }
      _ = Identification.facts(of: changed.span, magic: magic, describes: false)
    }
  }
}
