"""A disk that keeps no promise but that of fsync.

Nothing is durable before its own inode was synced; a rename is two changes of folders that may land apart,
the new name first: no disk that renames at all loses a file so; of a file's unsynced bytes there may be none, a part, all, or zeros of the right length. It is weaker than
ext4, xfs and btrfs, whose journals keep order between neighbours."""

import hashlib
import os
import re

import sites


class Disk:
    """What is durable, and what is pending: units that may be there or not, each (inode, kind, …)."""

    def __init__(self, recorder, inputs):
        self.kinds = recorder.kinds
        self.durable = {number: dict(start) if recorder.kinds[number] == "folder" else start
                        for number, start in recorder.start.items()}
        self.pending, self.inputs = [], {}
        for number, path in recorder.places.items():
            # The producer has synced the folder, perhaps, but not the file.
            if number in recorder.start and isinstance(self.durable[number], bytes) and number in inputs:
                self.inputs[number] = self.durable[number]
                self.pending.append(("write", number, 0, self.durable[number]))
                self.durable[number] = b""

    def take(self, change):
        kind = change[0]
        if kind == "entry":
            self.pending.append(change)
        elif kind == "move":
            _, old, old_name, new, new_name, number = change
            arrival = ("entry", new, new_name, number)
            self.pending += [arrival, ("entry", old, old_name, None, arrival)]
        elif kind in ("write", "size"):
            self.pending.append(change)
        elif kind == "sync":
            self._settle(lambda unit: unit[1] == change[1])
        elif kind == "syncfs":
            self._settle(lambda unit: True)

    def _settle(self, belongs):
        settled = {id(unit) for unit in self.pending if belongs(unit)}
        # The old name does not go before the new one is there.
        settled |= {id(unit[4]) for unit in self.pending if id(unit) in settled and len(unit) > 4}
        for unit in self.pending:
            if id(unit) in settled:
                apply(self.durable, self.kinds, unit)
        self.pending = [unit for unit in self.pending if id(unit) not in settled]

    def units(self, relevant):
        """The pending changes as units of choice: each entry by itself, all writes to a file together."""
        units, files = [], {}
        for change in self.pending:
            if change[0] == "entry":
                units.append((change[1], [change]))
            elif change[1] in files:
                files[change[1]].append(change)
            else:
                files[change[1]] = [change]
                units.append((change[1], files[change[1]]))
        return [unit for unit in units if relevant(unit)], [unit for unit in units if not relevant(unit)]

    def state(self, chosen):
        """Durable plus chosen units, each (inode, changes, how); how is all, half or zeros."""
        there = {id(change) for _, changes, _ in chosen for change in changes}
        pending = {id(change) for change in self.pending}
        content = {number: dict(what) if isinstance(what, dict) else what for number, what in self.durable.items()}
        for _, changes, how in chosen:
            if how == "half":
                changes = changes[:(len(changes) + 1) // 2]
                if changes[-1][0] == "write":
                    kind, number, offset, data = changes[-1]
                    changes = changes[:-1] + [(kind, number, offset, data[:len(data) // 2])]
            for change in changes:
                if len(change) > 4 and id(change[4]) in pending and id(change[4]) not in there:
                    continue
                if how == "zeros" and change[0] == "write":
                    change = ("write", change[1], change[2], bytes(len(change[3])))
                apply(content, self.kinds, change)
        return content


def apply(content, kinds, change):
    if change[0] == "entry":
        _, folder, name, number = change[:4]
        entries = content.setdefault(folder, {})
        if number is None:
            entries.pop(name, None)
        else:
            entries[name] = number
            content.setdefault(number, {} if kinds[number] == "folder" else b"")
    elif change[0] == "write":
        _, number, offset, data = change
        old = content.get(number, b"")
        old = old + b"\0" * (offset - len(old))
        content[number] = old[:offset] + data + old[offset + len(data):]
    elif change[0] == "size":
        _, number, length = change
        old = content.get(number, b"")
        content[number] = old[:length] + b"\0" * (length - len(old))


SKIPPED = re.compile(r"(^|/)(reserve(\.new)?|[^/]*-shm|daemon\.pid(\.new)?|output)$")


class Impossible(Exception):
    """A state that no disk comes into, or that is the producer's own affair."""


def paths(content, kinds):
    """All paths of a state: relative path to inode. Files may have several."""
    found, stack, seen = {}, [("", 0)], set()
    while stack:
        prefix, folder = stack.pop()
        if folder in seen:
            raise Impossible("a folder in two places: renames of folders are one change on every disk")
        seen.add(folder)
        for name, number in content[folder].items():
            path = prefix + name
            if SKIPPED.search(path):
                continue
            found[path] = number
            if kinds[number] == "folder":
                stack.append((path + "/", number))
    return found


def key(content, kinds, found):
    """The same for states that differ in nothing that recovery looks at."""
    hash, first = hashlib.sha256(), {}
    for path in sorted(found):
        if path.startswith(("spool/work/", "spool/trash/")):
            continue
        number = found[path]
        what = b"folder" if kinds[number] == "folder" else content[number]
        # Names of jobs differ from run to run, and here too where only they do.
        hash.update(f"{path} {first.setdefault(number, path)} {len(what)} ".encode() + what)
    return hash.digest()


def build(content, kinds, found, inputs, site):
    """Makes the state real below a folder."""
    first = {}
    for path in sorted(found):
        number, place = found[path], site(path)
        if kinds[number] == "folder":
            os.makedirs(place, exist_ok=True)
        elif number in first:
            os.link(first[number], place)
        else:
            first[number] = place
            with open(place, "wb") as file:
                file.write(content[number])
            if inputs.get(number) == content[number]:
                os.utime(place, (1_600_000_000, 1_600_000_000))
            elif number in inputs and path.startswith("inbox/"):
                raise Impossible("what is not claimed yet is the producer's to sync")


def label(recorder, disk, index):
    """What the sync at an index is for, in words that are the same for all files."""
    number = recorder.changes[index][1]
    place = re.sub(r"[0-9A-Z]{26}", "JOB", recorder.labels[index][2])
    top = place.split("/")[0]
    if recorder.kinds[number] == "file":
        if top == "inbox":
            return "fsync the source"
        return "fsync " + re.sub(r"/[a-z]+\.\d+$", "/result", place)
    entries = []
    for unit in disk.pending:
        if unit[0] == "entry" and unit[1] == number:
            name = re.sub(r"[0-9A-Z]{26}", "JOB", unit[2])
            if top in sites.PLACES:
                child = unit[3]
                name = "folder" if child is not None and recorder.kinds[child] == "folder" else \
                    "report" if name.endswith((".report.json", ".why.txt")) else "file"
            elif re.fullmatch(r"[a-z]+\.\d+", name):
                name = "result"
            entries.append(("+" if unit[3] is not None else "-") + name)
    place = top if top in sites.PLACES else place
    return f"fsync {place}/ ({' '.join(sorted(set(entries))) or 'nothing'})"
