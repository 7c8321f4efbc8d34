#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

struct open_how_v0 {
  uint64_t flags, mode, resolve;
};

int clinux_openat2(int folder, const char *path, int flags, unsigned mode, uint64_t resolve) {
  struct open_how_v0 how = {(uint64_t)(uint32_t)flags, mode, resolve};
  return (int)syscall(437, folder, path, &how, sizeof how);
}
int clinux_openat(int folder, const char *path, int flags, unsigned mode) {
  return openat(folder, path, flags, mode);
}
int clinux_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags) {
  return renameat2(from_folder, from, to_folder, to, flags);
}
int clinux_syncfs(int descriptor) { return syncfs(descriptor); }
int clinux_set_lease(int descriptor, int type) { return fcntl(descriptor, F_SETLEASE, type); }
int clinux_get_lease(int descriptor) { return fcntl(descriptor, F_GETLEASE); }
int clinux_place_of(const char *path, struct clinux_place *place) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_MNT_ID, &status) != 0) return -1;
  place->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  place->inode = status.stx_ino;
  place->mount = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
  return 0;
}

int clinux_file_system_type(int descriptor, uint64_t *type) {
  struct statfs status;
  int result = fstatfs(descriptor, &status);
  if (result == 0) *type = (uint64_t)(uint32_t)status.f_type;
  return result;
}
int clinux_set_mode(int descriptor, unsigned mode) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return chmod(path, mode);
}
int clinux_lock_exclusive(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }
long clinux_get_attribute(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size);
}
int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
}
int clinux_is_unchangeable(int folder, const char *name) {
  struct statx status;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return 0;
  return (status.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0;
}
int clinux_set_modification_time(int descriptor, int64_t seconds, int64_t nanoseconds) {
  struct timespec times[2] = {{0, UTIME_OMIT}, {seconds, nanoseconds}};
  return futimens(descriptor, times);
}
int64_t clinux_copy_range(int from, int to, uint64_t count) {
  return copy_file_range(from, NULL, to, NULL, count, 0);
}

int clinux_inotify_init(void) { return inotify_init1(IN_CLOEXEC); }
int clinux_inotify_add(int descriptor, const char *path, uint32_t mask) {
  return inotify_add_watch(descriptor, path, mask);
}
int clinux_inotify_remove(int descriptor, int watch) { return inotify_rm_watch(descriptor, watch); }

const char *clinux_signal_name(int number) { return sigabbrev_np(number); }

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
int clinux_fork(void) { return fork(); }

// Answers one path at a time until the other end is closed. Async-signal-safe calls only.
static void answer_paths(int requests) {
  static char path[65536];
  ssize_t length;
  while ((length = recv(requests, path, sizeof path - 1, 0)) > 0) {
    path[length] = 0;
    int error = 0, folder = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (folder < 0) error = errno;
    else {
      struct stat status;
      struct statfs system;
      if (fstat(folder, &status) != 0 || fstatfs(folder, &system) != 0) error = errno;
      close(folder);
    }
    if (send(requests, &error, sizeof error, MSG_NOSIGNAL) < 0) break;
  }
  _exit(0);
}

int clinux_start_prober(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    // Once more, so that nobody has to wait for the one that answers.
    if (fork() != 0) _exit(0);
    for (int s = 1; s < 65; s++)
      if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // It must keep nothing of its parent's: no lock, no pipe that somebody reads to its end, no folder, no terminal.
    setsid();
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    int requests = dup2(ends[1], 3);
    if (syscall(436 /* close_range */, 4, ~0U, 0) != 0)
      for (int d = 4; d < 65536; d++) close(d);
    if (requests != 3 || chdir("/") != 0) _exit(1);
    prctl(PR_SET_NAME, "procd-probe");
    // Nor the mark of a spool: who ends the processes that have it would wait for this one while it is stuck.
    struct rlimit unmarked = {0, 0};
    setrlimit(RLIMIT_LOCKS, &unmarked);
    answer_paths(3);
  }
  int error = errno;
  close(ends[1]);
  if (child > 0) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return ends[0];
  }
  close(ends[0]);
  errno = error;
  return -1;
}

int clinux_spawn_process(const char *const *arguments, const char *const *environment,
                         const struct clinux_spawn *how) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0) {
    // Only async-signal-safe calls from here to exec.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), wanted[3], error;
    wanted[0] = how->standard_input, wanted[1] = how->standard_output, wanted[2] = how->standard_error;
    for (int i = 0; i < 3; i++) {
      if (wanted[i] < 0) wanted[i] = null;
      // Above 2, so that the dup2 of one cannot overwrite the source of another.
      wanted[i] = fcntl(wanted[i], F_DUPFD_CLOEXEC, 3);
      if (wanted[i] < 0) goto failed;
    }
    for (int i = 0; i < 3; i++)
      if (dup2(wanted[i], i) < 0) goto failed;
    if (how->working_folder >= 0 && fchdir(how->working_folder) != 0) goto failed;
    if (!how->stays_in_group) setpgid(0, 0);
    if (how->mark) {
      // A limit that no kernel since 2.4 keeps: it says nothing but whose process this is.
      struct rlimit mark = {how->mark, how->mark};
      setrlimit(RLIMIT_LOCKS, &mark);
    }
    if (how->parent_death_signal) {
      prctl(PR_SET_PDEATHSIG, how->parent_death_signal);
      if (getppid() != parent) _exit(127);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int s = 1; s < 65; s++)
      if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
    if (syscall(436, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) != 0)
      for (int d = 3; d < 65536; d++) {
        int flags = fcntl(d, F_GETFD);
        if (flags >= 0) fcntl(d, F_SETFD, flags | FD_CLOEXEC);
      }
    execve(arguments[0], (char *const *)arguments, (char *const *)environment);
  failed:
    error = errno;
    while (write(report[1], &error, sizeof error) < 0 && errno == EINTR) {}
    _exit(127);
  }
  close(report[1]);
  if (process < 0) {
    close(report[0]);
    return -1;
  }
  int error = 0;
  ssize_t got;
  while ((got = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
  close(report[0]);
  if (got == sizeof error) {
    waitpid(process, NULL, 0);
    errno = error;
    return -1;
  }
  return process;
}

int clinux_wait(int process, int options, int *status, int64_t *cpu_microseconds,
                int64_t *peak_bytes) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  int result = wait4(process, status, options, &usage);
  *cpu_microseconds = (int64_t)usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec +
                      (int64_t)usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
  *peak_bytes = (int64_t)usage.ru_maxrss * 1024;
  return result;
}
int clinux_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }
int clinux_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1); }
int clinux_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
int clinux_set_dumpable(int yes) { return prctl(PR_SET_DUMPABLE, yes, 0, 0, 0); }
int clinux_close_from(unsigned first) { return (int)syscall(436, first, ~0U, 0); }
int clinux_close_on_exec_from(unsigned first) { return (int)syscall(436, first, ~0U, 4); }
int clinux_set_limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit limit = {soft, hard};
  return setrlimit(resource, &limit);
}
int clinux_pidfd_open(int process) { return (int)syscall(434, process, 0); }
int clinux_drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return (int)syscall(SYS_capset, &header, data);
}
void clinux_ignore_signal(int number) { signal(number, SIG_IGN); }
int clinux_exited(int status) { return WIFEXITED(status); }
int clinux_exit_status(int status) { return WEXITSTATUS(status); }
int clinux_termination_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

struct landlock_ruleset_v6 {
  uint64_t files, network, scoped;
};
struct __attribute__((packed)) landlock_path_rule {
  uint64_t files;
  int32_t parent;
};

int clinux_landlock_version(void) { return (int)syscall(444, NULL, 0, 1U); }
int clinux_landlock_create(uint64_t files, uint64_t network, uint64_t scoped,
                           size_t attributes_size) {
  struct landlock_ruleset_v6 attributes = {files, network, scoped};
  return (int)syscall(444, &attributes, attributes_size, 0U);
}
int clinux_landlock_allow(int ruleset, int path_descriptor, uint64_t files) {
  struct landlock_path_rule rule = {files, path_descriptor};
  return (int)syscall(445, ruleset, 1, &rule, 0U);
}
struct landlock_port_rule {
  uint64_t access;
  uint64_t port;
};
int clinux_landlock_allow_port(int ruleset, uint64_t port) {
  struct landlock_port_rule rule = {1, port};
  return (int)syscall(445, ruleset, 2, &rule, 0U);
}
int clinux_landlock_restrict(int ruleset) { return (int)syscall(446, ruleset, 0U); }

int clinux_seccomp_install(const struct clinux_bpf *program, uint16_t length, unsigned flags) {
  struct sock_fprog filter = {length, (struct sock_filter *)program};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

uint32_t clinux_architecture(void) {
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

struct named_call {
  const char *name;
  long number;
};
#define CALL(name) {#name, SYS_##name},
static const struct named_call calls[] = {
#ifdef SYS_open
    CALL(open) CALL(stat) CALL(lstat) CALL(access) CALL(readlink) CALL(poll) CALL(dup2)
    CALL(getdents) CALL(time) CALL(arch_prctl) CALL(fork) CALL(vfork) CALL(unlink) CALL(creat)
    CALL(chmod) CALL(chown) CALL(lchown) CALL(epoll_wait) CALL(epoll_create) CALL(mknod)
    CALL(utime) CALL(utimes) CALL(futimesat) CALL(inotify_init) CALL(ioperm) CALL(iopl)
    CALL(modify_ldt)
#endif
    CALL(read) CALL(write) CALL(readv) CALL(writev) CALL(pread64) CALL(pwrite64) CALL(close)
    CALL(fstat) CALL(newfstatat) CALL(statx) CALL(fstatfs) CALL(lseek) CALL(mmap) CALL(munmap)
    CALL(mprotect) CALL(mremap) CALL(madvise) CALL(brk) CALL(rt_sigaction) CALL(rt_sigprocmask)
    CALL(rt_sigreturn) CALL(sigaltstack) CALL(openat) CALL(ftruncate) CALL(fsync) CALL(fdatasync)
    CALL(getrandom) CALL(clock_gettime) CALL(clock_getres) CALL(clock_nanosleep) CALL(nanosleep)
    CALL(gettimeofday) CALL(futex) CALL(exit) CALL(exit_group) CALL(gettid) CALL(getpid)
    CALL(getppid) CALL(getuid) CALL(geteuid) CALL(getgid) CALL(getegid) CALL(sched_yield)
    CALL(sched_getaffinity) CALL(getdents64) CALL(readlinkat) CALL(faccessat) CALL(getcwd)
    CALL(fcntl) CALL(dup) CALL(dup3) CALL(ppoll) CALL(uname) CALL(sysinfo) CALL(getrusage)
    CALL(prlimit64) CALL(setrlimit) CALL(set_robust_list) CALL(set_tid_address) CALL(restart_syscall) CALL(tgkill)
    CALL(tkill) CALL(kill) CALL(fadvise64) CALL(clone) CALL(membarrier) CALL(getcpu)
    CALL(ioctl) CALL(unlinkat) CALL(mkdirat) CALL(renameat2) CALL(execve) CALL(ptrace)
    CALL(socket) CALL(socketpair) CALL(process_vm_readv) CALL(process_vm_writev) CALL(bpf)
    CALL(perf_event_open) CALL(userfaultfd) CALL(keyctl) CALL(add_key) CALL(request_key)
    CALL(mount) CALL(umount2) CALL(pivot_root) CALL(chroot) CALL(unshare) CALL(setns)
    CALL(connect) CALL(bind) CALL(getsockname) CALL(getpeername) CALL(getsockopt) CALL(setsockopt)
    CALL(sendto) CALL(recvfrom) CALL(sendmsg) CALL(recvmsg) CALL(sendmmsg) CALL(recvmmsg)
    CALL(shutdown) CALL(listen) CALL(accept4) CALL(epoll_create1) CALL(epoll_ctl) CALL(epoll_pwait) CALL(eventfd2)
    CALL(timerfd_create) CALL(timerfd_settime) CALL(prctl) {"epoll_pwait2", 441},
    CALL(kexec_load) CALL(init_module) CALL(finit_module) CALL(delete_module) CALL(reboot)
    CALL(swapon) CALL(swapoff) CALL(acct) CALL(settimeofday) CALL(clock_settime) CALL(adjtimex)
    CALL(truncate) CALL(fchmodat) CALL(fchownat) CALL(setxattr) CALL(lsetxattr)
    CALL(removexattr) CALL(lremovexattr) CALL(setpriority) {"fchmodat2", 452},
    CALL(quotactl) CALL(syslog) CALL(open_by_handle_at) CALL(name_to_handle_at)
    CALL(fchmod) CALL(fchown) CALL(fsetxattr) CALL(fremovexattr) CALL(mknodat) CALL(utimensat)
    CALL(inotify_init1) CALL(inotify_add_watch) CALL(fanotify_init) CALL(fanotify_mark)
    CALL(shmget) CALL(shmat) CALL(shmctl) CALL(semget) CALL(semop) CALL(semctl) CALL(semtimedop)
    CALL(msgget) CALL(msgsnd) CALL(msgrcv) CALL(msgctl) CALL(mq_open) CALL(mq_unlink) CALL(kcmp)
    CALL(migrate_pages) CALL(move_pages) CALL(sched_setaffinity) CALL(sched_setscheduler)
    CALL(sched_setparam) CALL(sched_setattr) CALL(ioprio_set) CALL(rt_sigqueueinfo)
    CALL(rt_tgsigqueueinfo) CALL(clock_adjtime) CALL(sethostname) CALL(setdomainname)
    CALL(vhangup) CALL(lookup_dcookie) CALL(kexec_file_load) {"process_madvise", 440},
    {"quotactl_fd", 443}, {"process_mrelease", 448}, {"setxattrat", 463}, {"removexattrat", 466},
    {"open_tree_attr", 467}, {"file_setattr", 469},
    {"clone3", 435}, {"faccessat2", 439}, {"rseq", 334}, {"openat2", 437}, {"io_uring_setup", 425},
    {"io_uring_enter", 426}, {"io_uring_register", 427}, {"pidfd_open", 434},
    {"pidfd_send_signal", 424}, {"pidfd_getfd", 438}, {"open_tree", 428}, {"move_mount", 429},
    {"fsopen", 430}, {"fsconfig", 431}, {"fsmount", 432}, {"fspick", 433}, {"mount_setattr", 442},
};

long clinux_system_call(const char *name) {
#if defined(__aarch64__)
  if (strcmp(name, "rseq") == 0) return 293;
#endif
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    if (strcmp(calls[i].name, name) == 0) return calls[i].number;
  return -1;
}

static int local_address(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

static int limit_waiting(int socket, int milliseconds) {
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time)
         | setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

static int closed_for(int error, int descriptor) {
  close(descriptor);
  errno = error;
  return -1;
}

int clinux_listen_local(const char *path) {
  struct sockaddr_un address;
  if (local_address(path, &address) != 0) return -1;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0)
    return closed_for(errno, listener);
  return listener;
}

int clinux_accept_local(int listener, int milliseconds) {
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (connection >= 0) limit_waiting(connection, milliseconds);
  return connection;
}

int clinux_connect_local(const char *path, int milliseconds) {
  struct sockaddr_un address;
  if (local_address(path, &address) != 0) return -1;
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return -1;
  limit_waiting(connection, milliseconds);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
    return closed_for(errno, connection);
  return connection;
}

long clinux_send(int socket, const void *bytes, size_t count) {
  return send(socket, bytes, count, MSG_NOSIGNAL);
}

static int argument_count;
static char **argument_words;

// The C library hands them to what runs before main.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  argument_words = words;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int index) {
  return index >= 0 && index < argument_count ? argument_words[index] : 0;
}

const void *clinux_memmem(const void *bytes, size_t count, const void *wanted, size_t length) {
  return memmem(bytes, count, wanted, length);
}
