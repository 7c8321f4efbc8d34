internal import CLinux
internal import Glibc

/// A classic BPF program over system calls (seccomp(2)), built instruction by instruction.
struct SeccompFilter {
  private(set) var program: [clinux_bpf] = []

  // Offsets into struct seccomp_data.
  private static let callNumber: UInt32 = 0
  private static let architecture: UInt32 = 4
  static func argument(_ index: Int, high: Bool = false) -> UInt32 {
    UInt32(16 + 8 * index + (high ? 4 : 0))
  }

  // Answers
  static let allow: UInt32 = 0x7FFF_0000
  private static let killProcess: UInt32 = 0x8000_0000
  static func fail(_ errno: Int32) -> UInt32 { 0x0005_0000 | UInt32(errno) }

  // Instructions
  mutating func load(_ offset: UInt32) {
    program.append(clinux_bpf(code: 0x20, jump_true: 0, jump_false: 0, operand: offset))
  }
  mutating func answer(_ value: UInt32) {
    program.append(clinux_bpf(code: 0x06, jump_true: 0, jump_false: 0, operand: value))
  }
  mutating func mask(_ bits: UInt32) {
    program.append(clinux_bpf(code: 0x54, jump_true: 0, jump_false: 0, operand: bits))
  }
  mutating func skip(_ count: UInt32) {
    program.append(clinux_bpf(code: 0x05, jump_true: 0, jump_false: 0, operand: count))
  }
  mutating func ifEqual(_ value: UInt32, skipElse: UInt8) {
    program.append(clinux_bpf(code: 0x15, jump_true: 0, jump_false: skipElse, operand: value))
  }
  mutating func ifAnyBit(_ bits: UInt32, skipElse: UInt8) {
    program.append(clinux_bpf(code: 0x45, jump_true: 0, jump_false: skipElse, operand: bits))
  }

  /// Calls of another architecture end the process: their numbers mean other things. So do x32
  /// calls, which carry a marker bit.
  private mutating func checkArchitecture() {
    load(Self.architecture)
    ifEqual(clinux_architecture(), skipElse: 1)
    skip(1)
    answer(Self.killProcess)
    load(Self.callNumber)
    ifAnyBit(0x4000_0000, skipElse: 1)
    answer(Self.killProcess)
  }

  mutating func on(_ name: String, _ value: UInt32) {
    let number = unsafe clinux_system_call(name)
    guard number >= 0 else { return }
    ifEqual(UInt32(number), skipElse: 1)
    answer(value)
  }

  /// All calls from a number on.
  mutating func onNumbers(from first: UInt32, _ value: UInt32) {
    program.append(clinux_bpf(code: 0x35, jump_true: 0, jump_false: 1, operand: first))
    answer(value)
  }

  /// Runs `body` for one call; the body must end in an answer on every path.
  mutating func on(_ name: String, _ body: (inout SeccompFilter) -> Void) {
    let number = unsafe clinux_system_call(name)
    guard number >= 0 else { return }
    var inner = SeccompFilter()
    body(&inner)
    ifEqual(UInt32(number), skipElse: UInt8(clamping: inner.program.count))
    program.append(contentsOf: inner.program)
  }

  mutating func allowIfArgument(_ index: Int, in values: [UInt32], else errno: Int32) {
    load(Self.argument(index))
    for value in values {
      ifEqual(value, skipElse: 1)
      answer(Self.allow)
    }
    answer(Self.fail(errno))
  }

  /// A pointer that must be null.
  mutating func allowIfNull(_ index: Int) {
    load(Self.argument(index))
    ifEqual(0, skipElse: 3)
    load(Self.argument(index, high: true))
    ifEqual(0, skipElse: 1)
    answer(Self.allow)
    answer(Self.fail(EPERM))
  }

  /// Opening: for reading only, or making a file that was not there. So no file that exists can be
  /// written or truncated, even where Landlock is missing.
  private mutating func allowCarefulOpening(flags index: Int) {
    let accessMode: UInt32 = 3
    load(Self.argument(index))
    mask(accessMode | Self.create | UInt32(O_TRUNC) | Self.temporary)
    ifEqual(0, skipElse: 1)
    answer(Self.allow)
    load(Self.argument(index))
    mask(Self.create | UInt32(O_EXCL) | Self.temporary)
    ifEqual(Self.create | UInt32(O_EXCL), skipElse: 4)
    load(Self.argument(index + 1))
    ifAnyBit(Self.setIdentity, skipElse: 1)
    answer(Self.fail(EACCES))
    answer(Self.allow)
    answer(Self.fail(EACCES))
  }

  static let create = UInt32(O_CREAT)
  /// The bit of O_TMPFILE that is not O_DIRECTORY.
  static let temporary: UInt32 = 0o20000000
  /// The setuid and setgid bits of a mode.
  static let setIdentity: UInt32 = 0o6000

  static func program(for confinement: Confinement, landlock: Int) -> SeccompFilter {
    var filter = SeccompFilter()
    filter.checkArchitecture()
    switch confinement.profile {
    case .sealed: filter.seal(withThreads: confinement.threads)
    case .tool: filter.fenceTool(confinement, landlock: landlock)
    case .net: filter.seal(withThreads: confinement.threads, withNetwork: true)
    case .web:
      // A local socket that an earlier one left is replaced.
      if !confinement.socketFolders.isEmpty { filter.allowUnlinking() }
      filter.seal(withThreads: confinement.threads, serving: true)
    }
    return filter
  }

  private mutating func seal(
    withThreads threads: Bool, withNetwork network: Bool = false, serving: Bool = false
  ) {
    // A library that starts a thread for each processor starts none where it cannot count them.
    let counting = threads && !serving ? "sched_getaffinity" : nil
    for name in Self.sealedCalls where name != counting { on(name, Self.allow) }
    if threads { allowThreads() }
    if network { allowNetwork() }
    if serving { allowServing() }
    on("openat") { $0.allowCarefulOpening(flags: 2) }
    on("open") { $0.allowCarefulOpening(flags: 1) }
    let own = UInt32(bitPattern: getpid())
    for name in ["kill", "tgkill"] { on(name) { $0.allowIfArgument(0, in: [own], else: EPERM) } }
    // Reading limits only: no pointer to new ones.
    on("prlimit64") { $0.allowIfNull(2) }
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
  /// library learns of the machine's addresses). Local sockets are left out: whoever listens there
  /// trusts this user.
  private mutating func allowNetwork() {
    for name in Self.networkCalls { on(name, Self.allow) }
    on("socket") { $0.allowInternetSockets() }
    on("ioctl") { $0.allowIfArgument(1, in: [Self.bytesToRead], else: ENOTTY) }
  }

  /// What a server needs besides: sockets for streams, and to wait for many at once. It connects to nobody.
  private mutating func allowServing() {
    for name in Self.servingCalls { on(name, Self.allow) }
    on("socket") { filter in
      // TCP and local streams alone: other protocols connect by options, which nothing here looks at.
      filter.load(Self.argument(2))
      filter.ifEqual(0, skipElse: 1)
      filter.skip(1)
      filter.ifEqual(UInt32(IPPROTO_TCP), skipElse: 10)
      filter.load(Self.argument(1))
      filter.mask(0xF)
      filter.ifEqual(UInt32(SOCK_STREAM.rawValue), skipElse: 7)
      filter.load(Self.argument(0))
      for family in [AF_UNIX, AF_INET, AF_INET6] {
        filter.ifEqual(UInt32(family), skipElse: 1)
        filter.answer(Self.allow)
      }
      filter.answer(Self.fail(EACCES))
    }
  }

  /// No call that sends with an address: it would connect (TCP Fast Open).
  private static let servingCalls = [
    "bind", "listen", "accept4", "getsockname", "getpeername", "getsockopt", "setsockopt",
    "recvfrom", "shutdown", "epoll_create", "epoll_create1", "epoll_ctl",
    "epoll_wait",
    "epoll_pwait", "epoll_pwait2", "eventfd2", "timerfd_create", "timerfd_settime",
  ]

  /// Machines with newer tables of calls, such as arm64, have only the later form; files alone, no folders.
  private mutating func allowUnlinking() {
    if unsafe clinux_system_call("unlink") >= 0 {
      on("unlink", Self.allow)
    } else {
      on("unlinkat") { $0.allowIfArgument(2, in: [0], else: EPERM) }
    }
  }

  /// Threads of this process; a process of its own would be a fork.
  private mutating func allowThreads() {
    on("clone") { filter in
      filter.load(Self.argument(0))
      filter.ifAnyBit(Self.cloneThread, skipElse: 1)
      filter.answer(Self.allow)
      filter.answer(Self.fail(EPERM))
    }
    // Names of threads.
    on("prctl") { $0.allowIfArgument(0, in: [15, 16], else: EPERM) }
  }

  // CLONE_THREAD of clone(2), FIONREAD of ioctl(2).
  private static let cloneThread: UInt32 = 0x10000
  private static let bytesToRead: UInt32 = 0x541B

  private static let networkCalls = [
    "connect", "bind", "getsockname", "getpeername", "getsockopt", "setsockopt", "sendto",
    "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown", "ftruncate", "pwrite64",
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

  /// Sockets of the internet for TCP and UDP, and netlink only for addresses and routes (NETLINK_ROUTE).
  mutating func allowInternetSockets() {
    load(Self.argument(0))
    ifEqual(UInt32(AF_NETLINK), skipElse: 4)
    load(Self.argument(2))
    ifEqual(0, skipElse: 1)
    answer(Self.allow)
    answer(Self.fail(EACCES))
    ifEqual(UInt32(AF_INET), skipElse: 1)
    skip(3)
    ifEqual(UInt32(AF_INET6), skipElse: 1)
    skip(1)
    answer(Self.fail(EACCES))
    load(Self.argument(1))
    mask(0xF)
    let protocols = [
      (kind: UInt32(SOCK_STREAM.rawValue), number: UInt32(IPPROTO_TCP)),
      (UInt32(SOCK_DGRAM.rawValue), UInt32(IPPROTO_UDP)),
    ]
    for (kind, number) in protocols {
      ifEqual(kind, skipElse: 6)
      load(Self.argument(2))
      ifEqual(0, skipElse: 1)
      answer(Self.allow)
      ifEqual(number, skipElse: 1)
      answer(Self.allow)
      answer(Self.fail(EACCES))
    }
    answer(Self.fail(EACCES))
  }

  /// Loads the program for all threads of the process; false where the kernel refuses.
  func install() -> Bool {
    let synchronizeThreads: UInt32 = 1
    return unsafe program.withUnsafeBufferPointer { program in
      unsafe clinux_seccomp_install(
        program.baseAddress, UInt16(clamping: program.count), synchronizeThreads) == 0
    }
  }
}
