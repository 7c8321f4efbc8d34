#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "Acts.h"

typedef const struct breakout_place *Place;

const char *below(const char *folder, const char *name) {
  static char texts[8][4096];
  static int next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "%s/%s", folder, name);
  return text;
}

static const char *secret(Place p) { return below(p->outside, "secret"); }
static int reads(const char *path) { return outcome(open(path, O_RDONLY | O_CLOEXEC)); }
static int opens(const char *path, int flags, int mode) {
  return outcome(open(path, flags | O_CLOEXEC, mode));
}
static const char *of_parent(Place p, const char *name) {
  static char text[64];
  snprintf(text, sizeof text, "/proc/%d/%s", p->parent, name);
  return text;
}

// What a step is there for
static int read_input(Place p) { return reads(p->input); }
static int make_in_work(Place p) {
  return opens(below(p->work, "fresh"), O_WRONLY | O_CREAT | O_EXCL, 0600);
}
static int make_folder_in_work(Place p) { return outcome(mkdir(below(p->work, "made"), 0700)); }
static int remove_in_work(Place p) { return outcome(unlink(below(p->work, "mine"))); }

// Reading
static int read_passwd(Place p) { return (void)p, reads("/etc/passwd"); }
static int read_secret(Place p) { return reads(secret(p)); }
static int list_outside(Place p) {
  DIR *folder = opendir(p->outside);
  return folder ? 0 : errno;
}
static int read_upwards(Place p) {
  int work = open(p->work, O_PATH | O_DIRECTORY);
  if (work < 0) return errno;
  return outcome(openat(work, "../outside/secret", O_RDONLY));
}
static int read_by_link(Place p) { return reads(below(p->work, "link")); }
static int read_by_handle(Place p) {
  struct {
    struct file_handle head;
    char bytes[128];
  } handle = {.head = {.handle_bytes = 128}};
  int mount = 0;
  if (name_to_handle_at(AT_FDCWD, secret(p), &handle.head, &mount, 0) != 0) return errno;
  int anywhere = open(p->outside, O_PATH);
  return outcome(open_by_handle_at(anywhere, &handle.head, O_RDONLY));
}
static int read_parent_environment(Place p) { return reads(of_parent(p, "environ")); }
static int read_parent_memory(Place p) { return reads(of_parent(p, "mem")); }
static int read_parent_files(Place p) {
  char target[64];
  return outcome(readlink(of_parent(p, "fd/1"), target, sizeof target));
}
static int read_by_own_root(Place p) { return (void)p, reads("/proc/self/root/etc/passwd"); }
static int read_kernel_log(Place p) { return (void)p, reads("/dev/kmsg"); }
static int stat_secret(Place p) {
  struct stat status;
  return outcome(stat(secret(p), &status));
}
static int read_link_outside(Place p) {
  char target[64];
  return outcome(readlink(below(p->outside, "link"), target, sizeof target));
}
static int read_attribute_outside(Place p) {
  char value[64];
  return outcome(getxattr(secret(p), "user.procd", value, sizeof value));
}
static int watch_outside(Place p) {
  int watch = inotify_init1(IN_CLOEXEC);
  if (watch < 0) return errno;
  return outcome(inotify_add_watch(watch, p->outside, IN_ALL_EVENTS));
}
static int watch_outside_by_fanotify(Place p) {
  // FAN_REPORT_FID, which needs no capability.
  int watch = (int)syscall(SYS_fanotify_init, 0x200, O_RDONLY);
  if (watch < 0) return errno;
  return outcome(syscall(SYS_fanotify_mark, watch, 1, 0x2UL, AT_FDCWD, secret(p)));
}

// Writing
static int write_input(Place p) { return opens(p->input, O_WRONLY, 0); }
static int truncate_input(Place p) { return outcome(truncate(p->input, 0)); }
static int truncate_input_reading(Place p) { return opens(p->input, O_RDONLY | O_TRUNC, 0); }
static int truncate_secret(Place p) { return outcome(truncate(secret(p), 0)); }
static int truncate_secret_reading(Place p) { return opens(secret(p), O_RDONLY | O_TRUNC, 0); }
static int append_secret(Place p) { return opens(secret(p), O_WRONLY | O_APPEND, 0); }
static int write_by_link(Place p) { return opens(below(p->work, "link"), O_WRONLY, 0); }
static int make_by_link(Place p) {
  return opens(below(p->work, "astray"), O_WRONLY | O_CREAT, 0600);
}
static int map_secret(Place p) {
  int file = open(secret(p), O_RDWR | O_CLOEXEC);
  if (file < 0) return errno;
  return mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED ? errno : 0;
}
static int make_outside(Place p) {
  return opens(below(p->outside, "made"), O_WRONLY | O_CREAT | O_EXCL, 0600);
}
static int make_nameless_outside(Place p) { return opens(p->outside, O_TMPFILE | O_WRONLY, 0600); }
static int make_folder_outside(Place p) { return outcome(mkdir(below(p->outside, "made"), 0700)); }
static int remove_secret(Place p) { return outcome(unlink(secret(p))); }
static int remove_folder_outside(Place p) { return outcome(rmdir(below(p->outside, "folder"))); }
static int rename_secret_in(Place p) {
  return outcome(rename(secret(p), below(p->work, "stolen")));
}
static int rename_out(Place p) {
  return outcome(rename(below(p->work, "mine"), below(p->outside, "made")));
}
static int rename_over_secret(Place p) {
  return outcome(rename(below(p->work, "mine"), secret(p)));
}
static int exchange_with_secret(Place p) {
  return outcome(renameat2(AT_FDCWD, below(p->work, "mine"), AT_FDCWD, secret(p), 2));
}
static int link_secret_in(Place p) { return outcome(link(secret(p), below(p->work, "stolen"))); }
static int link_out(Place p) {
  return outcome(link(below(p->work, "mine"), below(p->outside, "made")));
}
static int link_outside(Place p) {
  return outcome(symlink("/etc/passwd", below(p->outside, "made")));
}
static int link_in_work(Place p) {
  return outcome(symlink("/etc/passwd", below(p->work, "made")));
}
static int fifo_in_work(Place p) { return outcome(mkfifo(below(p->work, "made"), 0600)); }
static int socket_node_in_work(Place p) {
  return outcome(mknod(below(p->work, "made"), S_IFSOCK | 0600, 0));
}
static int device_in_work(Place p) {
  return outcome(mknod(below(p->work, "made"), S_IFCHR | 0600, 0x103));
}
static int set_user_by_making(Place p) {
  const char *name = below(p->work, "made");
  int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755);
  if (file < 0) return errno;
  struct stat status;
  return fstat(file, &status) == 0 && (status.st_mode & S_ISUID) ? 0 : EPERM;
}
static int set_user_by_mode(Place p) {
  int file = open(below(p->work, "fresh"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  return outcome(fchmod(file, 04755));
}
static int set_user_by_node(Place p) {
  return outcome(mknod(below(p->work, "made"), S_IFREG | 04755, 0));
}

// Changing what is no content
static int chmod_secret(Place p) { return outcome(chmod(secret(p), 0777)); }
static int chmod_secret_at(Place p) {
  return outcome(syscall(SYS_fchmodat, AT_FDCWD, secret(p), 0777));
}
static int chmod_secret_at_2(Place p) {
  return outcome(syscall(452, AT_FDCWD, secret(p), 0777, 0));
}
static int open_input_to_all(Place p) {
  int file = open(p->input, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  return outcome(fchmod(file, 0666));
}
static int chown_secret(Place p) { return outcome(chown(secret(p), getuid(), getgid())); }
static int chown_input(Place p) {
  int file = open(p->input, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  return outcome(fchown(file, getuid(), getgid()));
}
static int touch_secret(Place p) {
  struct timespec times[2] = {{0, 0}, {0, 0}};
  return outcome(utimensat(AT_FDCWD, secret(p), times, 0));
}
static int touch_secret_old_way(Place p) {
  struct utimbuf times = {0, 0};
#ifdef SYS_utime
  return outcome(syscall(SYS_utime, secret(p), &times));
#else
  return (void)times, outcome(utime(secret(p), &times));
#endif
}
static int mark_secret(Place p) { return outcome(setxattr(secret(p), "user.procd", "x", 1, 0)); }
static int mark_secret_at(Place p) {
  struct {
    uint64_t value;
    uint32_t size, flags;
  } arguments = {(uint64_t)(uintptr_t)"x", 1, 0};
  return outcome(syscall(463, AT_FDCWD, secret(p), 0, "user.procd", &arguments, sizeof arguments));
}
static int mark_input(Place p) {
  int file = open(p->input, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  return outcome(fsetxattr(file, "user.procd", "x", 1, 0));
}
static int unmark_secret(Place p) { return outcome(removexattr(secret(p), "user.procd")); }
static int set_file_flags(Place p) {
  int file = open(p->input, O_RDONLY | O_CLOEXEC), flags = 0x40 /* no dump */;
  if (file < 0) return errno;
  return outcome(ioctl(file, 0x40086602 /* FS_IOC_SETFLAGS */, &flags));
}
static int set_file_attributes_at(Place p) {
  uint64_t attributes[3] = {0, 0, 0};
  return outcome(syscall(469, AT_FDCWD, secret(p), attributes, sizeof attributes, 0));
}
static int write_lease_on_input(Place p) {
  int file = open(p->input, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  return outcome(fcntl(file, F_SETLEASE, F_WRLCK));
}

// Mounts and namespaces of files
static int mount_something(Place p) {
  return outcome(mount("none", p->work, "tmpfs", 0, NULL));
}
static int unmount_something(Place p) { return outcome(umount2(p->work, MNT_DETACH)); }
static int mount_by_new_calls(Place p) { return (void)p, outcome(syscall(430, "tmpfs", 0)); }
static int copy_mount(Place p) { return outcome(syscall(428, AT_FDCWD, p->outside, 1)); }
static int change_root(Place p) { return outcome(chroot(p->work)); }
static int pivot(Place p) { return outcome(syscall(SYS_pivot_root, p->work, p->work)); }

// Memory shared by name
static int shared_memory_file(Place p) {
  return (void)p, outcome(shm_open("/procd-break-out", O_RDWR | O_CREAT, 0600));
}
static int inherited_descriptor(Place p) { return outcome(fcntl(p->inherited, F_GETFD)); }
static int message_queue(Place p) {
  return (void)p, outcome(mq_open("/procd-break-out", O_RDWR | O_CREAT, 0600, NULL));
}

#define ACT(function, name) {name, function},
const struct breakout_act breakout_file_acts[] = {
    ACT(read_input, "read the input")
    ACT(make_in_work, "make a file in the work folder")
    ACT(make_folder_in_work, "make a folder in the work folder")
    ACT(remove_in_work, "remove a file in the work folder")
    ACT(read_passwd, "read /etc/passwd")
    ACT(read_secret, "read a file of ours")
    ACT(list_outside, "list a folder of ours")
    ACT(read_upwards, "read by .. from the work folder")
    ACT(read_by_link, "read by a link in the work folder")
    ACT(read_by_handle, "read by a file handle")
    ACT(read_by_own_root, "read by /proc/self/root")
    ACT(read_parent_environment, "read the parent's environment")
    ACT(read_parent_memory, "read the parent's memory by /proc")
    ACT(read_parent_files, "see the parent's open files")
    ACT(read_kernel_log, "read the kernel's log")
    ACT(inherited_descriptor, "use a descriptor of the parent's")
    ACT(stat_secret, "ask for size and times of a file of ours")
    ACT(read_link_outside, "read where a link of ours leads")
    ACT(read_attribute_outside, "read an extended attribute of a file of ours")
    ACT(watch_outside, "watch a folder of ours (inotify)")
    ACT(watch_outside_by_fanotify, "watch a file of ours (fanotify)")
    ACT(write_input, "write to the input")
    ACT(truncate_input, "truncate the input by path")
    ACT(truncate_input_reading, "truncate the input while opening it to read")
    ACT(truncate_secret, "truncate a file of ours by path")
    ACT(truncate_secret_reading, "truncate a file of ours while opening it to read")
    ACT(append_secret, "append to a file of ours")
    ACT(map_secret, "map a file of ours to write")
    ACT(write_by_link, "write by a link in the work folder")
    ACT(make_by_link, "make a file by a dangling link")
    ACT(make_outside, "make a file in a folder of ours")
    ACT(make_nameless_outside, "make a file without a name in a folder of ours")
    ACT(make_folder_outside, "make a folder in a folder of ours")
    ACT(remove_secret, "remove a file of ours")
    ACT(remove_folder_outside, "remove a folder of ours")
    ACT(rename_secret_in, "rename a file of ours into the work folder")
    ACT(rename_out, "rename a file out of the work folder")
    ACT(rename_over_secret, "rename a file over one of ours")
    ACT(exchange_with_secret, "exchange a file with one of ours")
    ACT(link_secret_in, "hard link to a file of ours")
    ACT(link_out, "hard link out of the work folder")
    ACT(link_outside, "symbolic link in a folder of ours")
    ACT(link_in_work, "symbolic link in the work folder")
    ACT(fifo_in_work, "fifo in the work folder")
    ACT(socket_node_in_work, "socket in the work folder")
    ACT(device_in_work, "device in the work folder")
    ACT(set_user_by_making, "make a file with the setuid bit")
    ACT(set_user_by_mode, "set the setuid bit of an open file")
    ACT(set_user_by_node, "make a node with the setuid bit")
    ACT(chmod_secret, "change the mode of a file of ours")
    ACT(chmod_secret_at, "the same by fchmodat")
    ACT(chmod_secret_at_2, "the same by fchmodat2")
    ACT(open_input_to_all, "make the input writable for all")
    ACT(chown_secret, "change the owner of a file of ours")
    ACT(chown_input, "change the owner of the input")
    ACT(touch_secret, "change the times of a file of ours")
    ACT(touch_secret_old_way, "the same by utime")
    ACT(mark_secret, "set an extended attribute of a file of ours")
    ACT(mark_secret_at, "the same by setxattrat")
    ACT(mark_input, "set an extended attribute of the input")
    ACT(unmark_secret, "remove an extended attribute of a file of ours")
    ACT(set_file_flags, "set flags of the input (chattr)")
    ACT(set_file_attributes_at, "set flags of a file of ours by file_setattr")
    ACT(write_lease_on_input, "take a write lease on the input")
    ACT(mount_something, "mount over the work folder")
    ACT(unmount_something, "unmount")
    ACT(mount_by_new_calls, "open a file system (fsopen)")
    ACT(copy_mount, "copy a mount (open_tree)")
    ACT(change_root, "change the root folder")
    ACT(pivot, "swap the root folder (pivot_root)")
    ACT(shared_memory_file, "shared memory by name")
    ACT(message_queue, "message queue by name")
};
const int breakout_file_act_count = sizeof breakout_file_acts / sizeof breakout_file_acts[0];
