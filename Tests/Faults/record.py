#!/usr/bin/env python3
"""Records what a run of procd does to the disk, as a list of changes to inodes and folders.

Each change is a tuple: ("entry", folder, name, inode or None), ("write", inode, offset, bytes),
("size", inode, length), ("sync", inode), ("syncfs",), ("move", from, name, to, name, inode) and
("note", text) for what the model needs not (modes, owners, times). Inodes are numbers of our own."""

import os
import re
import struct
import sys

import sites
import sweep
import syscalls
import tool


class Recorder:
    """A policy for the tracer that records; `changes` are in the order in which they happened."""

    def __init__(self, site):
        self.site, self.changes, self.numbers = site, [], {}
        self.kinds, self.start, self.labels = {}, {}, []
        self.places, self.killed = {}, 0
        self._look(site.root)

    def _look(self, path):
        """Gives numbers to what stands there before the run."""
        number = self._new(os.stat(path), "folder", path)
        entries = self.start[number] = {}
        for name in os.listdir(path):
            inner = os.path.join(path, name)
            if os.path.isdir(inner):
                entries[name] = self._look(inner)
            else:
                status = os.stat(inner)
                known = self.numbers.get((status.st_dev, status.st_ino))
                if known is None:
                    known = self._new(status, "file", inner)
                    with open(inner, "rb") as file:
                        self.start[known] = file.read()
                entries[name] = known
        return number

    def _new(self, status, kind, path):
        number = len(self.kinds)
        self.numbers[(status.st_dev, status.st_ino)] = number
        self.kinds[number] = kind
        self.places[number] = os.path.relpath(path, self.site.root)
        return number

    def _number(self, status):
        return self.numbers[(status.st_dev, status.st_ino)]

    def _folder(self, path):
        return self._number(os.stat(os.path.dirname(path))), os.path.basename(path)

    # Before the call: what is gone afterwards.
    def __call__(self, call):
        call.inside = call.path.startswith(self.site.root + "/") or call.path == self.site.root
        if not call.inside or call.path == self.site("output"):
            call.inside = False
            return None
        if call.name in syscalls.WRITES:
            call.bytes = call.data()
            call.offset = call.args[3] if call.name == "pwrite64" else self._position(call)
        elif call.name in syscalls.OPENS:
            call.existed = os.path.lexists(call.path)
        elif call.name.startswith(("rename", "link")):
            call.moved = os.stat(call.path, follow_symlinks=False) if os.path.lexists(call.path) else None
        return None

    def _position(self, call):
        with open(f"/proc/{call.tid}/fdinfo/{call.args[0]}") as file:
            text = file.read()
        if int(re.search(r"flags:\s*(\d+)", text)[1], 8) & os.O_APPEND:
            return call.status().st_size
        return int(re.search(r"pos:\s*(\d+)", text)[1])

    def after(self, call):
        if not call.inside or call.result < 0:
            return
        before = len(self.changes)
        self._took(call)
        part = sites.path_class(call.other or call.path, self.site.root)
        self.labels += [(call.name, part, os.path.relpath(call.other or call.path, self.site.root))] \
            * (len(self.changes) - before)

    def _took(self, call):
        add, name = self.changes.append, call.name
        if name in syscalls.OPENS:
            if not call.existed:
                number = self._new(os.stat(f"/proc/{call.tid}/fd/{call.result}"), "file", call.path)
                add(("entry", *self._folder(call.path), number))
            elif call.flags & syscalls.O_TRUNC:
                add(("size", self._number(os.stat(call.path)), 0))
        elif name in syscalls.WRITES:
            add(("write", self._number(call.status()), call.offset, call.bytes[:call.result]))
        elif name == "ftruncate":
            add(("size", self._number(call.status()), call.args[1]))
        elif name == "fallocate":
            if call.args[1] == 0:
                add(("size", self._number(call.status()), call.args[2] + call.args[3]))
        elif name in ("fsync", "fdatasync"):
            add(("sync", self._number(call.status())))
        elif name == "syncfs":
            add(("syncfs",))
        elif name in ("mkdir", "mkdirat"):
            number = self._new(os.stat(call.path), "folder", call.path)
            add(("entry", *self._folder(call.path), number))
        elif name in ("unlink", "unlinkat", "rmdir"):
            add(("entry", *self._folder(call.path), None))
        elif name.startswith("rename"):
            old, new = self._folder(call.path), self._folder(call.other)
            number = self._number(call.moved)
            add(("move", *old, *new, number))
            self.places[number] = os.path.relpath(call.other, self.site.root)
        elif name.startswith("link"):
            add(("entry", *self._folder(call.other), self._number(call.moved)))
        else:
            add(("note", name))


def record(programs, kind="mixed", workers=1, prepare=None, kill=None):
    """A site, and what a run of procd on it does to its disk; with `kill`, what a run does that is killed
    before so many changes, and the run after it."""
    site = sites.Site(programs, kind, workers)
    if prepare:
        prepare(site)
    open(site("output"), "w").close()
    recorder = Recorder(site)
    if kill:
        def until(call):
            return ("kill", None) if len(recorder.changes) >= kill else recorder(call)

        sweep.run(site, until, recorder.after)
        recorder.killed = len(recorder.changes)
    status, output = sweep.run(site, recorder, recorder.after)
    if status not in (0, 65):
        sys.exit(f"the recorded run ended with {status}: {output}")
    return site, recorder


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--kind", choices=["small", "mixed"], default="small")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    site, recorder = record(sweep.begin(options), options.kind)
    for change, (call, part, path) in zip(recorder.changes, recorder.labels):
        shown = [f"{len(field)} bytes" if isinstance(field, bytes) else str(field) for field in change]
        print(f"{call:10} {part:10} {path:60} {' '.join(shown)}")
    site.remove()


if __name__ == "__main__":
    main()
