// The Linux calls that Swift cannot import: variadic ones, those behind _GNU_SOURCE, and those
// that the C library has no function for. Plain functions without logic: each returns what the
// kernel returned, with errno set.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Numbers of <linux/...> headers that are newer than Debian 12's, or that are macros with casts.
enum {
  CLINUX_RESOLVE_NO_XDEV = 0x01,
  CLINUX_RESOLVE_NO_MAGICLINKS = 0x02,
  CLINUX_RESOLVE_NO_SYMLINKS = 0x04,
  CLINUX_RESOLVE_BENEATH = 0x08,
};
enum { CLINUX_RENAME_NOREPLACE = 1, CLINUX_RENAME_EXCHANGE = 2 };
enum { CLINUX_LEASE_READ = 0, CLINUX_LEASE_WRITE = 1, CLINUX_LEASE_NONE = 2 };
enum {
  CLINUX_IN_MODIFY = 0x2,
  CLINUX_IN_CLOSE_WRITE = 0x8,
  CLINUX_IN_MOVED_FROM = 0x40,
  CLINUX_IN_MOVED_TO = 0x80,
  CLINUX_IN_CREATE = 0x100,
  CLINUX_IN_DELETE_SELF = 0x400,
  CLINUX_IN_MOVE_SELF = 0x800,
  CLINUX_IN_UNMOUNT = 0x2000,
  CLINUX_IN_Q_OVERFLOW = 0x4000,
  CLINUX_IN_IGNORED = 0x8000,
  CLINUX_IN_ONLYDIR = 0x01000000,
  CLINUX_IN_EXCL_UNLINK = 0x04000000,
  CLINUX_IN_ISDIR = 0x40000000,
};
enum { CLINUX_O_PATH = 010000000, CLINUX_AT_EMPTY_PATH = 0x1000 };

// One instruction of a classic BPF program, as in <linux/filter.h>.
struct clinux_bpf {
  uint16_t code;
  uint8_t jump_true;
  uint8_t jump_false;
  uint32_t operand;
};

// What the launcher needs of a new process: which descriptors become 0, 1 and 2 (-1: /dev/null),
// the folder it starts in (-1: unchanged), the signal it gets when the spawning thread ends,
// whether it stays in the process group, so that it may use the terminal, and the mark by which it and
// all that it starts are found again (0: none).
struct clinux_spawn {
  int standard_input;
  int standard_output;
  int standard_error;
  int working_folder;
  int parent_death_signal;
  int stays_in_group;
  uint64_t mark;
};

// Folders and files
int clinux_openat2(int folder, const char *path, int flags, unsigned mode, uint64_t resolve);
int clinux_openat(int folder, const char *path, int flags, unsigned mode);
int clinux_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags);
int clinux_syncfs(int descriptor);
int clinux_set_lease(int descriptor, int type);
int clinux_get_lease(int descriptor);
int clinux_file_system_type(int descriptor, uint64_t *type);
// What a path leads to, links followed, without opening it: whoever may go through a folder need not be
// allowed to list it. The mount is 0 where the kernel (before 5.8) tells none.
struct clinux_place {
  uint64_t device, inode, mount;
};
int clinux_place_of(const char *path, struct clinux_place *place);
int clinux_lock_exclusive(int descriptor);
// Sets the mode of what is open, also of what was opened by O_PATH, which fchmod refuses.
int clinux_set_mode(int descriptor, unsigned mode);
// Extended attributes (xattr(7)): the length of a value, or -1 with errno.
long clinux_get_attribute(int descriptor, const char *name, void *value, size_t size);
int clinux_set_attribute(int descriptor, const char *name, const void *value, size_t size);
// Whether chattr(1) made an entry of a folder immutable or append-only, so that it cannot be renamed.
int clinux_is_unchangeable(int folder, const char *name);
int clinux_set_modification_time(int descriptor, int64_t seconds, int64_t nanoseconds);
int64_t clinux_copy_range(int from, int to, uint64_t count);

// Watching
int clinux_inotify_init(void);
int clinux_inotify_add(int descriptor, const char *path, uint32_t mask);
int clinux_inotify_remove(int descriptor, int watch);

// Processes
// Both ends close on exec.
int clinux_pipe(int ends[2]);

// The name of a signal without SIG, such as ABRT; NULL where there is no such signal.
const char *clinux_signal_name(int number);
int clinux_fork(void);
// Starts a process that opens each folder whose path it is sent and answers with errno or 0: one datagram each way.
// Returns the socket to it; it ends when that is closed.
int clinux_start_prober(void);
// Starts argv[0] with exactly this environment, in a new process group unless it stays in this one;
// all descriptors above 2 are closed in it. Returns its process identifier, or -1 with errno, also
// when the exec failed.
int clinux_spawn_process(const char *const *arguments, const char *const *environment,
                         const struct clinux_spawn *how);
int clinux_wait(int process, int options, int *status, int64_t *cpu_microseconds,
                int64_t *peak_bytes);
int clinux_set_parent_death_signal(int signal);
int clinux_become_subreaper(void);
int clinux_set_no_new_privileges(void);
int clinux_set_dumpable(int yes);
int clinux_close_from(unsigned first);
int clinux_close_on_exec_from(unsigned first);
int clinux_set_limit(int resource, uint64_t soft, uint64_t hard);
int clinux_pidfd_open(int process);
int clinux_drop_capabilities(void);
void clinux_ignore_signal(int signal);
int clinux_exited(int status);
int clinux_exit_status(int status);
int clinux_termination_signal(int status);
// The words that this process was started with: Swift reads them from /proc, where a confined process
// finds nothing.
int clinux_argument_count(void);
const char *clinux_argument(int index);

enum {
  CLINUX_LIMIT_CPU = 0,
  CLINUX_LIMIT_FILE_SIZE = 1,
  CLINUX_LIMIT_CORE = 4,
  CLINUX_LIMIT_PROCESSES = 6,
  CLINUX_LIMIT_OPEN_FILES = 7,
  CLINUX_LIMIT_ADDRESS_SPACE = 9,
  CLINUX_LIMIT_LOCKS = 10,
};

// Local sockets, by a path of less than 108 bytes. A descriptor, or -1 with errno.
int clinux_listen_local(const char *path);
int clinux_accept_local(int listener, int milliseconds);
int clinux_connect_local(const char *path, int milliseconds);
long clinux_send(int socket, const void *bytes, size_t count);

// Confinement
int clinux_landlock_version(void);
// `attributes_size` tells the kernel which of the three fields exist in its version: 8, 16 or 24.
int clinux_landlock_create(uint64_t files, uint64_t network, uint64_t scoped,
                           size_t attributes_size);
int clinux_landlock_allow(int ruleset, int path_descriptor, uint64_t files);
/// Lets a process with this ruleset listen at a port (Landlock 4).
int clinux_landlock_allow_port(int ruleset, uint64_t port);
int clinux_landlock_restrict(int ruleset);
int clinux_seccomp_install(const struct clinux_bpf *program, uint16_t length, unsigned flags);
uint32_t clinux_architecture(void);

// System call numbers of this architecture, -1 where it lacks the call.
long clinux_system_call(const char *name);

// memmem: where bytes stand in others; NULL where they do not.
const void *clinux_memmem(const void *bytes, size_t count, const void *wanted, size_t length);

#endif
