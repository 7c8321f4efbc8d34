import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Files

/// Folders of ours in places that others may write to.
@Suite struct OwnFolderTests {
  private let place = TemporaryFolder()
  private func folder(_ relative: String = "") throws -> Folder { try Folder.open(place(relative)) }
  private func make(_ name: String, mode: mode_t) throws {
    #expect(mkdir(place(name).string, 0o700) == 0 && chmod(place(name).string, mode) == 0)
  }
  private func mode(of name: String) throws -> UInt32? {
    try folder().status(FilePath(name))?.mode
  }

  @Test func `our own folder is made closed, and found again`() throws {
    let folder = try folder()
    #expect(try folder.own() == nil)
    let own = try folder.makeOwn()
    #expect(own.path.lastComponent?.string == ".procd")
    #expect(try mode(of: ".procd") == 0o700)
    #expect(try folder.makeOwn().status().isSameFile(as: own.status()))
    #expect(try folder.foreignUnderOwnNames() == [])
  }

  @Test(arguments: [0o777, 0o770, 0o722, 0o1777])
  func `a folder that others may write into is not ours, whoever made it`(mode: mode_t) throws {
    try make(".procd", mode: mode)
    let folder = try folder()
    #expect(try folder.own() == nil)
    let own = try folder.makeOwn()
    #expect(own.path.lastComponent?.string.hasPrefix(".procd-") == true)
    #expect(try self.mode(of: ".procd") == UInt32(mode), "what is not ours keeps its mode")
    // A start finds it again, also when the other one has gone.
    #expect(try folder.makeOwn().path == own.path)
    #expect(rmdir(place(".procd").string) == 0)
    try folder.makeFolder(".procd", mode: 0o777)
    #expect(chmod(place(".procd").string, 0o777) == 0)
    #expect(try folder.makeOwn().path == own.path)
    #expect(try folder.foreignUnderOwnNames().count == 1)
  }

  @Test func `a file and a link under our name are left alone`() throws {
    try place.write("mine", to: "a/.procd")
    #expect(try folder("a").makeOwn().path.lastComponent?.string.hasPrefix(".procd-") == true)
    #expect(place.read("a/.procd") == Data("mine".utf8))
    try make("elsewhere", mode: 0o700)
    try make("b", mode: 0o755)
    #expect(symlink(place("elsewhere").string, place("b/.procd").string) == 0)
    #expect(try folder("b").makeOwn().path.lastComponent?.string.hasPrefix(".procd-") == true)
    #expect(try folder("elsewhere").names() == [])
  }

  @Test(.enabled(if: getuid() == 0, "SKIPPED: only root can give a folder away"))
  func `a closed folder of another user is not ours`() throws {
    try make(".procd", mode: 0o700)
    #expect(chown(place(".procd").string, 65534, 65534) == 0)
    #expect(try folder().own() == nil)
    let told = try folder().foreignUnderOwnNames()
    #expect(told.first?.contains("of user nobody with mode 700") == true, "\(told)")
  }

  @Test func `who may exchange a folder of ours for another is found`() throws {
    try make("inbox", mode: 0o755)
    // What lies above is the machine's.
    let above = try folder().renamableByOthers()
    for (mode, isOpen) in [
      (0o777, true), (0o775, true), (0o757, true), (0o1777, false), (0o1770, false), (0o750, false),
    ] {
      #expect(chmod(place("inbox").string, mode_t(mode)) == 0)
      #expect(
        try folder("inbox").renamableByOthers() == (isOpen ? place("inbox") : above),
        "mode \(mode)")
    }
  }

  @Test
  func `trials leave what stands under such names alone, and no trial stands in a trial's way`()
    throws
  {
    try place.write("mine", to: ".procd-trial")
    try place.write("mine", to: ".procd-trial-1/first")
    #expect(chmod(place(".procd-trial-1").string, 0o777) == 0)
    let folder = try folder()
    #expect(try folder.makeTrial() != folder.makeTrial())
    #expect(try FolderTrial(in: folder, reaching: folder).reaches)
    try folder.removeLeftTrials()
    #expect(try Set(folder.names().map(\.string)) == [".procd-trial", ".procd-trial-1"])
    #expect(place.read(".procd-trial-1/first") == Data("mine".utf8))
  }

  @Test func `rights are opened of folders alone, never of what a link leads to`() throws {
    try make("victim", mode: 0o500)
    #expect(symlink(place("victim").string, place("link").string) == 0)
    #expect(throws: FileError.self) { try self.folder().openUp("link") }
    #expect(try mode(of: "victim") == 0o500)
    try place.write("x", to: "tree/closed/deep/x")
    for name in ["tree/closed/deep", "tree/closed", "tree"] {
      #expect(chmod(place(name).string, 0) == 0)
    }
    try folder().removeTree("tree")
    #expect(try folder().status("tree") == nil)
    #expect(try mode(of: "victim") == 0o500)
  }

  /// The attack as it was: while a tree is removed, its owner swaps a folder without rights for a link.
  @Test func `a folder that is swapped for a link while a tree is removed opens nothing up`() throws
  {
    try make("victim", mode: 0o500)
    let victim = place("victim").string, base = place("").string
    for round in 0..<40 {
      try place.write("x", to: "tree/inner/x")
      #expect(chmod("\(base)/tree/inner", 0) == 0)
      let done = ThreadSignal(), seen = done.generation
      try startThread {
        for _ in 0..<200 {
          // Both fail where the tree is gone by then.
          rename("\(base)/tree/inner", "\(base)/tree/aside")
          symlink(victim, "\(base)/tree/inner")
          unlink("\(base)/tree/inner")
          rename("\(base)/tree/aside", "\(base)/tree/inner")
        }
        done.wake()
      }
      for _ in 0..<20 { try? folder().removeTree("tree") }
      #expect(done.wait(since: seen, seconds: 60))
      try? folder().removeTree("tree")
      #expect(try mode(of: "victim") == 0o500, "round \(round)")
    }
  }

  @Test func `a socket takes the place of a socket alone, and its mode is its own`() throws {
    try place.write("mine", to: "metrics")
    #expect(throws: FileError.self) { try AnsweringSocket(in: self.folder(), as: "metrics") { [] } }
    #expect(place.read("metrics") == Data("mine".utf8))
    for _ in 0..<2 {
      let socket = try AnsweringSocket(in: folder(), as: "asked", mode: 0o666) { [0x78] }
      #expect(try mode(of: "asked") == 0o666)
      #expect(try folder().ask("asked", patience: 5000) == [0x78])
      // As of a process that was killed: the entry stays.
      withExtendedLifetime(socket) {}
    }
  }

  @Test func `who connects and says nothing, and takes nothing, keeps nobody waiting`() throws {
    let long = [UInt8](repeating: 0x61, count: 4 << 20)
    let socket = try AnsweringSocket(in: folder(), as: "asked") { long }
    var idle: [Int32] = []
    for _ in 0..<100 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = Array(place("asked").string.utf8CString)
      withUnsafeMutableBytes(of: &address.sun_path) {
        $0.copyBytes(from: path.map { UInt8(bitPattern: $0) })
      }
      let connection = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
      }
      #expect(result == 0)
      idle.append(connection)
      if idle.count % 20 == 0 {
        #expect(try folder().ask("asked", patience: 30_000, limit: 8 << 20) == long)
      }
    }
    for connection in idle { close(connection) }
    socket.close()
  }

  @Test func `the holder of a lock is found`() throws {
    let folder = try folder()
    #expect(folder.lockHolder() == nil)
    let holder = try Programs.start(
      try #require(Programs.find("flock")), [place("").string, "sleep", "60"], in: place.path)
    defer { holder.signal(SIGTERM) }
    #expect(Programs.wait { folder.lockHolder() != nil })
    let process = try #require(folder.lockHolder())
    #expect(processName(process) != nil)
  }
}
