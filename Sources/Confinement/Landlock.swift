internal import CLinux
internal import Glibc
internal import SystemPackage

/// File rules by Landlock (Documentation/userspace-api/landlock.rst of the kernel).
struct Landlock {
  /// Rights on files and folders, bit by bit as in linux/landlock.h.
  struct Rights: OptionSet {
    var rawValue: UInt64
    static let execute = Rights(rawValue: 1 << 0)
    static let writeFile = Rights(rawValue: 1 << 1)
    static let readFile = Rights(rawValue: 1 << 2)
    static let readFolder = Rights(rawValue: 1 << 3)
    static let removeFolder = Rights(rawValue: 1 << 4)
    static let removeFile = Rights(rawValue: 1 << 5)
    static let makeFolder = Rights(rawValue: 1 << 7)
    static let makeRegular = Rights(rawValue: 1 << 8)
    static let makeSocket = Rights(rawValue: 1 << 9)
    static let refer = Rights(rawValue: 1 << 13)
    static let truncate = Rights(rawValue: 1 << 14)
    static let controlDevice = Rights(rawValue: 1 << 15)

    /// The rights that a rule on a file, not a folder, may carry; others give EINVAL.
    static let ofFiles: Rights = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

    /// All rights that a version of Landlock can take away.
    static func all(version: Int) -> Rights {
      switch version {
      case ...1: Rights(rawValue: 1 << 13 - 1)
      case 2: Rights(rawValue: 1 << 14 - 1)
      case 3, 4: Rights(rawValue: 1 << 15 - 1)
      default: Rights(rawValue: 1 << 16 - 1)
      }
    }
  }

  let version: Int

  init(ceiling: Int?) {
    let kernel = max(0, Int(clinux_landlock_version()))
    version = min(kernel, ceiling ?? kernel)
  }

  /// Bit 0: to be reached by TCP, bit 1: to reach others.
  private static func refusedNetwork(_ confinement: Confinement) -> UInt64 {
    switch confinement.profile {
    case .sealed: 3
    case .tool: confinement.network ? 0 : 3
    case .net: 1
    case .web: 3
    }
  }

  /// Restricts this thread and all it starts. Returns the version in force, 0 where there is none.
  func restrict(by confinement: Confinement) throws(ConfinementError) -> Int {
    guard version > 0 else { return 0 }
    let handled = Rights.all(version: version)
    let network = version >= 4 ? Self.refusedNetwork(confinement) : 0
    // A tool starts processes of its own and may signal those: they are in its domain.
    let scoped: UInt64 = version >= 6 ? 3 : 0
    let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    let ruleset = clinux_landlock_create(handled.rawValue, network, scoped, size)
    guard ruleset >= 0 else { throw ConfinementError(.landlock, errno) }
    defer { close(ruleset) }

    let reading: Rights = [.readFile, .readFolder]
    var writing: Rights = [
      .readFile, .readFolder, .writeFile, .makeRegular, .removeFile, .truncate,
    ]
    if confinement.profile == .tool {
      writing.formUnion([.makeFolder, .removeFolder, .refer, .execute])
    }
    func allow(_ path: FilePath, _ rights: Rights) throws(ConfinementError) {
      let descriptor = unsafe path.withPlatformString {
        unsafe clinux_openat(AT_FDCWD, $0, Int32(CLINUX_O_PATH) | O_CLOEXEC, 0)
      }
      // What is not there cannot be read either; a missing data folder shows up in `check`.
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { return }
      var granted = rights.intersection(handled)
      if status.st_mode & S_IFMT != S_IFDIR { granted.formIntersection(.ofFiles) }
      guard clinux_landlock_allow(ruleset, descriptor, granted.rawValue) == 0 else {
        throw ConfinementError(.landlock, errno)
      }
    }
    for path in confinement.readableFiles { try allow(path, [.readFile]) }
    for path in confinement.readableFolders { try allow(FilePath(path), reading) }
    for path in confinement.executableFolders {
      try allow(FilePath(path), reading.union(.execute))
    }
    for path in confinement.writableFolders { try allow(FilePath(path), writing) }
    if let port = confinement.listeningPort, version >= 4,
      clinux_landlock_allow_port(ruleset, UInt64(port)) != 0
    {
      throw ConfinementError(.landlock, errno)
    }
    for path in confinement.socketFolders {
      try allow(FilePath(path), [.makeSocket, .removeFile])
    }
    if confinement.profile == .tool {
      try allow("/dev/null", [.readFile, .writeFile])
      for path in ["/dev/zero", "/dev/urandom", "/dev/random"] {
        try allow(FilePath(path), [.readFile])
      }
    }
    guard clinux_landlock_restrict(ruleset) == 0 else { throw ConfinementError(.landlock, errno) }
    return version
  }
}

/// Which version of Landlock would be in force, for `check`.
package enum LandlockSupport {
  /// - Parameter ceiling: the highest version to count with.
  package static func version(ceiling: Int?) -> Int { Landlock(ceiling: ceiling).version }
}
