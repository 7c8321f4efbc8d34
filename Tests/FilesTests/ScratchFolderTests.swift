import Files
import SystemPackage
import Testing

/// What killed runs leave.
struct ScratchFolderTests {
  @Test func `what a killed run left is removed, what a run has is not`() throws {
    let place = try ScratchFolder(for: "left")
    defer { place.remove() }
    let left = try ScratchFolder(for: "work", in: place.path)
    let kept = try ScratchFolder(for: "work", in: place.path)
    let other = try ScratchFolder(for: "hello", in: place.path)
    try left.folder.creating("input").write([1, 2, 3].span)
    #expect(kept.folder.lock())
    // One that was just made stays.
    try ScratchFolder.removeLeft(by: "work", in: place.path)
    #expect(try place.folder.names().count == 3)
    try ScratchFolder.removeLeft(by: "work", in: place.path, age: -10)
    let names = try place.folder.names().map(\.string)
    #expect(names.sorted() == [kept, other].compactMap { $0.path.lastComponent?.string }.sorted())
  }
}
