internal import Files
internal import SystemPackage

/// How often the kernel has ended a process for want of memory (proc(5), /proc/vmstat), since it
/// started; 0 where it does not tell.
enum OutOfMemory {
  static var kills: Int {
    guard let proc = try? Folder.open("/proc"),
      let text = try? proc.reading("vmstat").readAll(limit: 1 << 20)
    else { return 0 }
    // Read for each run: without making lines of all of it.
    let mark = Array("\noom_kill ".utf8)
    guard
      let found = text.indices.first(where: { text[$0] == 0x0A && text[$0...].starts(with: mark) })
    else { return 0 }
    return text[(found + mark.count)...].prefix { (0x30...0x39).contains($0) }
      .reduce(0) { $0 &* 10 &+ Int($1 - 0x30) }
  }
}
