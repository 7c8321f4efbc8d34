#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "Acts.h"

static const char content[] = "what nobody outside may touch";
static const char attribute[] = "kept";
// Long ago, so that every change shows.
static const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status, (void)kind, (void)where;
  return remove(path);
}

static int write_file(const char *path) {
  // Anew, without what an act may have set.
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int result = write(file, content, sizeof content) == (ssize_t)sizeof content ? 0 : errno;
  // Not every file system has extended attributes.
  fsetxattr(file, "user.procd", attribute, sizeof attribute, 0);
  if (result == 0 && futimens(file, times) != 0) result = errno;
  close(file);
  return result;
}

static int listen_at(const char *path, int type, int abstract) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t size = sizeof address;
  if (abstract)
    size = (socklen_t)(sizeof(sa_family_t) + 1 +
                       (size_t)snprintf(address.sun_path + 1, 100, "%s", path));
  else
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int s = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (s < 0) return errno;
  if (bind(s, (struct sockaddr *)&address, size) != 0) return errno;
  return type == SOCK_STREAM ? outcome(listen(s, 128)) : 0;
}

static int listen_by_tcp(uint16_t *port) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0 || bind(s, (struct sockaddr *)&address, size) != 0 || listen(s, 128) != 0)
    return errno;
  if (getsockname(s, (struct sockaddr *)&address, &size) != 0) return errno;
  *port = ntohs(address.sin_port);
  return 0;
}

#define TRY(call)                     \
  do {                                \
    int tried = (call);               \
    if (tried != 0) return tried;     \
  } while (0)

int breakout_lay_out(const char *folder, struct breakout_place *place) {
  static char work[4096], input[4096], outside[4096];
  snprintf(work, sizeof work, "%s/work", folder);
  snprintf(input, sizeof input, "%s/input", folder);
  snprintf(outside, sizeof outside, "%s/outside", folder);
  place->work = work, place->input = input, place->outside = outside;
  place->parent = getpid();
  nftw(work, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  TRY(outcome(mkdir(work, 0700)));
  TRY(write_file(input));
  TRY(write_file(below(work, "mine")));
  int isNew = mkdir(outside, 0700) == 0;
  if (!isNew) unlink(below(outside, "made")), rmdir(below(outside, "made"));
  if (access(below(outside, "folder"), F_OK) != 0) TRY(outcome(mkdir(below(outside, "folder"), 0700)));
  unlink(below(outside, "astray"));
  TRY(write_file(below(outside, "secret")));
  TRY(outcome(symlink(below(outside, "secret"), below(work, "link"))));
  TRY(outcome(symlink(below(outside, "astray"), below(work, "astray"))));
  if (!isNew) return 0;
  TRY(outcome(symlink("secret", below(outside, "link"))));
  TRY(listen_at(below(outside, "socket"), SOCK_STREAM, 0));
  TRY(listen_at(below(outside, "datagrams"), SOCK_DGRAM, 0));
  char name[64];
  snprintf(name, sizeof name, "procd-%d", getpid());
  TRY(listen_at(name, SOCK_STREAM, 1));
  TRY(listen_by_tcp(&place->port));
  place->inherited = open(below(outside, "secret"), O_RDWR | O_CLOEXEC);
  return place->inherited < 0 ? errno : 0;
}

static int is_as_written(const char *path) {
  struct stat status;
  char bytes[sizeof content] = "", value[sizeof attribute] = "";
  if (lstat(path, &status) != 0 || (status.st_mode & 07777) != 0600 || status.st_nlink != 1 ||
      status.st_mtim.tv_sec != times[1].tv_sec)
    return 0;
  int file = open(path, O_RDONLY | O_CLOEXEC), flags = 0;
  if (file < 0) return 0;
  int same = read(file, bytes, sizeof bytes) == (ssize_t)sizeof content &&
             memcmp(bytes, content, sizeof content) == 0;
  ssize_t length = fgetxattr(file, "user.procd", value, sizeof value);
  same = same && (length < 0 ? errno == ENOTSUP
                             : length == (ssize_t)sizeof attribute && strcmp(value, attribute) == 0);
  // FS_IOC_GETFLAGS; bit 6: left out of dumps.
  if (ioctl(file, 0x80086601, &flags) == 0) same = same && !(flags & 0x40);
  close(file);
  return same;
}

int breakout_is_unharmed(const struct breakout_place *place) {
  struct stat status;
  return is_as_written(place->input) && is_as_written(below(place->outside, "secret")) &&
         lstat(below(place->outside, "made"), &status) != 0 &&
         lstat(below(place->outside, "astray"), &status) != 0 &&
         lstat(below(place->outside, "folder"), &status) == 0;
}
