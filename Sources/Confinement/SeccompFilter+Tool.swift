internal import CLinux
internal import Glibc

/// What is taken from foreign programs. They may do most of what a program does; files are
/// Landlock's matter. Refused is what reaches other processes or the machine, and what changes files
/// in ways that no version of Landlock covers: modes, owners, times, attributes.
extension SeccompFilter {
  mutating func fenceTool(_ confinement: Confinement, landlock: Int) {
    // Calls that later kernels will have: nobody has judged them yet.
    onNumbers(from: Self.firstUnknownCall, Self.fail(ENOSYS))
    for name in Self.callsNoToolNeeds { on(name, Self.fail(EPERM)) }
    // As on a file system that has none: programs that keep attributes (cp -p) go on without.
    for name in Self.callsOfAttributes { on(name, Self.fail(ENOTSUP)) }
    // Callers fall back to older calls whose arguments can be seen here.
    for name in ["clone3", "openat2"] { on(name, Self.fail(ENOSYS)) }
    fenceSockets(network: confinement.network)
    fenceOtherProcesses()
    fenceFiles(landlock: landlock)
    if landlock < 6 { fenceSignals(confinement.protectedProcesses) }
    answer(Self.allow)
  }

  /// One more than the newest call of Linux 6.18, listns; the same for all machines.
  private static let firstUnknownCall: UInt32 = 471

  private mutating func fenceSockets(network: Bool) {
    if network {
      // No local sockets: whoever listens there trusts this user (D-Bus starts programs for it).
      on("socket") { $0.allowInternetSockets() }
    } else {
      on("socket", Self.fail(EPERM))
    }
    // Datagrams of a pair can be sent to any local socket; streams reach only each other.
    let kindOfSocket: UInt32 = 0xF, inSequence: UInt32 = 5
    on("socketpair") { filter in
      filter.load(Self.argument(0))
      filter.ifEqual(UInt32(AF_UNIX), skipElse: 1)
      filter.skip(1)
      filter.answer(Self.fail(EPERM))
      filter.load(Self.argument(1))
      filter.mask(kindOfSocket)
      for kind in [UInt32(SOCK_STREAM.rawValue), inSequence] {
        filter.ifEqual(kind, skipElse: 1)
        filter.answer(Self.allow)
      }
      filter.answer(Self.fail(EPERM))
    }
  }

  /// Limits, processors and priorities are set for the caller alone (0), namespaces not at all: inside
  /// one a program would be its own administrator.
  private mutating func fenceOtherProcesses() {
    let namespaces: UInt32 = 0x7E02_0000
    on("clone") { filter in
      filter.load(Self.argument(0))
      filter.ifAnyBit(namespaces, skipElse: 1)
      filter.answer(Self.fail(EPERM))
      filter.answer(Self.allow)
    }
    // By one of its limits a process is found that outlived all that watched over it (`SpoolMark`): it may read
    // that one, and not change it.
    let mark = UInt32(CLINUX_LIMIT_LOCKS)
    on("prlimit64") { filter in
      filter.load(Self.argument(0))
      filter.ifEqual(0, skipElse: 1)
      filter.skip(1)
      filter.answer(Self.fail(EPERM))
      filter.load(Self.argument(1))
      filter.ifEqual(mark, skipElse: 1)
      filter.skip(1)
      filter.answer(Self.allow)
      filter.allowIfNull(2)
    }
    on("setrlimit") { $0.refuse([mark], asArgument: 0) }
    for name in ["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"] {
      on(name) { $0.allowIfArgument(0, in: [0], else: EPERM) }
    }
    on("ioprio_set") { $0.allowIfArgument(1, in: [0], else: EPERM) }
  }

  private mutating func fenceFiles(landlock: Int) {
    // Landlock below version 3 knows no right to truncate; without it writing by path stays open.
    if landlock < 3 { on("truncate", Self.fail(EPERM)) }
    on("openat") { $0.fenceOpening(flags: 2, landlock: landlock) }
    on("open") { $0.fenceOpening(flags: 1, landlock: landlock) }
    on("creat") { $0.refuseBits(Self.setIdentity, ofArgument: 1) }
    // Of an open file: no identity, nothing for others to write to.
    on("fchmod") { $0.refuseBits(0o7022, ofArgument: 1) }
    // Without a path: of an open file.
    on("utimensat") { $0.allowIfNull(1) }
    on("ioctl") { $0.refuse(Self.requestsNoToolNeeds, asArgument: 1) }
    on("fcntl") { $0.refuse(Self.commandsNoToolNeeds, asArgument: 1) }
  }

  private mutating func fenceOpening(flags index: Int, landlock: Int) {
    if landlock < 3 {
      load(Self.argument(index))
      mask(3 | UInt32(O_TRUNC))
      ifEqual(UInt32(O_TRUNC), skipElse: 1)
      answer(Self.fail(EACCES))
    }
    load(Self.argument(index))
    ifAnyBit(Self.create | Self.temporary, skipElse: 3)
    load(Self.argument(index + 1))
    ifAnyBit(Self.setIdentity, skipElse: 1)
    answer(Self.fail(EPERM))
    answer(Self.allow)
  }

  /// Where Landlock cannot keep signals in: at least none to those that watch over the tool, to its
  /// own group, which is theirs, and to everybody.
  private mutating func fenceSignals(_ protected: [Int32]) {
    on("tkill", Self.fail(EPERM))
    let groups = [0, -1] + protected.map { -$0 }
    on("kill") { $0.refuse((protected + groups).map(UInt32.init(bitPattern:)), asArgument: 0) }
    for name in ["tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
      on(name) { $0.refuse(protected.map(UInt32.init(bitPattern:)), asArgument: 0) }
    }
  }

  private mutating func refuse(_ values: [UInt32], asArgument index: Int) {
    load(Self.argument(index))
    for value in values {
      ifEqual(value, skipElse: 1)
      answer(Self.fail(EPERM))
    }
    answer(Self.allow)
  }

  private mutating func refuseBits(_ bits: UInt32, ofArgument index: Int) {
    load(Self.argument(index))
    ifAnyBit(bits, skipElse: 1)
    answer(Self.fail(EPERM))
    answer(Self.allow)
  }

  /// A command of a plugin has the person's terminal: what it types there, the shell would run
  /// (TIOCSTI, TIOCLINUX). Flags of files (FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR), and
  /// who gets the signal of an open file (FIOSETOWN, SIOCSPGRP).
  private static let requestsNoToolNeeds: [UInt32] = [
    0x5412, 0x541C, 0x4008_6602, 0x4004_6602, 0x401C_5820, 0x8901, 0x8902,
  ]

  /// F_SETOWN, F_SETSIG, F_SETOWN_EX send signals to others; F_SETLEASE holds up whoever opens the
  /// file; F_NOTIFY watches folders.
  private static let commandsNoToolNeeds: [UInt32] = [8, 10, 15, 1024, 1026]

  private static let callsOfAttributes = [
    "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat",
  ]

  private static let callsNoToolNeeds = [
    // Other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "pidfd_send_signal", "kcmp",
    "process_madvise", "process_mrelease", "migrate_pages", "move_pages", "setpriority",
    // The kernel
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "keyctl", "add_key", "request_key", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "modify_ldt", "ioperm", "iopl",
    // Mounts and namespaces
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "open_tree_attr",
    "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    // The machine
    "reboot", "swapon", "swapoff", "acct", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "quotactl", "quotactl_fd", "syslog", "sethostname", "setdomainname",
    "vhangup", "lookup_dcookie",
    // Memory and messages that are shared by name
    "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv", "msgctl", "mq_open", "mq_unlink",
    // Files past their paths, and what they are besides content
    "open_by_handle_at", "name_to_handle_at", "chmod", "fchmodat", "fchmodat2", "chown", "fchown",
    "lchown", "fchownat", "file_setattr", "mknod", "mknodat", "utime",
    "utimes", "futimesat", "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init",
    "fanotify_mark",
  ]
}
