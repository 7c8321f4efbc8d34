import Files
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Conveyor

/// What is asked for when a file is handed in.
@Suite struct WishTests {
  private let manifest = StepManifest(
    name: "a.step", about: "", accepts: ["*/*"], outputs: [],
    options: ObjectShape(
      "options",
      [
        Field("crop", .oneOf(["none", "sheet?"]), "", byDefault: "none"),
        Field("other", .boolean, "", byDefault: false),
      ]))

  private func added(_ options: JSON) -> JSON {
    let written = Options(checked: ["crop": "none", "other": false])
    return Wish(rule: nil, options: options).added(to: written, of: manifest).json
  }

  @Test func `options go to the steps that have them, if they fit`() {
    #expect(added(["crop": "sheet?"]) == ["crop": "sheet?", "other": false])
    #expect(added(["crop": "everything"]) == ["crop": "none", "other": false])
    #expect(added(["passwords": "x", "other": 3]) == ["crop": "none", "other": false])
  }

  @Test func `a wish is known by the file until it is forgotten`() throws {
    let place = TemporaryFolder()
    try place.write("one", to: "a")
    try place.write("two", to: "b")
    let folder = try Folder.open(place.path), spool = try Folder.make(place("spool"))
    func arrival(_ name: String) throws -> Arrival {
      let status = try #require(try folder.status(FilePath(name)))
      return Arrival(
        path: FilePath(name), device: status.device, inode: status.inode, size: status.size,
        modifiedSeconds: status.modified.seconds,
        modifiedNanoseconds: status.modified.nanoseconds, arrived: 0, completeness: .quiet)
    }
    let wish = Wish(rule: "kept", options: ["crop": "sheet?"])
    try wish.leave(for: try #require(try folder.status("a")), in: spool.path)
    #expect(Wish.of(try arrival("a"), in: spool) == wish)
    #expect(Wish.of(try arrival("b"), in: spool) == nil)
    Wish.removeOld(in: spool, at: wallTime())
    #expect(Wish.of(try arrival("a"), in: spool) == wish)
    Wish.forget(try arrival("a"), in: spool)
    #expect(Wish.of(try arrival("a"), in: spool) == nil)
    // One of a file that never came.
    try wish.leave(for: try #require(try folder.status("a")), in: spool.path)
    Wish.removeOld(in: spool, at: wallTime() + 31 * 86_400_000)
    #expect(Wish.of(try arrival("a"), in: spool) == nil)
    // What asks for nothing leaves nothing.
    try Wish(rule: nil).leave(for: try #require(try folder.status("b")), in: spool.path)
    #expect(try spool.folder("wishes").names().isEmpty)
  }
}
