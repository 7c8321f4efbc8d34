#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "Acts.h"

typedef const struct breakout_place *Place;

void breakout_expect_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGURG);
  sigprocmask(SIG_BLOCK, &signals, NULL);
}

int breakout_took_signal(int sender) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGURG);
  struct timespec none = {0, 0};
  siginfo_t information;
  int took = 0, signal;
  // Another probe at work may signal everybody too.
  while ((signal = sigtimedwait(&signals, &information, &none)) > 0)
    if (signal == SIGUSR1 || information.si_pid == sender) took = 1;
  return took;
}

// Other processes
static int signal_parent(Place p) { return outcome(kill(p->parent, SIGUSR1)); }
static int signal_thread(Place p) {
  return outcome(syscall(SYS_tgkill, p->parent, p->parent, SIGUSR1));
}
static int queue_signal(Place p) {
  union sigval value = {0};
  return outcome(sigqueue(p->parent, SIGUSR1, value));
}
static int signal_by_descriptor(Place p) {
  int handle = (int)syscall(434, p->parent, 0);
  if (handle < 0) return errno;
  return outcome(syscall(424, handle, SIGUSR1, NULL, 0));
}
// To many: the call succeeds where it reached anybody, itself included; the parent tells whether it
// was among them. Nobody minds SIGURG.
static int signal_everybody(Place p) {
  (void)p;
  return kill(-1, SIGURG) == 0 ? EINPROGRESS : errno;
}
static int signal_group(Place p) {
  return kill(-getpgid(p->parent), SIGURG) == 0 ? EINPROGRESS : errno;
}
static int signal_own_group(Place p) {
  (void)p;
  return kill(0, SIGURG) == 0 ? EINPROGRESS : errno;
}
// The kernel sends the signal when the pipe has something to read.
static int signal_by_owner(Place p) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  if (fcntl(ends[0], F_SETOWN, p->parent) != 0) return errno;
  if (fcntl(ends[0], 10 /* F_SETSIG */, SIGUSR1) != 0) return errno;
  if (fcntl(ends[0], F_SETFL, O_ASYNC) != 0) return errno;
  return write(ends[1], "x", 1) == 1 ? EINPROGRESS : errno;
}
static int signal_by_ioctl(Place p) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  return outcome(ioctl(ends[0], 0x8901 /* FIOSETOWN */, &p->parent));
}
static int trace(Place p) { return outcome(ptrace(PTRACE_SEIZE, p->parent, 0, 0)); }
static int read_memory(Place p) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)&breakout_file_act_count, 1};
  return outcome(process_vm_readv(p->parent, &here, 1, &there, 1, 0));
}
static int write_memory(Place p) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)&breakout_file_act_count, 1};
  return outcome(process_vm_writev(p->parent, &here, 1, &there, 1, 0));
}
static int steal_descriptor(Place p) {
  int handle = (int)syscall(434, p->parent, 0);
  if (handle < 0) return errno;
  return outcome(syscall(438, handle, 0, 0));
}
static int compare_processes(Place p) {
  return outcome(syscall(SYS_kcmp, p->parent, getpid(), 0, 0, 0));
}
static int limit_parent(Place p) {
  struct rlimit limit = {1000000, RLIM_INFINITY};
  return outcome(prlimit(p->parent, RLIMIT_CPU, &limit, NULL));
}
static int raise_own_limit(Place p) {
  struct rlimit limit = {1 << 20, 1 << 20};
  return (void)p, outcome(prlimit(0, RLIMIT_NOFILE, &limit, NULL));
}
// By that limit a process of procd's is found again.
static int change_mark(Place p) {
  struct rlimit limit = {1, 1};
  if (prlimit(0, RLIMIT_LOCKS, &limit, NULL) == 0) return (void)p, outcome(0);
  return outcome((int)syscall(SYS_setrlimit, RLIMIT_LOCKS, &limit));
}
static int slow_parent(Place p) { return outcome(setpriority(PRIO_PROCESS, p->parent, 19)); }
static int pin_parent(Place p) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
  return outcome(sched_setaffinity(p->parent, sizeof set, &set));
}
static int schedule_parent(Place p) {
  struct sched_param parameters = {0};
  return outcome(sched_setscheduler(p->parent, SCHED_OTHER, &parameters));
}
static int slow_parent_disk(Place p) {
  return outcome(syscall(SYS_ioprio_set, 1, p->parent, 3 << 13));
}
static int move_parent_pages(Place p) {
  unsigned long nodes = 1;
  return outcome(syscall(SYS_migrate_pages, p->parent, 2, &nodes, &nodes));
}

// Programs and processes of its own
static int start_program(Place p) {
  (void)p;
  char *words[] = {"/bin/true", NULL}, *environment[] = {NULL};
  execve(words[0], words, environment);
  return errno;
}
static int start_from_memory(Place p) {
  (void)p;
  int program = memfd_create("program", 0), source = open("/bin/true", O_RDONLY);
  if (program < 0 || source < 0) return errno;
  char block[65536];
  ssize_t count;
  while ((count = read(source, block, sizeof block)) > 0)
    if (write(program, block, (size_t)count) != count) return errno;
  char *words[] = {"true", NULL}, *environment[] = {NULL};
  syscall(SYS_execveat, program, "", words, environment, AT_EMPTY_PATH);
  return errno;
}
static int ended(pid_t child) {
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}
static int fork_process(Place p) { return (void)p, ended((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static int user_namespace(Place p) {
  return (void)p, outcome(unshare(CLONE_NEWUSER));
}
static int namespace_by_clone(Place p) {
  return (void)p,
         ended((pid_t)syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0));
}
static int namespace_by_clone3(Place p) {
  (void)p;
  uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD, 0, 0, 0};
  return ended((pid_t)syscall(435, arguments, sizeof arguments));
}
static int enter_namespace(Place p) {
  int handle = (int)syscall(434, p->parent, 0);
  if (handle < 0) return errno;
  return outcome(setns(handle, CLONE_NEWUTS));
}
static int run_written_memory(Place p) {
  (void)p;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  return outcome(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}
static int map_executable(Place p) {
  (void)p;
  void *memory =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? errno : 0;
}

// The kernel's side doors
static int ring(Place p) {
  (void)p;
  uint32_t parameters[30] = {0};
  return outcome(syscall(425, 1, parameters));
}
static int kernel_program(Place p) {
  uint64_t attributes[16] = {0};
  return (void)p, outcome(syscall(SYS_bpf, 0, attributes, sizeof attributes));
}
static int performance(Place p) {
  (void)p;
  uint32_t attributes[32] = {1 /* software */, sizeof attributes};
  attributes[10] = 1 << 5 | 1 << 6;  // of this process, without the kernel
  return outcome(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
}
static int page_faults(Place p) { return (void)p, outcome(syscall(SYS_userfaultfd, 1)); }
static int key_of_session(Place p) {
  return (void)p, outcome(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1));
}
static int add_a_key(Place p) {
  return (void)p,
         outcome(syscall(SYS_add_key, "user", "procd", "x", 1, KEY_SPEC_PROCESS_KEYRING));
}
static int ask_for_key(Place p) {
  return (void)p, outcome(syscall(SYS_request_key, "user", "procd", NULL, 0));
}
static int segment(Place p) {
  (void)p;
  int memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  if (memory < 0) return errno;
  shmctl(memory, IPC_RMID, NULL);
  return 0;
}
static int semaphores(Place p) {
  (void)p;
  int set = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
  if (set < 0) return errno;
  semctl(set, 0, IPC_RMID);
  return 0;
}
static int messages(Place p) {
  (void)p;
  int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  if (queue < 0) return errno;
  msgctl(queue, IPC_RMID, NULL);
  return 0;
}
static int set_clock(Place p) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (void)p, outcome(syscall(SYS_clock_settime, CLOCK_REALTIME, &time));
}
static int restart_machine(Place p) {
  // Magic numbers that the kernel refuses, should it ever get to see them.
  return (void)p, outcome(syscall(SYS_reboot, 0, 0, 0, 0));
}
static int set_host_name(Place p) {
  char name[256];
  if (gethostname(name, sizeof name) != 0) return errno;
  return (void)p, outcome(sethostname(name, strlen(name)));
}
static int load_module(Place p) { return (void)p, outcome(syscall(SYS_init_module, "", 0, "")); }
static int type_at_terminal(Place p) {
  char key = ' ';
  return (void)p, outcome(ioctl(0, TIOCSTI, &key));
}
static int own_core(Place p) {
  (void)p;
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return outcome(setrlimit(RLIMIT_CORE, &limit));
}

#define ACT(function, name) {name, function},
const struct breakout_act breakout_process_acts[] = {
    ACT(signal_parent, "signal the parent")
    ACT(signal_thread, "signal a thread of the parent")
    ACT(queue_signal, "signal the parent by sigqueue")
    ACT(signal_by_descriptor, "signal the parent by pidfd")
    ACT(signal_by_owner, "signal the parent by F_SETOWN")
    ACT(signal_by_ioctl, "make the parent the owner by FIOSETOWN")
    ACT(signal_group, "signal the parent's group")
    ACT(signal_own_group, "signal its own group, which is the parent's")
    ACT(signal_everybody, "signal every process")
    ACT(trace, "trace the parent (ptrace)")
    ACT(read_memory, "read the parent's memory")
    ACT(write_memory, "write the parent's memory")
    ACT(steal_descriptor, "take a descriptor of the parent's (pidfd_getfd)")
    ACT(compare_processes, "compare with the parent (kcmp)")
    ACT(limit_parent, "limit the parent's processor time (prlimit)")
    ACT(slow_parent, "lower the parent's priority")
    ACT(pin_parent, "pin the parent to a processor")
    ACT(schedule_parent, "change the parent's scheduling")
    ACT(slow_parent_disk, "lower the parent's priority at the disk")
    ACT(move_parent_pages, "move the parent's memory")
    ACT(raise_own_limit, "raise a limit of its own")
    ACT(change_mark, "change the limit that marks it as procd's")
    ACT(own_core, "write core dumps")
    ACT(start_program, "start a program")
    ACT(start_from_memory, "start a program from memory")
    ACT(fork_process, "start a process")
    ACT(run_written_memory, "run what it wrote into memory")
    ACT(map_executable, "map memory to write and to run")
    ACT(user_namespace, "a user namespace by unshare")
    ACT(namespace_by_clone, "a user namespace by clone")
    ACT(namespace_by_clone3, "a user namespace by clone3")
    ACT(enter_namespace, "enter the parent's namespace")
    ACT(ring, "io_uring")
    ACT(kernel_program, "bpf")
    ACT(performance, "perf_event_open")
    ACT(page_faults, "userfaultfd")
    ACT(key_of_session, "the user's keyring")
    ACT(add_a_key, "add a key")
    ACT(ask_for_key, "ask for a key")
    ACT(segment, "System V shared memory")
    ACT(semaphores, "System V semaphores")
    ACT(messages, "System V messages")
    ACT(set_clock, "set the clock")
    ACT(restart_machine, "restart the machine")
    ACT(set_host_name, "set the machine's name")
    ACT(load_module, "load a kernel module")
    ACT(type_at_terminal, "type at the terminal (TIOCSTI)")
};
const int breakout_process_act_count =
    sizeof breakout_process_acts / sizeof breakout_process_acts[0];
