import CLinux
import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Conveyor
@testable import Files
@testable import Intake

/// What is made of a daemon's own words, and how they are asked for.
@Suite struct HealthTests {
  @Test func `who owns what procd cannot read is told what helps`() throws {
    let folder = TemporaryFolder()
    try folder.write("x", to: "mine.txt")
    #expect(
      Staying(path: "mine.txt", reason: .unreadable).text(in: folder.path)
        == "cannot be read by procd; cure, by the owner or root: chmod u+rw '\(folder("mine.txt").string)'"
    )
    guard getuid() == 0 else { return }
    #expect(chown(folder("mine.txt").string, 65534, 65534) == 0)
    let told = Staying(path: "mine.txt", reason: .unreadable).text(in: folder.path)
    #expect(told.contains("by root, or by the owner if in the group root: chgrp root "), "\(told)")
    #expect(told.hasSuffix("chmod g+rw '\(folder("mine.txt").string)'"), "\(told)")
  }

  @Test func `only a running loop that takes files is well`() {
    func judged(_ phase: Pulse.Phase, _ sinceTurn: Int?, _ paused: String? = nil) -> Health {
      Health.judge(Pulse(process: 7, phase: phase, sinceTurn: sinceTurn, paused: paused))
    }
    #expect(judged(.running, 0).isWell)
    #expect(judged(.running, Health.longestTurn).isWell)
    #expect(!judged(.running, Health.longestTurn + 1).isWell)
    #expect(judged(.running, 61_000).sentence.contains("has not run for 61 s"))
    #expect(!judged(.running, nil).isWell)
    #expect(!judged(.starting, nil).isWell)
    #expect(!judged(.ending, 1).isWell)
    #expect(judged(.running, 1, "the disk is full").sentence.contains("the disk is full"))
    #expect(!judged(.running, 1, "the disk is full").isWell)
    let blocked = Health.judge(
      Pulse(process: 7, phase: .running, sinceTurn: 1, blocked: "a.tif waits for the disk"))
    #expect(!blocked.isWell && blocked.sentence == "a.tif waits for the disk")
  }

  @Test func `a file that stays though it should be taken is no health`() {
    let start = ContinuousClock.now
    func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
    var stuck = StuckFiles()
    func overdue(_ seconds: Int) -> String? { stuck.overdue(at: after(seconds), in: "/none/inbox") }
    #expect(
      stuck.note(["f/a.pdf": .notRenamable, "pipe": .notRegular("fifo")], at: start).count == 2)
    #expect(
      stuck.note(["f/a.pdf": .notRenamable, "pipe": .notRegular("fifo")], at: after(5)).isEmpty)
    #expect(overdue(29) == nil)
    // Another look, another reason, and one that came later.
    let found: [FilePath: WaitReason] = ["f/a.pdf": .unreadable, "b.pdf": .unreadable]
    #expect(stuck.note(found, at: after(20)).map(\.path) == ["b.pdf", "f/a.pdf"])
    let late = overdue(30)
    #expect(
      late == "f/a.pdf stays in the inbox: it cannot be read by procd; cure, by the owner or root:"
        + " chmod -R g+rwX '/none/inbox/f'")
    #expect(overdue(50)?.contains("and 1 more") == true)
    let health = Health.judge(Pulse(process: 7, phase: .running, sinceTurn: 1, overdue: late))
    #expect(!health.isWell && health.sentence == late)
    // Mended, and then the same again: its time begins anew. A fifo is never to be taken, and whoever puts a link there waits for its file.
    _ = stuck.note(["pipe": .notRegular("fifo")], at: after(60))
    #expect(overdue(9000) == nil)
    _ = stuck.note(["link": .link], at: after(9100))
    #expect(overdue(9130)?.hasPrefix("link stays in the inbox: it is a symbolic link") == true)
    // All of a folder is one sentence.
    _ = stuck.note(
      ["f/a.pdf": .notRenamable, "f/b/c.pdf": .notRenamable, "g.pdf": .notRenamable],
      at: after(10_000))
    #expect(overdue(10_029) == nil)
    #expect(
      overdue(10_030)
        == "f: 2 files stay in the inbox: they cannot be moved out of their folder by procd;"
        + " cure, by the owner or root: chmod -R g+rwX '/none/inbox/f'; and 1 more, see procd status"
    )
  }

  @Test func `a pulse survives its way as JSON`() throws {
    for pulse in [
      Pulse(process: 1, phase: .starting),
      Pulse(process: 2, phase: .running, sinceTurn: 3, paused: "\"x\"\n"),
      Pulse(process: 2, phase: .running, sinceTurn: 3, blocked: "a.tif waits"),
      Pulse(process: 2, phase: .running, sinceTurn: 3, stuck: ["a": "b"], overdue: "a stays"),
      Pulse(process: 3, phase: .running, sinceTurn: 3, troubles: ["a", "b \"c\""]),
    ] {
      #expect(Pulse(try JSONReader.read(pulse.json.text).value) == pulse)
    }
    #expect(Pulse(["process": "1", "phase": "running"]) == nil)
    #expect(Pulse(["process": 1, "phase": "dancing"]) == nil)
  }

  @Test func `a socket answers again and again, also after one that was killed`() throws {
    let place = TemporaryFolder()
    // Deeper than an address of a socket may be long.
    let deep = String(repeating: "long-name-of-a-folder/", count: 8)
    let folder = try Folder.make(place(deep))
    #expect(throws: FileError.self) { try folder.ask("pulse", patience: 1000) }
    let first = try AnsweringSocket(in: folder, as: "pulse") { Array("one".utf8) }
    for _ in 0..<20 { #expect(try folder.ask("pulse", patience: 5000) == Array("one".utf8)) }
    let second = try AnsweringSocket(in: folder, as: "pulse") { Array("two".utf8) }
    #expect(try folder.ask("pulse", patience: 5000) == Array("two".utf8))
    #expect(throws: FileError.self) { try folder.ask("pulse", patience: 5000, limit: 2) }
    second.close()
    first.close()
    #expect(throws: FileError.self) { try folder.ask("pulse", patience: 1000) }
    #expect(try !folder.exists("pulse"))
  }

  @Test func `who sends a byte now and then keeps nobody else waiting`() throws {
    let place = TemporaryFolder()
    let folder = try Folder.open(place.path)
    let socket = try AnsweringSocket(in: folder, as: "pulse") { Array("one".utf8) }
    defer { socket.close() }
    let slow = unsafe clinux_connect_local(place("pulse").string, 1000)
    try #require(slow >= 0)
    let ended = ThreadSemaphore()
    Thread {
      // Each byte comes within the time that one wait may last; all of them take far longer.
      for _ in 0..<20 {
        guard unsafe clinux_send(slow, "x", 1) == 1 else { break }
        usleep(900_000)
      }
      Glibc.close(slow)
      ended.post()
    }.start()
    #expect(try folder.ask("pulse", patience: 8000) == Array("one".utf8))
    ended.wait()
  }

  @Test func `an answer that does not come is not waited for`() throws {
    let place = TemporaryFolder()
    let folder = try Folder.open(place.path), gate = ThreadSemaphore()
    let socket = try AnsweringSocket(in: folder, as: "pulse") {
      gate.wait()
      return []
    }
    defer {
      gate.post()
      socket.close()
    }
    let error = #expect(throws: FileError.self) { try folder.ask("pulse", patience: 50) }
    #expect(error?.errno == .resourceTemporarilyUnavailable)
  }

  @Test func `a file for others is whole, readable, and leaves nothing beside it`() throws {
    let place = TemporaryFolder()
    let folder = try Folder.open(place.path)
    try folder.writeShared(Array("first".utf8), as: "m.prom")
    try folder.writeShared(Array("second".utf8), as: "m.prom")
    #expect(place.read("m.prom") == Data("second".utf8))
    #expect(place.files() == ["m.prom"])
    #expect(try folder.status("m.prom")?.mode == 0o644)
    try place.write("x", to: "taken/x")
    #expect(throws: FileError.self) { try folder.writeShared([1], as: "taken") }
    #expect(place.files() == ["m.prom", "taken/x"])
  }
}
