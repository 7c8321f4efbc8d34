import Files
import Glibc
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Conveyor

/// A file that came goes into the inbox once, wherever a crash cuts the way.
@Suite struct SourceFolderTests {
  private let place = TemporaryFolder()
  private let source = Source(id: "list", url: "http://a/", every: 1000, to: "lists/new")

  private var handing: SourceState.HandingIn {
    var file = NetAnswer.Received(bytes: 7, url: "http://a/", isPDF: false)
    file.modifiedSeconds = 1_339_754_400
    return SourceState.HandingIn(name: "list.pdf", received: file, sha256: "")
  }

  private func folder() throws -> SourceFolder {
    let folder = try SourceFolder(source, spool: place("spool"))
    try place.write("content", to: "spool/fetch/list/body")
    return folder
  }

  @Test func `it is done once, however often it is repeated`() throws {
    let folder = try folder()
    #expect(try folder.handIn(handing, inbox: place("inbox"), at: .max) == "list.pdf")
    #expect(try folder.handIn(handing, inbox: place("inbox"), at: .max) == "list.pdf")
    #expect(place.files(below: "inbox") == ["lists/new/list.pdf"])
    var status = stat()
    #expect(stat(place("inbox/lists/new/list.pdf").string, &status) == 0)
    #expect(status.st_mtim.tv_sec == 1_339_754_400)
    try place.write("content", to: "spool/fetch/list/body")
    #expect(try folder.handIn(handing, inbox: place("inbox"), at: .max) == "list-2.pdf")
    var packed = handing
    packed.name = "guide.xml.gz"
    for name in ["guide.xml.gz", "guide-2.xml.gz"] {
      try place.write("content", to: "spool/fetch/list/body")
      #expect(try folder.handIn(packed, inbox: place("inbox"), at: .max) == name)
    }
  }

  @Test func `a time in the future is not believed`() throws {
    _ = try folder().handIn(handing, inbox: place("inbox"), at: 5)
    var status = stat()
    #expect(stat(place("inbox/lists/new/list.pdf").string, &status) == 0)
    #expect(status.st_mtim.tv_sec != 1_339_754_400)
  }

  @Test func `where a rename does not reach, a copy is made, and a half one is made anew`() throws {
    let other = "/dev/shm/procd-test-\(getpid())"
    defer { _ = try? Folder.open("/dev/shm").removeTree(FilePath("procd-test-\(getpid())")) }
    var here = stat(), there = stat()
    try #require(stat(place.path.string, &here) == 0 && stat("/dev/shm", &there) == 0)
    try #require(here.st_dev != there.st_dev, "two file systems are needed")
    let inbox = FilePath(other), carried = "\(other)/lists/new/.procd-fetch-list"
    let folder = try folder()
    let target = try Folder.make(inbox).makeFolders("lists/new")
    // Cut off while it was copied.
    try target.creating(".procd-fetch-list").write([0x63].span)
    #expect(try folder.handIn(handing, inbox: inbox, at: .max) == "list.pdf")
    #expect(try target.reading("list.pdf").readAll() == Array("content".utf8))
    #expect(!place.exists("spool/fetch/list/body"))
    // Cut off after the original was gone.
    try #require(rename("\(other)/lists/new/list.pdf", carried) == 0)
    #expect(try folder.handIn(handing, inbox: inbox, at: .max) == "list.pdf")
    #expect(try target.names() == ["list.pdf"])
  }

  @Test func `one process at a time has a source`() throws {
    let first = try folder(), second = try folder()
    #expect(first.lock())
    #expect(!second.lock())
  }

  @Test func `a damaged state is not taken for none`() throws {
    let folder = try folder()
    #expect(try folder.state() == nil)
    try folder.save(SourceState(source, at: 5))
    #expect(try folder.state()?.since == 5)
    try place.write("{\"url\": \"http", to: "spool/fetch/list/state.json")
    #expect(throws: FileError.self) { try folder.state() }
  }
}
