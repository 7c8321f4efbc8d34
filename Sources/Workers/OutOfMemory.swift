internal import Files
internal import SystemPackage

/// How often the kernel has ended a process for want of memory (proc(5), /proc/vmstat), since it
/// started; 0 where it does not tell.
enum OutOfMemory {
  static var kills: Int {
    guard let proc = try? Folder.open("/proc"),
      let text = try? proc.reading("vmstat").readAll(limit: 1 << 20)
    else { return 0 }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("oom_kill ") }
    return line.flatMap { Int($0.dropFirst("oom_kill ".count)) } ?? 0
  }
}
