#define _GNU_SOURCE
#include "BreakOut.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The sixth argument of calls that are only judged.
#define MARK 0x7E57CA11UL
// No call fails so.
#define ALLOWED_ERROR 1234

int breakout_mark_calls(void) {
  // Of two filters that answer with an error the later one is heard: calls that a profile lets through
  // fail with this error, calls that it refuses with its own.
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)MARK, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ALLOWED_ERROR),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof program / sizeof program[0], program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0 ? 0 : errno;
}

int breakout_judge(long number, const uint64_t a[5], int *error) {
  errno = 0;
  long result = syscall(number, a[0], a[1], a[2], a[3], a[4], MARK);
  *error = errno;
  return result < 0 && *error == ALLOWED_ERROR ? BREAKOUT_ALLOWED : BREAKOUT_REFUSED;
}

void breakout_foreign_call(void) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory");
#endif
}

void breakout_become_ordinary(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  syscall(SYS_capset, &header, data);
}

void breakout_hide(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
