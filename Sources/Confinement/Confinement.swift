internal import CLinux
internal import Glibc
package import SystemPackage

/// What a process may still do after it has confined itself: decided before untrusted bytes are
/// touched, enforced by the kernel (Landlock for files, seccomp for calls, resource limits), and
/// impossible to widen again.
///
/// Call ``enforce()`` while the process has a single thread: Landlock covers only the calling
/// thread and what it starts later.
package struct Confinement: Sendable {
  /// The profiles of docs/architecture.md.
  package enum Profile: String, Sendable {
    /// Built-in steps: no exec, no fork, no sockets; system calls by an allow-list.
    case sealed
    /// Foreign plugins and command steps: may start programs, but reach neither network nor files
    /// outside the grants.
    case tool
    /// A program that speaks to servers: no exec, processes or listening; it writes only into files that it
    /// opened before; system calls by an allow-list.
    case net
    /// A server: it is reached, and reaches nobody; no exec, processes or files.
    case web
  }

  package var profile: Profile
  /// Files that may be read, by path.
  package var readableFiles: [FilePath] = []
  /// Folders that may be read with all that is below them.
  package var readableFolders: [String] = []
  /// Folders from which programs may be started and read (profile `tool`).
  package var executableFolders: [String] = []
  /// Folders in which files may be created and written.
  package var writableFolders: [String] = []
  /// The only port at which a server may listen (profile `web`, Landlock 4).
  package var listeningPort: Int?
  /// Folders in which a server may make its local socket (profile `web`).
  package var socketFolders: [String] = []
  /// Whether a process of profile `sealed`, `net` or `web` may start threads; all but the last are not told how many
  /// processors there are then.
  package var threads = false
  /// Whether a `tool` may open sockets.
  package var network = false
  package var limits = ResourceLimits()
  /// Processes that a `tool` must not signal, where Landlock (below version 6) cannot tell its own
  /// processes from others: the ones that watch over it.
  package var protectedProcesses: [Int32] = []
  /// The highest Landlock version to use; nil for what the kernel has. Tests lower it.
  package var landlockCeiling: Int?
  /// Refuse to go on where file rules or the seccomp filter cannot be put in force.
  package var required = false

  package init(profile: Profile) { self.profile = profile }

  /// Lets a program that speaks to servers read what finding hosts and verifying certificates needs.
  ///
  /// - Parameter others: files besides, by path.
  package mutating func grantNameService(and others: [String] = []) {
    readableFiles += (Self.nameServiceFiles + others).map { FilePath($0) }
    readableFolders += Self.certificateFolders
  }

  private static let nameServiceFiles = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/localtime", "/etc/ssl/cert.pem",
  ]
  private static let certificateFolders = [
    "/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
    "/etc/ca-certificates/extracted", "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
  ]

  /// Puts limits, Landlock and seccomp in force, in this order, for this process and its children.
  ///
  /// - Returns: what is in force, for the report.
  /// - Throws: ``ConfinementError`` when something fails that the kernel claims to have, or, with
  ///   `required`, when it lacks it.
  package func enforce() throws(ConfinementError) -> IsolationInForce {
    guard threadCount() == 1 else { throw ConfinementError(.threads, 0) }
    limits.apply()
    guard clinux_set_no_new_privileges() == 0 else { throw ConfinementError(.privileges, errno) }
    _ = clinux_drop_capabilities()
    let landlock = try Landlock(ceiling: landlockCeiling).restrict(by: self)
    let seccomp = SeccompFilter.program(for: self, landlock: landlock).install()
    var missing: [String] = []
    if landlock == 0 { missing.append("files") }
    if !seccomp { missing.append("calls") }
    if profile == .tool {
      if landlock < 4, network || !seccomp { missing.append("network") }
      if landlock < 6 { missing.append("signals") }
    }
    if profile == .net || profile == .web, !seccomp, landlock < 4 { missing.append("network") }
    if required, landlock == 0 || !seccomp { throw ConfinementError(.required, 0) }
    return IsolationInForce(profile: profile, landlock: landlock, missing: missing)
  }

  /// Makes what ``enforce()`` puts in force, and throws it away.
  package func rehearse() {
    _ = threadCount()
    _ = SeccompFilter.program(for: self, landlock: 0)
  }

  private func threadCount() -> Int {
    guard let tasks = unsafe opendir("/proc/self/task") else { return 1 }
    defer { unsafe closedir(tasks) }
    var count = 0
    while let entry = unsafe readdir(tasks) {
      if unsafe entry.pointee.d_name.0 != 0x2E { count += 1 }
    }
    return count
  }
}

/// What was really put in force, as the report shows it.
package struct IsolationInForce: Sendable, Equatable {
  package var profile: Confinement.Profile
  /// The Landlock version in use; 0 for none.
  package var landlock: Int
  /// What the profile asks for and this kernel could not give: `files`, `calls`, `network`,
  /// `signals`.
  package var missing: [String]

  package init(profile: Confinement.Profile, landlock: Int, missing: [String]) {
    self.profile = profile
    self.landlock = landlock
    self.missing = missing
  }
}

/// Why a process could not confine itself.
package struct ConfinementError: Error, Sendable {
  package enum Stage: String, Sendable {
    case threads, privileges, landlock, required
  }
  package var stage: Stage
  package var errno: Int32
  init(_ stage: Stage, _ errno: Int32) {
    self.stage = stage
    self.errno = errno
  }

  package var message: String {
    switch stage {
    case .threads: "the process already has several threads and cannot be confined"
    case .privileges: "giving up privileges failed: \(Errno(rawValue: errno))"
    case .landlock: "the file rules could not be put in force: \(Errno(rawValue: errno))"
    case .required:
      "isolation is required, but this kernel lacks Landlock or seccomp; set \"isolation\" to"
        + " \"best-effort\" to run with less"
    }
  }
}

/// Keeps this process's memory, environment and open files from other processes of the same user, which
/// could else read and change them by /proc: for whoever watches over confined processes on kernels
/// without Landlock.
package func hideMemory() { _ = clinux_set_dumpable(0) }
