internal import CLinux
internal import Glibc
internal import PlainText
package import SystemPackage

extension Folder {
  /// The process that holds the lock of this folder; nil where none does, or none that this process may see.
  package func lockHolder() -> Int32? {
    guard let status = try? status() else { return nil }
    return Files.lockHolder(of: status)
  }

  /// The process that holds a lock on a file in this folder.
  package func lockHolder(of name: FilePath) -> Int32? {
    guard let status = try? status(name) else { return nil }
    return Files.lockHolder(of: status)
  }
}

extension OpenFile {
  /// Takes the exclusive lock that dies with its holder; false where another process has it.
  package func lock() -> Bool { clinux_lock_exclusive(descriptor) == 0 }

  /// The process that holds a lock of this file; nil where none does, or none that this process may see.
  package func lockHolder() -> Int32? { (try? status()).flatMap { Files.lockHolder(of: $0) } }
}

/// A file or folder that a process holds a lock of any kind on.
package struct HeldFile: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  package let process: Int32

  package func isSameFile(as status: FileStatus) -> Bool {
    device == status.device && inode == status.inode
  }

  /// All that processes of this user and of root hold whose names begin in a certain way, this one apart: what a
  /// stranger holds is to hinder nobody.
  package static func all(byProcessesNamed prefix: String) -> [HeldFile] {
    func isMeant(_ process: Int32) -> Bool {
      guard processName(process)?.hasPrefix(prefix) == true,
        let owner = try? Folder.open(FilePath("/proc/\(process)")).status().owner
      else { return false }
      return owner == 0 || owner == geteuid()
    }
    var isKnown: [Int32: Bool] = [:]
    return all().filter { held in
      let known = isKnown[held.process] ?? isMeant(held.process)
      isKnown[held.process] = known
      return known
    }
  }

  /// What the kernel lists of others' locks (proc_locks(5)).
  fileprivate static func all() -> [HeldFile] {
    guard let locks = try? Folder.open("/proc").reading("locks").readAll(limit: 1 << 22) else {
      return []
    }
    // Number, kind, advisory or not, access, process, MAJOR:MINOR:INODE with the device in hexadecimal digits.
    return locks.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      // Somebody who waits for it holds nothing.
      guard fields.count >= 6, fields[1] != "->", let process = Int32(fields[4]), process > 0,
        process != getpid()
      else { return nil }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, let major = UInt32(place[0], radix: 16),
        let minor = UInt32(place[1], radix: 16), let inode = UInt64(place[2])
      else { return nil }
      return HeldFile(device: deviceNumber(major, minor), inode: inode, process: process)
    }
  }
}

/// The process that holds a lock of any kind on a file, this one apart.
private func lockHolder(of status: FileStatus) -> Int32? {
  HeldFile.all().first { $0.isSameFile(as: status) }?.process
}

/// How the C library packs the two into one (makedev(3)).
private func deviceNumber(_ major: UInt32, _ minor: UInt32) -> UInt64 {
  let (major, minor) = (UInt64(major), UInt64(minor))
  return (major & ~0xFFF) << 32 | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | minor & 0xFF
}

/// The name of a running process as the kernel keeps it; nil where there is none.
package func processName(_ process: Int32) -> String? {
  guard let place = try? Folder.open(FilePath("/proc/\(process)")),
    let name = try? place.reading("comm").readAll(limit: 64)
  else { return nil }
  return String(decoding: name, as: UTF8.self).split(separator: "\n").first?.plain
}
