internal import CLinux
internal import Glibc

/// A classic BPF program over system calls (seccomp(2)), built instruction by instruction.
struct SeccompFilter {
  private(set) var program: [clinux_bpf] = []

  // Offsets into struct seccomp_data.
  private static let callNumber: UInt32 = 0
  private static let architecture: UInt32 = 4
  private static func argument(_ index: Int, high: Bool = false) -> UInt32 {
    UInt32(16 + 8 * index + (high ? 4 : 0))
  }

  // Answers
  private static let allow: UInt32 = 0x7FFF_0000
  private static let killProcess: UInt32 = 0x8000_0000
  private static func fail(_ errno: Int32) -> UInt32 { 0x0005_0000 | UInt32(errno) }

  // Requests of ioctl_tty(2): TIOCSTI and TIOCLINUX.
  private static let typeAtTerminal: UInt32 = 0x5412
  private static let steerConsole: UInt32 = 0x541C

  // Instructions
  private mutating func load(_ offset: UInt32) {
    program.append(clinux_bpf(code: 0x20, jump_true: 0, jump_false: 0, operand: offset))
  }
  private mutating func answer(_ value: UInt32) {
    program.append(clinux_bpf(code: 0x06, jump_true: 0, jump_false: 0, operand: value))
  }
  private mutating func mask(_ bits: UInt32) {
    program.append(clinux_bpf(code: 0x54, jump_true: 0, jump_false: 0, operand: bits))
  }
  private mutating func ifEqual(_ value: UInt32, skipElse: UInt8) {
    program.append(clinux_bpf(code: 0x15, jump_true: 0, jump_false: skipElse, operand: value))
  }
  private mutating func ifAnyBit(_ bits: UInt32, skipElse: UInt8) {
    program.append(clinux_bpf(code: 0x45, jump_true: 0, jump_false: skipElse, operand: bits))
  }

  /// Calls of another architecture end the process: their numbers mean other things. So do x32
  /// calls, which carry a marker bit.
  private mutating func checkArchitecture() {
    load(Self.architecture)
    ifEqual(clinux_architecture(), skipElse: 1)
    program.append(clinux_bpf(code: 0x05, jump_true: 0, jump_false: 0, operand: 1))  // go on
    answer(Self.killProcess)
    load(Self.callNumber)
    ifAnyBit(0x4000_0000, skipElse: 1)
    answer(Self.killProcess)
  }

  private mutating func on(_ name: String, _ value: UInt32) {
    let number = unsafe clinux_system_call(name)
    guard number >= 0 else { return }
    ifEqual(UInt32(number), skipElse: 1)
    answer(value)
  }

  /// Runs `body` for one call; the body must end in an answer on every path.
  private mutating func on(_ name: String, _ body: (inout SeccompFilter) -> Void) {
    let number = unsafe clinux_system_call(name)
    guard number >= 0 else { return }
    var inner = SeccompFilter()
    body(&inner)
    ifEqual(UInt32(number), skipElse: UInt8(clamping: inner.program.count))
    program.append(contentsOf: inner.program)
  }

  private mutating func allowIfArgument(_ index: Int, in values: [UInt32], else errno: Int32) {
    load(Self.argument(index))
    for value in values {
      ifEqual(value, skipElse: 1)
      answer(Self.allow)
    }
    answer(Self.fail(errno))
  }

  /// Opening: for reading only, or making a file that was not there. So no file that exists can be
  /// written or truncated, even where Landlock is missing.
  private mutating func allowCarefulOpening(flags index: Int) {
    let accessMode: UInt32 = 3
    let create = UInt32(O_CREAT), exclusive = UInt32(O_EXCL), truncate = UInt32(O_TRUNC)
    let temporary: UInt32 = 0o20000000
    load(Self.argument(index))
    mask(accessMode | create | truncate | temporary)
    ifEqual(0, skipElse: 1)
    answer(Self.allow)
    load(Self.argument(index))
    mask(create | exclusive | temporary)
    ifEqual(create | exclusive, skipElse: 1)
    answer(Self.allow)
    answer(Self.fail(EACCES))
  }

  private mutating func denyTruncatingReader(flags index: Int) {
    load(Self.argument(index))
    mask(3 | UInt32(O_TRUNC))
    ifEqual(UInt32(O_TRUNC), skipElse: 1)
    answer(Self.fail(EACCES))
    answer(Self.allow)
  }

  static func program(for confinement: Confinement, landlock: Int) -> SeccompFilter {
    var filter = SeccompFilter()
    filter.checkArchitecture()
    switch confinement.profile {
    case .sealed: filter.seal()
    case .tool: filter.fenceTool(network: confinement.network, landlock: landlock)
    case .net: filter.seal(withNetwork: true)
    }
    return filter
  }

  private mutating func seal(withNetwork network: Bool = false) {
    for name in Self.sealedCalls { on(name, Self.allow) }
    if network { allowNetwork() }
    on("openat") { $0.allowCarefulOpening(flags: 2) }
    on("open") { $0.allowCarefulOpening(flags: 1) }
    let own = UInt32(bitPattern: getpid())
    for name in ["kill", "tgkill"] { on(name) { $0.allowIfArgument(0, in: [own], else: EPERM) } }
    on("prlimit64") { filter in
      // Reading limits only: the pointer to new ones must be null.
      filter.load(Self.argument(2))
      filter.ifEqual(0, skipElse: 3)
      filter.load(Self.argument(2, high: true))
      filter.ifEqual(0, skipElse: 1)
      filter.answer(Self.allow)
      filter.answer(Self.fail(EPERM))
    }
    // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC; no locks, leases or owners.
    on("fcntl") { $0.allowIfArgument(1, in: [0, 1, 2, 3, 4, 1030], else: EPERM) }
    for name in ["mmap", "mprotect"] {
      on(name) { filter in
        filter.load(Self.argument(2))
        filter.ifAnyBit(UInt32(PROT_EXEC), skipElse: 1)
        filter.answer(Self.fail(EACCES))
        filter.answer(Self.allow)
      }
    }
    if !network { on("ioctl", Self.fail(ENOTTY)) }
    on("clone3", Self.fail(ENOSYS))
    on("faccessat2", Self.fail(ENOSYS))
    answer(Self.fail(EPERM))
  }

  /// What a client of servers needs besides: sockets of the internet (and netlink, by which the C
  /// library learns of the machine's addresses), waiting for them, threads. Local sockets are left
  /// out: whoever listens there trusts this user.
  private mutating func allowNetwork() {
    for name in Self.networkCalls { on(name, Self.allow) }
    on("socket") {
      $0.allowIfArgument(
        0, in: [UInt32(AF_INET), UInt32(AF_INET6), UInt32(AF_NETLINK)], else: EACCES)
    }
    on("clone") { filter in
      // Threads of this process; a process of its own would be a fork.
      filter.load(Self.argument(0))
      filter.ifAnyBit(Self.cloneThread, skipElse: 1)
      filter.answer(Self.allow)
      filter.answer(Self.fail(EPERM))
    }
    on("ioctl") { $0.allowIfArgument(1, in: [Self.bytesToRead], else: ENOTTY) }
    // Names of threads.
    on("prctl") { $0.allowIfArgument(0, in: [15, 16], else: EPERM) }
  }

  // CLONE_THREAD of clone(2), FIONREAD of ioctl(2).
  private static let cloneThread: UInt32 = 0x10000
  private static let bytesToRead: UInt32 = 0x541B

  private static let networkCalls = [
    "connect", "bind", "getsockname", "getpeername", "getsockopt", "setsockopt", "sendto",
    "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown", "epoll_create",
    "epoll_create1",
    "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd2", "timerfd_create",
    "timerfd_settime", "ftruncate", "pwrite64",
  ]

  /// Everything but these fails with EPERM in a sealed process. The first are the most frequent:
  /// the program is walked from the top.
  private static let sealedCalls = [
    "read", "write", "futex", "madvise", "munmap", "brk", "mremap", "close", "fstat", "lseek",
    "pread64", "readv", "writev", "newfstatat", "statx", "stat", "lstat", "fstatfs",
    "clock_gettime", "gettimeofday", "time", "clock_getres", "clock_nanosleep", "nanosleep",
    "getrandom", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "restart_syscall", "exit", "exit_group", "gettid", "getpid", "getppid", "getuid", "geteuid",
    "getgid", "getegid", "sched_yield", "sched_getaffinity", "getcpu", "getdents", "getdents64",
    "readlink", "readlinkat", "access", "faccessat", "getcwd", "dup", "dup2", "dup3", "poll",
    "ppoll", "uname", "sysinfo", "getrusage", "set_robust_list", "set_tid_address", "rseq",
    "fadvise64", "membarrier", "arch_prctl", "fsync", "fdatasync",
  ]

  private mutating func fenceTool(network: Bool, landlock: Int) {
    for name in Self.callsNoToolNeeds { on(name, Self.fail(EPERM)) }
    if !network { on("socket", Self.fail(EPERM)) }
    // A command of a plugin has the person's terminal: what it types there, the shell would run.
    on("ioctl") { filter in
      filter.load(Self.argument(1))
      for request in [Self.typeAtTerminal, Self.steerConsole] {
        filter.ifEqual(request, skipElse: 1)
        filter.answer(Self.fail(EPERM))
      }
      filter.answer(Self.allow)
    }
    // Landlock below version 3 knows no right to truncate; without it writing by path stays open.
    if landlock < 3 {
      on("truncate", Self.fail(EPERM))
      on("openat") { $0.denyTruncatingReader(flags: 2) }
      on("open") { $0.denyTruncatingReader(flags: 1) }
    }
    answer(Self.allow)
  }

  /// Reaching into other processes or the machine, and changing by path what a tool does not own:
  /// no version of Landlock covers modes and owners.
  private static let callsNoToolNeeds = [
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "pidfd_send_signal",
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "keyctl", "add_key", "request_key", "mount", "umount2", "pivot_root", "chroot",
    "unshare", "setns", "kexec_load", "init_module", "finit_module", "delete_module", "reboot",
    "swapon", "swapoff", "acct", "settimeofday", "clock_settime", "adjtimex", "quotactl", "syslog",
    "open_by_handle_at", "name_to_handle_at", "open_tree", "move_mount", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "chmod", "fchmodat", "fchmodat2", "chown", "lchown",
    "fchownat", "setxattr", "lsetxattr", "removexattr", "lremovexattr", "setpriority",
  ]

  /// Loads the program for all threads of the process; false where the kernel refuses.
  func install() -> Bool {
    let synchronizeThreads: UInt32 = 1
    return unsafe program.withUnsafeBufferPointer { program in
      unsafe clinux_seccomp_install(
        program.baseAddress, UInt16(clamping: program.count), synchronizeThreads) == 0
    }
  }
}
