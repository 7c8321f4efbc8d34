internal import Files
internal import Glibc
internal import SystemPackage

/// Processes of an earlier daemon that outlived it.
package enum Leftovers {
  /// Kills every process whose environment names this spool, this process apart, and waits until
  /// they are gone (at most some seconds: a process in the kernel's hands cannot be hurried).
  ///
  /// - Returns: how many there were.
  @discardableResult
  package static func end(spool: String) -> Int {
    var count = 0
    for _ in 0..<50 {
      let found = processes(of: spool)
      if found.isEmpty { break }
      count = max(count, found.count)
      for process in found { kill(process, SIGKILL) }
      usleep(100_000)
    }
    return count
  }

  /// How many there are now.
  package static func count(spool: String) -> Int { processes(of: spool).count }

  private static func processes(of spool: String) -> [Int32] {
    guard let proc = try? Folder.open("/proc"), let names = try? proc.names() else { return [] }
    let wanted = Array("PROCD_SPOOL=\(spool)\0".utf8)
    return names.compactMap { name in
      guard let process = Int32(name.string), process != getpid(),
        let environment = try? proc.reading(FilePath("\(process)/environ")).readAll(limit: 1 << 20)
      else { return nil }
      return contains(environment, wanted) ? process : nil
    }
  }

  private static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    bytes.split(separator: 0).contains { $0.elementsEqual(wanted.dropLast()) }
  }
}
