internal import Glibc

/// Users and groups of this machine.
package enum Accounts {
  /// The name of a user; nil where this machine knows none.
  package static func userName(_ number: UInt32) -> String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16384)
    guard unsafe getpwuid_r(number, &entry, &room, room.count, &found) == 0,
      let entry = unsafe found
    else { return nil }
    return unsafe String(cString: entry.pointee.pw_name)
  }

  /// The number of a user; nil where this machine knows none of that name.
  package static func user(_ name: String) -> UInt32? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16384)
    _ = unsafe getpwnam_r(name, &entry, &room, room.count, &found)
    return unsafe found.map { unsafe $0.pointee.pw_uid }
  }

  /// The name of the user who runs this program, or the number where it has none.
  package static var currentUser: String { userName(geteuid()) ?? "\(geteuid())" }

  /// Why this program may not read a file, with the cure: `cannot be read by user ada: ...`.
  package static func cannotRead(_ file: String) -> String {
    var status = stat()
    let owner = unsafe stat(file, &status) == 0 ? userName(status.st_uid) : nil
    guard let owner, owner != currentUser else {
      return "cannot be read by user \(currentUser): chmod 600 it, or chown it"
    }
    return "cannot be read by user \(currentUser), it is \(owner)'s: run this as that user, with"
      + " sudo -u \(owner) in front, or chown it"
  }

  /// The name of a group; nil where this machine knows none.
  package static func groupName(_ number: UInt32) -> String? {
    var entry = unsafe group_()
    var found: UnsafeMutablePointer<group_>?
    var room = [CChar](repeating: 0, count: 1 << 20)
    guard unsafe getgrgid_r(number, &entry, &room, room.count, &found) == 0,
      let entry = unsafe found
    else { return nil }
    return unsafe String(cString: entry.pointee.gr_name)
  }

  /// The number of a group by its name, or by its number in digits; nil where there is none.
  package static func group(_ name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    var entry = unsafe group_()
    var found: UnsafeMutablePointer<group_>?
    var room = [CChar](repeating: 0, count: 4096)
    // ERANGE: the group has more members than there is room for.
    while true {
      let result = unsafe getgrnam_r(name, &entry, &room, room.count, &found)
      guard result == ERANGE, room.count < 1 << 22 else { break }
      room = [CChar](repeating: 0, count: room.count * 4)
    }
    return unsafe found.map { unsafe $0.pointee.gr_gid }
  }

  /// Whether this process may give its files to a group: it is root, or a member.
  package static func mayGive(to group: UInt32) -> Bool {
    if geteuid() == 0 || getegid() == group { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = unsafe getgroups(count, &groups)
    return groups.prefix(Int(max(0, filled))).contains(group)
  }
}

/// The C structure, whose name the function above has too.
private typealias group_ = Glibc.group
