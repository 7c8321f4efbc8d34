import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

struct FolderProbeTests {
  @Test func `a folder answers whether it is there or not`() throws {
    let folder = try ScratchFolder(for: "probe")
    defer { folder.remove() }
    let probe = FolderProbe()
    let missing = folder.path.appending("missing")
    #expect(probe.silent(of: [folder.path, missing, "/dev/null"]).isEmpty)
    #expect(probe.answers(folder.path))
  }

  /// The processes that ask must not keep what their parent has open: a lock would outlive it.
  @Test func `a lock ends with its holder although a folder was asked about meanwhile`() throws {
    let folder = try ScratchFolder(for: "probe")
    defer { folder.remove() }
    let probe = FolderProbe()
    do {
      let locked = try Folder.open(folder.path)
      #expect(locked.lock())
      #expect(probe.answers(folder.path))
    }
    // A process that another test is just starting shares the lock until it has closed its descriptors.
    #expect(Programs.wait { (try? Folder.open(folder.path))?.lock() == true })
  }

  @Test func `mounts below a folder are known without a look at them`() throws {
    #expect(Mount.points(below: "/").contains("proc"))
    #expect(Mount.points(below: "/proc/self").isEmpty)
  }
}
