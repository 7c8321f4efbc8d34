#!/usr/bin/env python3
"""Ways in which files come into an inbox, each alone while procd watches: what was written must be archived
whole, once, and no half of it processed.

Every way runs with inotify alone (rescans an hour apart), with looking alone (no inotify), and, as root, with
procd as a user of its own who owns none of the files, with and without the right to take leases."""

import ctypes
import hashlib
import mmap
import os
import shutil
import sys
import time

import sites
import tool
from watching import SETTLE, UNLEASED, Watched


def sha(bytes):
    return hashlib.sha256(bytes).hexdigest()


def linkat(descriptor, path):
    libc = ctypes.CDLL(None, use_errno=True)
    at_fdcwd, follow = -100, 0x400
    source = f"/proc/self/fd/{descriptor}".encode()
    if libc.linkat(at_fdcwd, source, at_fdcwd, os.fsencode(path), follow) != 0:
        raise OSError(ctypes.get_errno(), "linkat")


# Each takes a site's inbox, a folder beside it and bytes, and returns what must be archived: a list of contents.

def copied(inbox, aside, data):
    write(f"{inbox}/a.pdf", data)
    return [data]


def moved(inbox, aside, data):
    write(f"{aside}/a.pdf", data)
    os.rename(f"{aside}/a.pdf", f"{inbox}/a.pdf")
    return [data]


def linked_and_unlinked(inbox, aside, data):
    write(f"{aside}/a.pdf", data)
    os.link(f"{aside}/a.pdf", f"{inbox}/a.pdf")
    os.unlink(f"{aside}/a.pdf")
    return [data]


def without_a_name(inbox, aside, data):
    file = os.open(inbox, os.O_TMPFILE | os.O_RDWR, 0o644)
    os.write(file, data)
    linkat(file, f"{inbox}/a.pdf")
    os.close(file)
    return [data]


def appended_slowly(inbox, aside, data):
    with open(f"{inbox}/a.pdf", "wb", buffering=0) as file:
        for part in parts(data, 5):
            file.write(part)
            time.sleep(SETTLE * 0.9)
    return [data]


def held_open(inbox, aside, data):
    with open(f"{inbox}/a.pdf", "wb", buffering=0) as file:
        file.write(data[:-40])
        time.sleep(UNLEASED + 0.3)
        file.write(data[-40:])
    return [data]


def held_open_without_an_end_mark(inbox, aside, data):
    """A lease alone tells that there is more to come, for longer than files without one have to be quiet."""
    with open(f"{inbox}/a.txt", "wb", buffering=0) as file:
        file.write(b"the first half\n")
        time.sleep(UNLEASED + 0.6)
        file.write(b"the second half\n")
    return [b"the first half\nthe second half\n"]


def reopened_for_each_part(inbox, aside, data):
    """With pauses longer than settle only the format's end mark tells that more is to come."""
    write(f"{inbox}/a.pdf", b"")
    os.unlink(f"{inbox}/a.pdf")
    for part in parts(data, 3):
        with open(f"{inbox}/a.pdf", "ab") as file:
            file.write(part)
        time.sleep(SETTLE * 0.5)
    return [data]


def reopened_without_an_end_mark(inbox, aside, data):
    """Between its parts nobody has it open, and no mark tells that there is more: only quiet does."""
    content = b"".join(b"line %d\n" % number for number in range(3))
    for line in content.splitlines(keepends=True):
        with open(f"{inbox}/a.txt", "ab") as file:
            file.write(line)
        time.sleep(SETTLE * 0.5)
    return [content]


def paused_without_an_end_mark(inbox, aside, data):
    """Nothing but its writer tells that such a file is not done; where nobody may ask for writers, only quiet does."""
    content = b"".join(b"line %d\n" % number for number in range(3))
    with open(f"{inbox}/a.txt", "wb", buffering=0) as file:
        for line in content.splitlines(keepends=True):
            file.write(line)
            time.sleep(UNLEASED * 0.7)
    return [content]


def closed_between_two_parts(inbox, aside, data):
    """As a scanner does that opens its file anew for each page: nobody has it open, and its end is not there yet."""
    write(f"{inbox}/a.pdf", data[:len(data) // 2])
    time.sleep(UNLEASED * 1.15)
    with open(f"{inbox}/a.pdf", "ab") as file:
        file.write(data[len(data) // 2:])
    return [data]


def rsynced(inbox, aside, data):
    """As rsync does: a hidden name with a suffix, then its rename."""
    write(f"{inbox}/.a.pdf.Xy7Zq1", data)
    time.sleep(SETTLE)
    os.rename(f"{inbox}/.a.pdf.Xy7Zq1", f"{inbox}/a.pdf")
    return [data]


def part_renamed(inbox, aside, data):
    """As browsers do."""
    write(f"{inbox}/a.pdf.part", data)
    time.sleep(SETTLE)
    os.rename(f"{inbox}/a.pdf.part", f"{inbox}/a.pdf")
    return [data]


def truncated_and_written_anew(inbox, aside, data):
    write(f"{inbox}/a.pdf", data + b"%old")
    with open(f"{inbox}/a.pdf", "r+b") as file:
        file.truncate(0)
        time.sleep(SETTLE * 0.5)
        file.write(data)
    return [data]


def written_through_a_mapping(inbox, aside, data):
    with open(f"{inbox}/a.pdf", "w+b") as file:
        file.truncate(len(data))
        with mmap.mmap(file.fileno(), len(data)) as mapping:
            for at in range(0, len(data), max(1, len(data) // 4)):
                mapping[at:at + len(data) // 4 + 1] = data[at:at + len(data) // 4 + 1]
                time.sleep(SETTLE * 0.5)
            mapping.flush()
    return [data]


def in_a_new_folder(inbox, aside, data):
    os.makedirs(f"{inbox}/x/y/z")
    write(f"{inbox}/x/y/z/a.pdf", data)
    return [data]


def folder_moved_in(inbox, aside, data):
    os.makedirs(f"{aside}/tree/deep")
    write(f"{aside}/tree/a.pdf", data)
    write(f"{aside}/tree/deep/b.pdf", data + b"%b")
    os.rename(f"{aside}/tree", f"{inbox}/tree")
    return [data, data + b"%b"]


def folder_renamed_inside(inbox, aside, data):
    os.mkdir(f"{inbox}/before")
    time.sleep(0.2)
    os.rename(f"{inbox}/before", f"{inbox}/after")
    write(f"{inbox}/after/a.pdf", data)
    return [data]


def folder_moved_out(inbox, aside, data):
    """What happens in a folder that left is nobody's business any more."""
    os.mkdir(f"{inbox}/leaves")
    time.sleep(0.2)
    os.rename(f"{inbox}/leaves", f"{aside}/left")
    write(f"{aside}/left/no.pdf", data + b"%out")
    write(f"{inbox}/a.pdf", data)
    return [data]


def many_folders_at_once(inbox, aside, data):
    made = []
    for number in range(12):
        os.makedirs(f"{inbox}/m{number}/n")
        made.append(data + b"%%%d" % number)
        write(f"{inbox}/m{number}/n/a.pdf", made[-1])
    return made


def two_spellings(inbox, aside, data):
    """Names that look alike: one composed, one of letter and accent."""
    names = ["caf\u00e9.pdf", "cafe\u0301.pdf"]
    contents = [data + b"%nfc", data + b"%nfd"]
    for name, content in zip(names, contents):
        write(f"{inbox}/{name}", content)
    return contents


def names_of_all_kinds(inbox, aside, data):
    names = ["report.json", "a.report.json", "-rf", "n" * 251 + ".pdf", "new\nline.pdf", "$(touch x).pdf",
             b"\xff\xfe.pdf", "a.why.txt"]
    contents = [data + b"%%%d" % number for number in range(len(names))]
    for name, content in zip(names, contents):
        write(os.path.join(os.fsencode(inbox), os.fsencode(name)), content)
    return contents


def no_bytes(inbox, aside, data):
    write(f"{inbox}/empty.pdf", b"")
    write(f"{inbox}/a.pdf", data)
    return [b"", data]


def sparse(inbox, aside, data):
    with open(f"{inbox}/sparse.pdf", "wb") as file:
        file.write(data)
        file.truncate(8 << 20)
    return [data + bytes((8 << 20) - len(data))]


def two_names_of_one_file(inbox, aside, data):
    write(f"{aside}/kept.pdf", data)
    os.link(f"{aside}/kept.pdf", f"{inbox}/a.pdf")
    return [data]


def not_files(inbox, aside, data):
    """Links, pipes and what is behind them stay where they are."""
    write(f"{aside}/secret.pdf", data + b"%secret")
    os.symlink(f"{aside}/secret.pdf", f"{inbox}/link.pdf")
    os.symlink(aside, f"{inbox}/folder")
    os.mkfifo(f"{inbox}/pipe.pdf")
    write(f"{inbox}/a.pdf", data)
    return [data]


def too_deep(inbox, aside, data):
    """A tree deeper than paths may be long; what is beside it goes on."""
    here = os.open(inbox, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=here)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    write(f"{inbox}/a.pdf", data)
    return [data]


def same_name_again(inbox, aside, data):
    """A new file under a name whose first was just taken."""
    write(f"{inbox}/a.pdf", data)
    end = time.time() + 15
    while os.path.exists(f"{inbox}/a.pdf") and time.time() < end:
        time.sleep(0.01)
    write(f"{inbox}/a.pdf", data + b"%second")
    return [data, data + b"%second"]


def swapped_parent(inbox, aside, data):
    """A folder that becomes a link to somewhere else leads nobody there."""
    os.mkdir(f"{aside}/other")
    write(f"{aside}/other/a.pdf", data + b"%elsewhere")
    os.mkdir(f"{inbox}/p")
    time.sleep(0.1)
    os.rename(f"{inbox}/p", f"{aside}/p")
    os.symlink(f"{aside}/other", f"{inbox}/p")
    write(f"{inbox}/b.pdf", data)
    return [data]


WAYS = [copied, moved, linked_and_unlinked, without_a_name, appended_slowly, held_open, held_open_without_an_end_mark,
        reopened_for_each_part, reopened_without_an_end_mark,
        paused_without_an_end_mark, closed_between_two_parts, rsynced, part_renamed, truncated_and_written_anew, written_through_a_mapping, in_a_new_folder, folder_moved_in,
        folder_renamed_inside, folder_moved_out, many_folders_at_once, two_spellings, names_of_all_kinds, no_bytes,
        sparse, two_names_of_one_file, not_files, too_deep, same_name_again, swapped_parent]
# Where procd may take no leases, nothing tells.
NEEDS_LEASES = {held_open_without_an_end_mark}
SHORT = [copied, without_a_name, held_open, held_open_without_an_end_mark, reopened_without_an_end_mark, paused_without_an_end_mark, closed_between_two_parts, folder_moved_in, folder_renamed_inside, names_of_all_kinds, not_files,
         same_name_again]
MODES = ["events", "look", "user", "lease"]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def parts(data, count):
    size = len(data) // count + 1
    return [data[at:at + size] for at in range(0, len(data), size)]


def try_way(way, mode, programs):
    """Returns what is wrong, empty where all is well."""
    try:
        watched = Watched(programs, mode)
    except AssertionError as error:
        return [str(error)]
    try:
        site = watched.site
        wanted = sorted(sha(content) for content in way(site("inbox"), site("aside"), sites.pdf(way.__name__)))

        def archived():
            found = watched.originals()
            return sorted(digest for digest, paths in found.items() for _ in paths)

        watched.wait(lambda: len(archived()) >= len(wanted), f"{len(archived())} of {len(wanted)} were taken")
        time.sleep(SETTLE)
        found = archived()
        return [] if found == wanted else [f"archived {watched.originals()}, not {wanted}"]
    except AssertionError as error:
        return [str(error)]
    finally:
        watched.end()


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--short", action="store_true", help="a few ways, by events and by looking")
    parser.add_argument("--only", help="ways whose name contains this")
    parser.add_argument("--mode", choices=MODES, help="one mode alone")
    options = parser.parse_args()
    # Folders that others may write to, as shares have them.
    os.umask(0)
    programs = sites.programs(options.programs)
    modes = [options.mode] if options.mode else MODES[:2] if options.short else MODES
    if os.getuid() != 0 and not set(modes) <= set(MODES[:2]):
        print("SKIPPED: procd as another user, which needs root")
        modes = [mode for mode in modes if mode in MODES[:2]]
    if "user" in modes or "lease" in modes:
        # Programs below a private folder cannot be started by others.
        programs = shutil.copytree(programs, os.path.join(sites.scratch() or "/tmp", f"procd-programs-{os.getpid()}"),
                                   ignore=lambda folder, names: [n for n in names if not n.startswith("procd") or "." in n])
    count, bad = 0, []
    for mode in modes:
        for way in SHORT if options.short else WAYS:
            if options.only and options.only not in way.__name__ or mode == "user" and way in NEEDS_LEASES:
                continue
            count += 1
            bad += [f"{way.__name__}, {mode}: {text}" for text in try_way(way, mode, programs)]
    if "procd-programs-" in programs:
        shutil.rmtree(programs)
    sys.exit(tool.end(bad, {"test": "producers", "ways": count, "failed": len(bad)}))


if __name__ == "__main__":
    main()
