internal import Files
internal import Glibc
internal import SystemPackage

/// What tells processes that serve a spool from all others, so that a later daemon finds those that outlived the
/// one before.
///
/// It is a limit on file locks, which the kernel has kept no more since version 2.4 but still hands on to all
/// that a process starts. What is confined cannot change it (``Confinement``), whatever it does with its
/// environment, its session, its parents and its program.
package struct SpoolMark: Sendable, Equatable {
  let value: UInt64

  /// - Parameter spool: its path, absolute.
  package init(spool: String) {
    // FNV-1a; two bits stay free, so that it is neither none nor without limit.
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in spool.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    value = sum >> 2 | 1
  }

  /// Processes that have the mark, this one apart.
  package func processes() -> [Int32] {
    guard let proc = try? Folder.open("/proc"), let names = try? proc.names() else { return [] }
    return names.compactMap { name in
      guard let process = Int32(name.string), process != getpid(),
        let limits = try? proc.reading(name.appending("limits")).readAll(limit: 1 << 16)
      else { return nil }
      return isMarked(limits) ? process : nil
    }
  }

  /// A line of proc_pid_limits(5): name, soft limit, hard limit, unit.
  private func isMarked(_ limits: [UInt8]) -> Bool {
    let name = Array("Max file locks".utf8), wanted = Array("\(value)".utf8)
    return limits.split(separator: 0x0A).contains { line in
      line.starts(with: name)
        && line.split(separator: 0x20).contains { $0.elementsEqual(wanted) }
    }
  }
}
