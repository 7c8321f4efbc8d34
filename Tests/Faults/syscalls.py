"""The system calls of x86-64 by what they do to a disk: those that change something and are known, and
those that change nothing. A call that is on neither list fails the test that meets it."""

# Calls that change what lies on a disk, or make it durable. Each has a reading in tracer.py.
CHANGING = {
    1: "write", 18: "pwrite64", 20: "writev", 296: "pwritev", 328: "pwritev2",
    2: "open", 85: "creat", 257: "openat", 437: "openat2",
    82: "rename", 264: "renameat", 316: "renameat2",
    86: "link", 265: "linkat", 88: "symlink", 266: "symlinkat",
    87: "unlink", 263: "unlinkat", 84: "rmdir", 83: "mkdir", 258: "mkdirat",
    76: "truncate", 77: "ftruncate", 285: "fallocate",
    74: "fsync", 75: "fdatasync", 306: "syncfs", 277: "sync_file_range", 162: "sync",
    90: "chmod", 91: "fchmod", 268: "fchmodat", 452: "fchmodat2",
    92: "chown", 93: "fchown", 94: "lchown", 260: "fchownat",
    280: "utimensat", 132: "utime", 235: "utimes", 261: "futimesat",
    188: "setxattr", 189: "lsetxattr", 190: "fsetxattr", 197: "removexattr", 198: "lremovexattr",
    199: "fremovexattr", 326: "copy_file_range", 40: "sendfile", 133: "mknod", 259: "mknodat",
    16: "ioctl", 9: "mmap",
}
NUMBERS = {name: number for number, name in CHANGING.items()}

SYNCS = {"fsync", "fdatasync", "syncfs"}
WRITES = {"write", "pwrite64", "writev"}
OPENS = {"open", "creat", "openat", "openat2"}

# Calls that change nothing on a disk; they are let through without a stop.
HARMLESS = frozenset(
    [0, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 17, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
     32, 33, 34, 35, 36, 37, 38, 39]  # read, close, stat, poll, lseek, mprotect, munmap, brk, signals, pipe …
    + list(range(41, 60))  # sockets, clone, fork, execve
    + [60, 61, 62, 63, 72, 73, 78, 79, 80, 81, 89]  # exit, wait, kill, fcntl, flock, getdents, getcwd, chdir
    + list(range(95, 128)) + [130, 131, 137, 138] + list(range(140, 153))  # umask, ids, limits, statfs, priority
    + [157, 158, 160, 186, 191, 192, 193, 194, 195, 196, 200, 201, 202, 203, 204, 217, 218, 219, 221, 222, 223, 226, 227, 228, 229, 230,
       231, 232, 233, 234, 238, 239, 247, 251, 252, 253, 254, 255, 262, 267, 269, 270, 271, 273, 274, 281, 283,
       284, 286, 287, 288, 289, 290, 291, 292, 293, 294, 302, 309, 310, 314, 315, 317, 318, 319, 322,
       324, 327, 332, 334, 424, 434, 435, 436, 439, 441, 444, 445, 446, 449])
assert not HARMLESS & CHANGING.keys()

O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE = 0o1, 0o2, 0o100, 0o1000, 0o20000000
CREATING = O_CREAT | O_TRUNC | O_TMPFILE
FICLONE, FICLONERANGE = 0x40049409, 0x4020940D


def filter_program():
    """A seccomp program (struct sock_filter, 8 bytes each) that stops at all calls but the harmless ones."""
    import struct
    ALLOW, TRACE = 0x7FFF0000, 0x7FF00000
    code = []

    def op(kind, k, jt=0, jf=0):
        code.append(struct.pack("=HBBI", kind, jt, jf, k & 0xFFFFFFFF))

    LOAD, EQUAL, SET, RETURN = 0x20, 0x15, 0x45, 0x06
    op(LOAD, 4)  # the architecture: others are not looked at
    op(EQUAL, 0xC000003E, 1, 0)
    op(RETURN, ALLOW)
    op(LOAD, 0)
    for number in sorted(HARMLESS):
        op(EQUAL, number, 0, 1)
        op(RETURN, ALLOW)

    def argument(number, index, mask):  # harmless unless a bit of the argument is set
        op(EQUAL, number, 0, 4)
        op(LOAD, 16 + 8 * index)
        op(SET, mask, 1, 0)
        op(RETURN, ALLOW)
        op(RETURN, TRACE)

    argument(NUMBERS["open"], 1, O_CREAT | O_TRUNC)
    argument(NUMBERS["openat"], 2, O_CREAT | O_TRUNC)
    argument(NUMBERS["mmap"], 3, 1)  # MAP_SHARED
    op(EQUAL, NUMBERS["ioctl"], 0, 5)
    op(LOAD, 16 + 8)
    op(EQUAL, FICLONE, 2, 0)
    op(EQUAL, FICLONERANGE, 1, 0)
    op(RETURN, ALLOW)
    op(RETURN, TRACE)
    op(RETURN, TRACE)
    return b"".join(code)
