import Files
import Pipelines
import SystemPackage
import TestSupport
import Testing

@testable import Intake

/// When a file is complete, with all times handed in.
@Suite struct SettlingTests {
  private let settling = Settling(settle: 2000, settleUnleased: 10_000)

  /// A real file's status with other times and size.
  private func status(modified: Int64, changed: Int64? = nil, size: Int = 5) throws -> FileStatus {
    let place = TemporaryFolder()
    try place.write("x", to: "a")
    var status = try #require(try Folder.open(place.path).status("a"))
    func time(_ milliseconds: Int64) -> FileTime {
      FileTime(seconds: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000)
    }
    // The same file at each look.
    (status.device, status.inode, status.size) = (1, 1, size)
    (status.modified, status.changed) = (time(modified), time(changed ?? modified))
    return status
  }

  @Test func `a file that has been quiet for long may be taken at first sight`() throws {
    let memory = Settling.Memory(try status(modified: 50_000), at: 100_000)
    #expect(settling.quietFrom(memory) == 52_000)
  }

  @Test func `an end mark is waited for, not as long where a lease shows that nobody writes`() {
    let patient = Settling(settle: 1, settleUnleased: 1, settleEndMark: 120_000)
    #expect(patient.endMarkUntil(change: 5, .quiet) == 120_005)
    #expect(patient.endMarkUntil(change: 5, .lease) == 20_005)
    #expect(settling.endMarkUntil(change: 5, .lease) == 5)
  }

  @Test func `the later of both times counts`() throws {
    let memory = Settling.Memory(try status(modified: 10_000, changed: 99_000), at: 100_000)
    #expect(settling.quietFrom(memory) == 101_000)
  }

  @Test func `a time in the future counts as the first look`() throws {
    let memory = Settling.Memory(try status(modified: 900_000), at: 100_000)
    #expect(settling.quietFrom(memory) == 102_000)
  }

  @Test func `looks that see no change do not make a file wait longer`() throws {
    var memory = Settling.Memory(try status(modified: 900_000), at: 100_000)
    memory.look(try status(modified: 900_000), at: 101_500)
    #expect(settling.quietFrom(memory) == 102_000)
  }

  @Test func `each change starts the waiting anew`() throws {
    for changed in [
      try status(modified: 101_000), try status(modified: 99_000, changed: 101_000),
      try status(modified: 101_000, size: 6),
    ] {
      var memory = Settling.Memory(try status(modified: 99_000), at: 100_000)
      memory.unleasedSince = 100_000
      memory.look(changed, at: 101_000)
      #expect(settling.quietFrom(memory) == 103_000)
      #expect(memory.unleasedSince == nil)
    }
  }

  @Test func `another file under the same name starts anew`() throws {
    var memory = Settling.Memory(try status(modified: 99_000), at: 100_000)
    var other = try status(modified: 99_000)
    other.inode = 2
    memory.look(other, at: 105_000)
    #expect(memory.since == 105_000)
  }

  @Test func `without a lease two looks stand apart, whatever the file's own times say`() throws {
    var memory = Settling.Memory(try status(modified: 1000), at: 100_000)
    #expect(settling.quietUnleasedFrom(memory) > 1 << 60)
    memory.unleasedSince = 100_000
    #expect(settling.quietUnleasedFrom(memory) == 110_000)
    memory.look(try status(modified: 1000), at: 109_000)
    #expect(settling.quietUnleasedFrom(memory) == 110_000)
  }
}

@Suite struct IgnoreListTests {
  private let list = IgnoreList(Configuration.Inbox().ignore)

  @Test(arguments: [
    ".hidden", "~$letter.docx", "letter.tmp", "~x.tmp", "a~", "scan.part", "x.crdownload",
    "Thumbs.db", "a.filepart", ".procd",
  ])
  func `temporary names are left alone`(name: String) {
    #expect(list.pattern(for: name, isFolder: false) != nil)
  }

  @Test(arguments: ["letter.pdf", "part", "tmp", "a.tmp.pdf", "~letter.pdf", "#recycle", "thumbs"])
  func `other names are taken`(name: String) {
    #expect(list.pattern(for: name, isFolder: false) == nil)
  }

  @Test func `a pattern with a slash at its end is for folders only`() {
    let list = IgnoreList(["old/", "*.bak"])
    #expect(list.pattern(for: "old", isFolder: true) == "old")
    #expect(list.pattern(for: "old", isFolder: false) == nil)
    #expect(list.pattern(for: "x.bak", isFolder: false) == "*.bak")
    #expect(list.pattern(for: "x.bak", isFolder: true) == "*.bak")
  }
}
