import Files
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite struct FolderTests {
  private let place = TemporaryFolder()
  private func folder(_ relative: String = "") throws -> Folder { try Folder.open(place(relative)) }

  @Test func `what is made in a folder that a group shares is shared too`() throws {
    for (name, mode, isShared) in [("shared", 0o2770, true), ("own", 0o750, false)] {
      try folder().makeFolder(FilePath(name))
      try #require(chmod(place(name).string, mode_t(mode)) == 0)
      _ = try folder(name).makeFolders("a/b")
      _ = try folder(name).makeFolders("closed", mode: 0o700)
      _ = try folder(name).makeFolders("given", group: folder(name).status().group)
      for made in ["a", "a/b", "given"] {
        #expect(try (folder("\(name)/\(made)").status().mode & 0o020 != 0) == isShared)
      }
      #expect(try folder("\(name)/closed").status().mode & 0o077 == 0)
    }
  }

  @Test func `what is made in place of a removed folder is open to the same users`() throws {
    try folder().makeFolder("shared")
    let path = place("shared"), lists = Programs.find("setfacl")
    try #require(chmod(path.string, 0o2770) == 0)
    if geteuid() == 0 { try #require(chown(path.string, 0, 12345) == 0) }
    if let lists {
      try #require(Programs.run(lists, ["-d", "-m", "g::rwX,u:65534:r", path.string]).status == 0)
    }
    let former = try folder("shared"), before = try former.status()
    try #require(rmdir(path.string) == 0)
    let made = try Folder.make(path, like: former)
    #expect(try !made.status().isSameFile(as: before))
    #expect(try made.status().mode == before.mode)
    #expect(try made.status().group == before.group)
    if lists != nil {
      let shown = try Programs.run(try #require(Programs.find("getfacl")), ["-cpn", path.string])
      #expect(shown.output.contains("default:user:65534:r--"), "\(shown)")
    }
    // What somebody else has put there keeps its rights.
    try #require(chmod(path.string, 0o755) == 0)
    #expect(try Folder.make(path, like: former).status().mode & 0o7777 == 0o755)
  }

  @Test func `what several make at once is shared all the same`() throws {
    try folder().makeFolder("shared")
    try #require(chmod(place("shared").string, 0o2770) == 0)
    let shared = try folder("shared")
    for round in 0..<50 {
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        _ = try? shared.makeFolders(FilePath("\(round)/a/\(number % 2)"))
      }
      for made in ["", "/a", "/a/0", "/a/1"] {
        #expect(try folder("shared/\(round)\(made)").status().mode & 0o2020 == 0o2020)
      }
    }
  }

  @Test func `a rename never replaces another file`() throws {
    try place.write("new", to: "a")
    try place.write("old", to: "b")
    let folder = try folder()
    #expect(try folder.rename("a", to: folder, as: "b") == .taken)
    #expect(place.read("a") == "new".data)
    #expect(place.read("b") == "old".data)
    #expect(try folder.rename("a", to: folder, as: "c") == .done)
    #expect(place.files() == ["b", "c"])
    #expect(try folder.rename("a", to: folder, as: "d") == .missing)
    try place.write("x", to: "full/x")
    try place.write("y", to: "other/y")
    #expect(try folder.rename("other", to: folder, as: "full") == .taken)
    try folder.makeFolder("empty")
    #expect(try folder.rename("other", to: folder, as: "empty") == .taken)
  }

  @Test func `a rename into a folder that was removed is an error, not a name that is gone`() throws
  {
    try place.write("x", to: "a")
    let folder = try folder()
    try folder.makeFolder("removed")
    let removed = try folder.folder("removed")
    #expect(try folder.removeEmptyFolder("removed"))
    #expect(throws: FileError.self) { try folder.rename("a", to: removed, as: "b") }
    #expect(place.read("a") == "x".data)
  }

  @Test func `a rename between mounts says so and changes nothing`() throws {
    let memory = try Folder.open("/dev/shm")
    let folder = try folder()
    guard try memory.status().device != folder.status().device else { return }
    try place.write("x", to: "a")
    #expect(
      try folder.rename("a", to: memory, as: FilePath("procd-test-\(getpid())")) == .otherMount)
    #expect(place.exists("a"))
  }

  @Test func `paths below a folder follow no link and never leave it`() throws {
    try place.write("secret", to: "outside/secret")
    try place.write("in", to: "box/inner/file")
    try #require(symlink("../outside", place("box/link").string) == 0)
    try #require(symlink("inner/file", place("box/short").string) == 0)
    try #require(symlink("/proc/self/cwd", place("box/magic").string) == 0)
    let box = try folder("box")
    for way: Folder.Resolution in [.guarded, .acrossMounts] {
      func refused(_ path: FilePath) -> Errno? {
        do throws(FileError) { _ = try box.reading(path, way) } catch { return error.errno }
        return nil
      }
      #expect(refused("inner/file") == nil)
      #expect(refused("link/secret") == .tooManySymbolicLinkLevels)
      #expect(refused("short") == .tooManySymbolicLinkLevels)
      #expect(refused("magic/x") == .tooManySymbolicLinkLevels)
      #expect(refused("../outside/secret") == .improperLink)
      #expect(refused("inner/../../outside/secret") == .improperLink)
      #expect(refused(place("outside/secret")) == .improperLink)
    }
    #expect(throws: FileError.self) { try box.folder("link") }
    #expect(throws: FileError.self) { try box.makeFolders("../new") }
    #expect(!place.exists("new"))
    #expect(try box.status("link")?.kind == .link)
  }

  @Test func `another mount is crossed only where that is allowed`() throws {
    let root = try Folder.open("/")
    guard try Folder.open("/proc").status().device != root.status().device else { return }
    #expect(throws: Never.self) { try root.folder("proc", .acrossMounts) }
    do throws(FileError) {
      _ = try root.folder("proc", .guarded)
      Issue.record("a mount was crossed")
    } catch { #expect(error.errno == .improperLink) }
  }

  @Test(.timeLimit(.minutes(1))) func `a fifo without a writer does not hold up its reader`() throws
  {
    try #require(mkfifo(place("pipe").string, 0o600) == 0)
    let file = try folder().reading("pipe")
    #expect(try file.status().kind == .other)
  }

  @Test func `a new file never takes a name that stands, not even a link's`() throws {
    try place.write("old", to: "a")
    try #require(symlink("target", place("link").string) == 0)
    let folder = try folder()
    for name: FilePath in ["a", "link"] {
      do throws(FileError) {
        _ = try folder.creating(name)
        Issue.record("\(name) was replaced")
      } catch { #expect(error.errno == .fileExists) }
    }
    #expect(place.read("a") == "old".data)
    #expect(!place.exists("target"))
  }

  @Test func `a file that is written durably is whole, alone, and replaces the old one`() throws {
    let folder = try folder()
    try folder.writeDurably(Array("one".utf8), as: "state.json")
    #expect(place.read("state.json") == "one".data)
    // What a crash left behind is no hindrance.
    try place.write("half", to: "state.json.new")
    try folder.writeDurably(Array("two".utf8), as: "state.json")
    #expect(place.read("state.json") == "two".data)
    #expect(place.files() == ["state.json"])
  }

  @Test func `a copy is what its hash says, and stops at its limit`() throws {
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try place.write(.init(bytes), to: "source")
    let folder = try folder()
    let source = try folder.reading("source")
    let digest = try source.copy(to: try folder.creating("copy"))
    #expect(digest == ContentDigest(bytes: 700_000, sha256: sha256(bytes)))
    #expect(place.read("copy") == .init(bytes))
    #expect(try folder.reading("copy").digest() == digest)
    // Reading for a hash leaves the position alone.
    #expect(try source.readAll() == bytes)
    do throws(FileError) {
      _ = try source.copy(to: try folder.creating("small"), limit: 699_999)
      Issue.record("more than the limit was copied")
    } catch { #expect(error.errno == .fileTooLarge) }
    #expect(throws: Never.self) {
      try source.copy(to: try folder.creating("exact"), limit: 700_000)
    }
    #expect(
      sha256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `reading all of a file stops at its limit`() throws {
    try place.write("12345", to: "a")
    #expect(try folder().reading("a").readAll(limit: 5) == Array("12345".utf8))
    #expect(throws: FileError.self) { try folder().reading("a").readAll(limit: 4) }
  }

  @Test func `a tree of 5,000 folders one in the other is removed`() throws {
    let top = try folder()
    try top.makeFolder("deep")
    var inner = try top.folder("deep")
    for _ in 0..<5000 {
      // Not through makeFolder, which syncs each.
      try #require(mkdirat(inner.descriptor, "d", 0o700) == 0)
      inner = try inner.folder("d")
    }
    _ = try inner.creating("leaf")
    try top.removeTree("deep")
    #expect(try top.names() == [])
  }

  @Test func `a tree is removed with links, locked folders and names that are no text`() throws {
    try place.write("keep", to: "outside/keep")
    try place.write("x", to: "tree/a/b/x")
    try #require(symlink("../outside", place("tree/link").string) == 0)
    try #require(mkfifo(place("tree/a/pipe").string, 0o600) == 0)
    let odd: [CChar] = [CChar(bitPattern: 0xFF), 0x61, CChar(bitPattern: 0xC3), 0]
    let inner = try folder("tree")
    try #require(
      odd.withUnsafeBufferPointer { mkdirat(inner.descriptor, $0.baseAddress!, 0o700) } == 0)
    try #require(chmod(place("tree/a/b").string, 0) == 0)
    try folder().removeTree("tree")
    #expect(try folder().names() == ["outside"])
    #expect(place.exists("outside/keep"))
    #expect(throws: Never.self) { try folder().removeTree("tree") }
  }

  @Test func `names that are no UTF-8 are listed, opened and renamed as they are`() throws {
    let folder = try folder()
    let latin = FilePath(platformString: [0x66, CChar(bitPattern: 0xFC), 0x72, 0])
    let other = FilePath(platformString: [0x66, CChar(bitPattern: 0xE9), 0x72, 0])
    try folder.creating(latin).write(Array("ü".utf8).span)
    _ = try folder.creating(other)
    #expect(Set(try folder.names()) == [latin, other])
    #expect(try folder.reading(latin).readAll() == Array("ü".utf8))
    #expect(try folder.rename(latin, to: folder, as: other) == .taken)
    #expect(try folder.rename(latin, to: folder, as: "plain") == .done)
    #expect(try folder.status("plain")?.size == 2)
    #expect(try folder.remove(other))
    #expect(try !folder.remove(other))
  }

  @Test func `names in both forms of Unicode are two files`() throws {
    let folder = try folder()
    _ = try folder.creating("\u{E9}")
    _ = try folder.creating("e\u{301}")
    #expect(try folder.names().count == 2)
  }

  @Test func `folders are made with their parents and left alone where they stand`() throws {
    let made = try Folder.make(place("a/b/c"))
    #expect(made.path == place("a/b/c"))
    try place.write("x", to: "a/b/c/x")
    _ = try Folder.make(place("a/b/c"))
    _ = try folder().makeFolders("a/b/c/d/e")
    #expect(place.files() == ["a/b/c/x"])
    #expect(try !folder("a/b/c").removeEmptyFolder("d"))
    #expect(try folder("a/b/c/d").removeEmptyFolder("e"))
    try place.write("file", to: "f")
    #expect(throws: FileError.self) { try folder().makeFolders("f/g") }
  }

  @Test func `a lock is held by one at a time and ends with its holder`() throws {
    var first: Folder? = try folder()
    #expect(first?.lock() == true)
    let second = try folder()
    #expect(!second.lock())
    first = nil
    #expect(second.lock())
  }

  @Test func `a lease tells whether somebody writes`() throws {
    try place.write("x", to: "a")
    let file = try folder().reading("a")
    guard try folder().fileSystemType() == 0xEF53 else { return }
    signal(SIGIO, SIG_IGN)
    let writer = open(place("a").string, O_WRONLY | O_CLOEXEC)
    #expect(file.takeLease() == .writerPresent)
    close(writer)
    // A process that another test starts has it open, too, until it is a program of its own.
    #expect(Programs.wait { file.takeLease() == .held })
    #expect(file.holdsLease())
    file.dropLease()
    #expect(!file.holdsLease())
  }

  @Test func `a file name cannot write to a terminal`() {
    #expect(FilePath("a\u{1B}[31m\nb").printable == "a\\x1b[31m\\x0ab")
  }
}

extension String {
  fileprivate var data: Data { Data(utf8) }
}
