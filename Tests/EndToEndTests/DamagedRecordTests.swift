import Foundation
import SystemPackage
import TestSupport
import Testing

/// Records of procd's own that the disk did not keep as they were written.
@Suite struct DamagedRecordTests {
  /// A claim as a kill leaves it, its note damaged.
  ///
  /// - Parameter state: of the job in the ledger; nil if the ledger does not know it.
  private func site(_ state: String?) throws -> Site {
    let site = try Site()
    try site.place.write(Site.pdf("first"), to: "inbox/first.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let job = "01DAMAGED0000000000000000Z"
    try site.place.write(Site.pdf("second"), to: "spool/claimed/\(job)/source")
    try site.place.write("{\"path\": \"post/sec", to: "spool/claimed/\(job)/arrival.json")
    if let state {
      let script = """
        import sqlite3, sys
        ledger = sqlite3.connect(sys.argv[1])
        ledger.execute("INSERT INTO job (id, path, size, arrived, completeness, state) VALUES (?, ?, 7, 5, 'lease', ?)",
                       (sys.argv[2], b"post/second.pdf", sys.argv[3]))
        ledger.commit()
        """
      let result = try Programs.run(
        try #require(Programs.find("python3")),
        ["-c", script, site.place("spool/ledger.sqlite").string, job, state], in: site.place.path)
      #expect(result.status == 0, "\(result.errors)")
    }
    return site
  }

  @Test func `a file keeps its name and folder if the ledger knows them`() throws {
    let site = try site("claimed")
    let run = try site.run("run", "--once")
    #expect(run.status == 0 && run.errors.contains("post/second.pdf was damaged"), "\(run.errors)")
    #expect(site.place.exists("archive/post/second.pdf"))
    #expect(
      !site.lastingFiles.contains { $0.contains("01DAMAGED") && !$0.hasPrefix("spool/ledger") })
  }

  @Test func `a file that nobody knows stays as it is, and that is told`() throws {
    let site = try site(nil)
    let run = try site.run("run", "--once")
    #expect(run.errors.contains("it is damaged"), "\(run.errors)")
    #expect(site.place.exists("spool/claimed/01DAMAGED0000000000000000Z/source"))
    #expect(!site.place.exists("archive/01DAMAGED0000000000000000Z"))
  }

  @Test func `a job is held up if what was decided about it cannot be read`() throws {
    let site = try site("publishing")
    let run = try site.run("run", "--once")
    #expect(run.errors.contains("is damaged in the ledger"), "\(run.errors)")
    #expect(site.place.exists("spool/claimed/01DAMAGED0000000000000000Z/source"))
  }
}
