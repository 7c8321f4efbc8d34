"""Runs a program with all its processes and threads and stops at every call that changes a disk.

At each such call a policy decides: go on, fail the call with an error, or kill. Positions are counted over
all threads together, which strace's own counters (one per thread) cannot do. Needs Linux on x86-64 and root,
because workers let nobody else look into them."""

import ctypes
import os
import signal
import struct

import syscalls

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
TRACEME, CONT, GETREGS, SETREGS, SYSCALL, SETOPTIONS = 0, 7, 12, 13, 24, 0x4200
# SYSGOOD, fork, vfork, clone, exec, seccomp; all end with the tracer
OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x100000
WALL = 0x40000000
REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base "
             "gs_base ds es fs gs").split()


class Registers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_ulonglong) for name in REGISTERS]


def why_not():
    """Why nothing can be traced here; None where it can."""
    if os.uname().machine != "x86_64":
        return "the tracer knows the calls of x86-64 only"
    if os.getuid() != 0:
        return "only root may trace processes that let nobody look into them"
    return None


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Unlisted(Exception):
    """A call that changes state and that the lists do not know."""


class Call:
    """A call that is about to be made."""

    # Whether it is stopped too where something of a site is opened for reading, which changes nothing.
    reads = False

    def __init__(self, tracer, tid, registers):
        self.tid, self.registers = tid, registers
        self.process = tracer.process_of(tid)
        self.number = signed(registers.orig_rax)
        self.name = syscalls.CHANGING.get(self.number, f"call {self.number}")
        self.args = [registers.rdi, registers.rsi, registers.rdx, registers.r10, registers.r8, registers.r9]
        self.path = self.other = None  # absolute; the second one of renames and links
        self.flags = 0
        self.result = None
        self.changes = self._read()

    def _read(self):
        """Reads the arguments; false where the call changes nothing on a disk."""
        name, a = self.name, self.args
        if self.number not in syscalls.CHANGING:
            raise Unlisted(f"{self.program} made {name}, which is on no list")
        if name == "mmap":
            fd = ctypes.c_int(a[4] & 0xFFFFFFFF).value
            if fd < 0 or not a[2] & 2 or a[3] & 0x3 == 2:
                return False
            self.path = self.opened(fd)
            # SQLite's index of its journal is rebuilt after a crash and never needed to be durable.
            if self.path.endswith("-shm") or self.path.startswith(("/dev/", "/memfd:")):
                return False
            raise Unlisted(f"{self.program} maps {self.path} for shared writing")
        if name in ("open", "creat"):
            self.path, self.flags = self.at(-100, a[0]), a[1] if name == "open" else syscalls.O_CREAT
        elif name in ("openat", "openat2"):
            self.path = self.at(a[0], a[1])
            self.flags = a[2] if name == "openat" else struct.unpack("<Q", self.memory(a[2], 8))[0]
            if not self.flags & (syscalls.O_CREAT | syscalls.O_TRUNC):
                if self.flags & syscalls.O_TMPFILE == syscalls.O_TMPFILE:
                    raise Unlisted("O_TMPFILE")
                return self.reads and "procd-faults-" in self.path
        elif name in ("rename", "link", "symlink"):
            self.path, self.other = self.at(-100, a[0]), self.at(-100, a[1])
        elif name in ("renameat", "renameat2", "linkat"):
            self.path, self.other = self.at(a[0], a[1]), self.at(a[2], a[3])
        elif name in ("unlink", "rmdir", "mkdir", "truncate", "chmod", "chown", "lchown"):
            self.path = self.at(-100, a[0])
        elif name in ("unlinkat", "mkdirat", "fchmodat", "fchmodat2", "fchownat"):
            self.path = self.at(a[0], a[1])
        elif name == "utimensat":
            self.path = self.at(a[0], a[1]) if a[1] else self.opened(a[0])
        elif name in ("write", "pwrite64", "writev", "ftruncate", "fallocate", "fsync", "fdatasync", "syncfs",
                      "fchmod", "fchown"):
            self.path = self.opened(a[0])
        else:
            raise Unlisted(f"{self.program} made {name}, which has no reading")
        # Pipes, sockets, terminals, files without a name: no disk.
        return self.path.startswith("/") and not self.path.startswith(("/dev/pts", "/dev/null", "/memfd:", "/proc/"))

    @property
    def program(self):
        """The name of the program that makes the call."""
        try:
            return os.path.basename(os.readlink(f"/proc/{self.tid}/exe"))
        except OSError:
            return "?"

    def opened(self, fd):
        fd = ctypes.c_int(fd & 0xFFFFFFFF).value
        try:
            return os.readlink(f"/proc/{self.tid}/fd/{fd}")
        except OSError:
            return "closed"

    def at(self, folder, pointer):
        name = os.fsdecode(self.text(pointer))
        if name.startswith("/"):
            return os.path.normpath(name)
        folder = ctypes.c_int(folder & 0xFFFFFFFF).value
        base = os.readlink(f"/proc/{self.tid}/cwd") if folder == -100 else self.opened(folder)
        return os.path.normpath(os.path.join(base, name))

    def memory(self, address, count):
        with open(f"/proc/{self.tid}/mem", "rb", 0) as file:
            file.seek(address)
            return file.read(count)

    def text(self, address):
        bytes = b""
        while b"\0" not in bytes:  # up to the end of the page: the next may not be mapped
            start = address + len(bytes)
            bytes += self.memory(start, 4096 - start % 4096)
        return bytes.split(b"\0")[0]

    def data(self):
        """The bytes that a write is about to write."""
        if self.name == "writev":
            vectors = self.memory(self.args[1], 16 * self.args[2])
            pairs = struct.iter_unpack("<QQ", vectors)
            return b"".join(self.memory(at, count) for at, count in pairs if count)
        return self.memory(self.args[1], self.args[2])

    def status(self):
        """The status of the open file of a call by descriptor."""
        return os.stat(f"/proc/{self.tid}/fd/{ctypes.c_int(self.args[0] & 0xFFFFFFFF).value}")

    def __str__(self):
        return f"{self.program}: {self.name} {self.path}" + (f" -> {self.other}" if self.other else "")


class Tracer:
    """Runs a program under a policy.

    The policy is called with each Call that changes a disk and answers None, ("error", number) or
    ("kill", pids). `after`, where given, is called when the call is over, with its result; then no other
    thread makes a call of ours meanwhile, so that calls have one order."""

    def __init__(self, policy, after=None):
        self.policy, self.after = policy, after
        self.processes = {}
        self.alive = set()
        self.killed = self.all_killed = self.waiting = False

    def process_of(self, tid):
        if tid not in self.processes:
            with open(f"/proc/{tid}/status") as file:
                self.processes[tid] = next(int(line.split()[1]) for line in file if line.startswith("Tgid:"))
        return self.processes[tid]

    def run(self, argv, cwd, output, timeout=60):
        """Returns the exit status of the program, negative for a signal, None where it took too long."""
        first = os.fork()
        if first == 0:
            self._become(argv, cwd, output)
        os.waitpid(first, 0)
        libc.ptrace(SETOPTIONS, first, None, OPTIONS)
        libc.ptrace(CONT, first, None, 0)
        self.first, self.alive, status = first, {first}, None
        late = False

        def ring(*_):
            if self.waiting:
                raise TimeoutError

        # Whoever started us may have blocked all signals.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        previous = signal.signal(signal.SIGALRM, ring)
        # Again and again, because one may come while we do not wait.
        signal.setitimer(signal.ITIMER_REAL, timeout, 0.2)
        try:
            while True:  # until there are no children left; some are born unseen
                try:
                    tid, state = self._wait()
                except ChildProcessError:
                    break
                except TimeoutError:
                    late = True
                    self.kill_all()
                    continue
                if os.WIFSTOPPED(state):
                    self._stopped(tid, state)
                else:
                    self.alive.discard(tid)
                    if tid == first:
                        status = os.waitstatus_to_exitcode(state)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
            self.kill_all()
            self._reap()
        return None if late else status

    def _wait(self):
        self.waiting = True
        try:
            return os.waitpid(-1, WALL)
        finally:
            self.waiting = False

    def _reap(self):
        try:
            while True:
                tid, state = os.waitpid(-1, WALL)
                if os.WIFSTOPPED(state):
                    os.kill(tid, signal.SIGKILL)
                    self._resume(tid)
        except (ChildProcessError, ProcessLookupError):
            pass

    def _become(self, argv, cwd, output):
        try:
            os.chdir(cwd)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            program = syscalls.filter_program()
            buffer = ctypes.create_string_buffer(program)
            wanted = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
            wanted = ctypes.create_string_buffer(wanted)
            libc.ptrace(TRACEME, 0, None, None)
            os.kill(os.getpid(), signal.SIGSTOP)
            if libc.syscall(317, 1, 0, ctypes.c_void_p(ctypes.addressof(wanted))) != 0:  # seccomp, a filter
                os._exit(126)
            os.execv(argv[0], argv)
        except BaseException as error:
            os.write(2, f"cannot start: {error}\n".encode())
        os._exit(127)

    def kill_all(self):
        self.killed = self.all_killed = True
        for process in {self.processes.get(tid, tid) for tid in self.alive}:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def orphan(self, tid):
        """Ends a child that was being born while all was killed, as a kill of its group would have."""
        if self.all_killed:
            try:
                os.kill(tid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def _resume(self, tid, number=0, request=CONT):
        libc.ptrace(request, tid, None, number)  # one that was killed meanwhile answers ESRCH

    def _stopped(self, tid, state):
        number, event = os.WSTOPSIG(state), state >> 16
        if tid not in self.alive:  # a new one, seen before its parent's event
            self.alive.add(tid)
            if self.killed:
                self.orphan(tid)
            if number == signal.SIGSTOP:
                return self._resume(tid)
        if event == 7:  # seccomp
            try:
                return self._called(tid)
            except ProcessLookupError:  # killed while its call was looked at: its end comes next
                return None
        if event in (1, 2, 3, 4):  # new ones, and exec, after which no other thread is left
            if event == 4:
                self.processes.pop(tid, None)
            return self._resume(tid)
        if number == signal.SIGTRAP or number == signal.SIGTRAP | 0x80:
            return self._resume(tid)
        # The first stop of a thread that its parent's event announced.
        self._resume(tid, 0 if number == signal.SIGSTOP else number)

    def _called(self, tid):
        registers = Registers()
        if libc.ptrace(GETREGS, tid, None, ctypes.addressof(registers)) != 0:
            return
        try:
            call = Call(self, tid, registers)
        except (OSError, ValueError):
            if self.killed or not os.path.exists(f"/proc/{tid}"):
                return self._resume(tid)
            raise
        if not call.changes:
            return self._resume(tid)
        verdict = self.policy(call)
        if verdict is None:
            if self.after is None:
                return self._resume(tid)
            return self._through(call)
        kind, value = verdict
        if kind == "error":
            registers.orig_rax = (1 << 64) - 1
            registers.rax = (1 << 64) - value
            libc.ptrace(SETREGS, tid, None, ctypes.addressof(registers))
            return self._resume(tid)
        self.killed = True
        if value is None:
            self.kill_all()
        for process in value or ():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._resume(tid)

    def _through(self, call):
        """Lets a call be made to its end before anything else happens."""
        tid = call.tid
        self._resume(tid, 0, SYSCALL)
        while True:
            seen, state = os.waitpid(tid, WALL)
            if not os.WIFSTOPPED(state):
                self.alive.discard(tid)
                return
            number = os.WSTOPSIG(state)
            if number == signal.SIGTRAP | 0x80:
                break
            self._resume(tid, number if number != signal.SIGTRAP else 0, SYSCALL)
        registers = Registers()
        if libc.ptrace(GETREGS, tid, None, ctypes.addressof(registers)) == 0:
            call.result = signed(registers.rax)
            self.after(call)
        self._resume(tid)
