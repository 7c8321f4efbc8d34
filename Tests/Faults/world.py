#!/usr/bin/env python3
"""What happens to a machine while procd runs on it: folders that go and come back, a process that is
stopped for a while, a ledger that is lost, other procds on the same folders. Nothing may be lost or doubled, and
procd must say what is wrong while it is."""

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time

import load
import sites
import tool
from watching import Watched


def put(watched, name, words=None):
    path = watched.site(f"inbox/{name}")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(sites.pdf(words or name))


def reports(watched):
    folder = watched.site("outbox")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name[:-len(".report.json")] for name in names if name.endswith(".report.json"))


def has(watched, *names):
    watched.wait(lambda: set(names) <= set(reports(watched)), f"{names} are not done, {reports(watched)} are")


def says(watched, *words):
    text = watched.text().decode(errors="replace").lower()
    assert any(word in text for word in words), f"nothing is said of {words}:\n{text[-1500:]}"


# The world

def inbox_removed_and_made_again(watched):
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    shutil.rmtree(watched.site("inbox"))
    time.sleep(0.5)
    put(watched, "b.pdf")
    has(watched, "a.pdf", "b.pdf")


def inbox_moved_away_and_back(watched):
    os.rename(watched.site("inbox"), watched.site("elsewhere"))
    time.sleep(0.3)
    os.makedirs(watched.site("inbox"), exist_ok=True)
    put(watched, "a.pdf")
    has(watched, "a.pdf")


def outbox_removed(watched):
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    shutil.rmtree(watched.site("outbox"))
    put(watched, "b.pdf")
    has(watched, "b.pdf")
    # What came of the first one went with the folder.
    os.rename(watched.site("outbox"), watched.site("old"))
    os.makedirs(watched.site("outbox"))
    put(watched, "c.pdf")
    has(watched, "c.pdf")
    os.rename(watched.site("archive"), watched.site("older"))
    put(watched, "d.pdf")
    has(watched, "d.pdf")
    if not os.path.exists(watched.site("archive/d.pdf")):
        raise AssertionError("the original is not in the archive that is there now")


def stopped_for_a_while(watched):
    put(watched, "a.pdf")
    watched.process.send_signal(signal.SIGSTOP)
    for number in range(5):
        put(watched, f"s{number}.pdf")
    time.sleep(4)
    watched.process.send_signal(signal.SIGCONT)
    has(watched, "a.pdf", *[f"s{number}.pdf" for number in range(5)])


def more_changes_than_the_kernel_keeps(watched):
    """All is found all the same, and the log names the limit."""
    if not os.access(load.QUEUE, os.W_OK):
        print("not tried: only root can shorten the kernel's queue", file=sys.stderr)
        return
    watched.stop()
    with load.short_queue(16):
        watched.start()
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    watched.process.send_signal(signal.SIGSTOP)
    for number in range(40):
        put(watched, f"s{number}.pdf")
    watched.process.send_signal(signal.SIGCONT)
    has(watched, "a.pdf", *[f"s{number}.pdf" for number in range(40)])
    watched.wait(lambda: b"fs.inotify.max_queued_events" in watched.text(), "the limit is not named")


def files_of_tomorrow_and_of_1970(watched):
    """Clocks of producers are wrong."""
    for name, when in [("future.pdf", time.time() + 86400 * 400), ("past.pdf", 0)]:
        put(watched, name)
        os.utime(watched.site(f"inbox/{name}"), (when, when))
    has(watched, "future.pdf", "past.pdf")


def ledger_deleted(watched):
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    watched.stop()
    for name in os.listdir(watched.site("spool")):
        if name.startswith("ledger"):
            os.unlink(watched.site(f"spool/{name}"))
    watched.start()
    put(watched, "b.pdf")
    has(watched, "a.pdf", "b.pdf")


def ledger_deleted_in_the_middle(watched):
    """Claimed files are processed from the folders alone."""
    for number in range(8):
        put(watched, f"m{number}.pdf")
    watched.wait(lambda: os.listdir(watched.site("spool/claimed")), "nothing was claimed")
    watched.stop(signal.SIGKILL)
    for name in os.listdir(watched.site("spool")):
        if name.startswith("ledger"):
            os.unlink(watched.site(f"spool/{name}"))
    watched.start()
    watched.wait(lambda: sum(len(paths) for paths in watched.originals().values()) >= 8, "files are missing")


def spool_removed_while_it_runs(watched):
    """Nobody would find the procd that has it, and a second one could be started beside it."""
    for turn, removed in enumerate(["spool", "spool/ledger.sqlite"]):
        put(watched, f"a{turn}.pdf")
        has(watched, f"a{turn}.pdf")
        os.rename(watched.site(removed), watched.site(f"removed{turn}"))
        assert watched.process.wait(60) == 75, watched.process.returncode
        says(watched, f"{removed} was removed while procd ran")
        watched.start()
        assert "[ledger.lost]" in asked(watched, "status")[1], "nobody would know that what it knew is gone"
        put(watched, f"b{turn}.pdf")
        has(watched, f"b{turn}.pdf")


def ledger_log_removed_while_it_runs(watched):
    """What was noted last stands in it, and no other process would see it."""
    for turn, end in enumerate(["-wal", "-shm"]):
        put(watched, f"a{turn}.pdf")
        has(watched, f"a{turn}.pdf")
        with open(watched.site("pipelines.json"), encoding="utf-8") as file:
            whole = file.read()
        # With a file that has mistakes it could not begin anew, and says so.
        watched.site.write("pipelines.json", whole[:-10].encode())
        os.unlink(watched.site(f"spool/ledger.sqlite{end}"))
        watched.wait(lambda: "cannot begin anew with what it knew" in asked(watched, "health")[1], "it is not told")
        watched.site.write("pipelines.json", whole.encode())
        watched.wait(lambda: f"ledger.sqlite{end} was removed while procd ran: procd begins".encode() in watched.text(), "it does not begin anew")
        put(watched, f"b{turn}.pdf")
        has(watched, f"b{turn}.pdf")
        watched.wait(lambda: asked(watched, "health")[0] == 0, "it does not say that it is well")
    watched.stop(signal.SIGKILL)
    done = json.loads(asked(watched, "status", "--json")[1])["done"]
    assert done == 4, f"{done} of 4 are known"


def ledger_emptied_while_none_runs(watched):
    """As a file system leaves it after a crash, and as somebody does who removes what SQLite puts beside it."""
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    for end in ("", "-wal"):
        watched.stop(signal.SIGKILL if end else signal.SIGTERM)
        if end:
            os.unlink(watched.site(f"spool/ledger.sqlite{end}"))
        else:
            open(watched.site("spool/ledger.sqlite"), "wb").close()
        # What a young ledger holds stands in its log alone.
        words = "ledger.lost"
        told = asked(watched, "doctor")[1]
        assert words in told, told
        watched.start()
        watched.wait(lambda: words in asked(watched, "status")[1], f"status does not say: {words}")
        put(watched, f"b{end}.pdf")
        has(watched, f"b{end}.pdf")


def ledger_corrupted(watched):
    """It is said, and nothing is begun on it."""
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    watched.stop()
    with open(watched.site("spool/ledger.sqlite"), "r+b") as file:
        file.write(b"not a database at all" * 200)
    for end in ("-wal", "-shm"):
        if os.path.exists(watched.site(f"spool/ledger.sqlite{end}")):
            os.unlink(watched.site(f"spool/ledger.sqlite{end}"))
    put(watched, "b.pdf")
    status, output = watched.site.run()
    assert status == 70, f"ended with {status}: {output}"
    for command in (["status"], ["jobs"], ["run"]):
        status, output = asked(watched, *command)
        assert status in (70, 75), f"{command} ended with {status}: {output}"
        assert "the ledger is damaged" in output and "move ledger.sqlite" in output and "SELECT" not in output, output
    assert os.path.exists(watched.site("inbox/b.pdf")), "the file was taken without a ledger"
    for name in os.listdir(watched.site("spool")):
        if name.startswith("ledger"):
            os.unlink(watched.site(f"spool/{name}"))
    watched.start()
    has(watched, "a.pdf", "b.pdf")


# The configuration and the terminal

def configuration_edited_while_it_runs(watched):
    """Half of it is written: the running procd goes by what it was, and whoever asks is told so."""
    with open(watched.site("pipelines.json"), "r+", encoding="utf-8") as file:
        whole = file.read()
        file.truncate(len(whole) // 2)
    status, output = asked(watched, "health")
    assert status == 0 and "goes by what it was before" in output, f"{status}: {output}"
    watched.process.send_signal(signal.SIGHUP)
    watched.wait(lambda: "the old one stays" in asked(watched, "status")[1], "status does not tell of the reload")
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    with open(watched.site("pipelines.json"), "w", encoding="utf-8") as file:
        file.write(whole)
    watched.process.send_signal(signal.SIGHUP)
    watched.wait(lambda: "the old one stays" not in asked(watched, "status")[1], "status tells of an old reload")
    watched.stop()
    with open(watched.site("pipelines.json"), "w", encoding="utf-8") as file:
        file.write(whole[:50])
    assert asked(watched, "status")[0] == 78


def terminal_closed(watched):
    """Nobody sees it any more, so it ends; without one the same signal means to read the configuration again."""
    watched.process.send_signal(signal.SIGHUP)
    watched.wait(lambda: b"was reloaded" in watched.text(), "the configuration was not read again")
    watched.stop()
    watched.process, terminal = on_a_terminal(watched, "run")
    try:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
    finally:
        os.close(terminal)
    watched.process.wait()
    watched.start()


def terminal_closed_under_nohup(watched):
    """It was started so that it outlives its terminal."""
    watched.stop()
    watched.process, terminal = on_a_terminal(watched, "run", kept=True)
    put(watched, "a.pdf")
    has(watched, "a.pdf")
    os.close(terminal)
    for number in range(3):
        put(watched, f"b{number}.pdf")
        has(watched, f"b{number}.pdf")
        assert watched.process.poll() is None, "it ended with its terminal"
    code = watched.stop()
    assert code == 0, f"it did not end in order: {code}"
    watched.start()


def questions_left_unanswered(watched):
    """Ctrl-D at a question of `init`: it says that it wrote nothing, and wrote nothing."""
    process, terminal = on_a_terminal(watched, "init", "new")
    try:
        told = b""
        while b"?" not in told:
            told += os.read(terminal, 4096)
        os.write(terminal, b"\x04")
        while (more := read_all(terminal)):
            told += more
        code = process.wait()
    finally:
        if process.poll() is None:
            process.kill()
        os.close(terminal)
    assert code == 1 and b"othing was written" in told, f"{code}: {told.decode(errors='replace')}"
    assert not os.path.exists(watched.site("new")), "it left a folder"


def on_a_terminal(watched, *words, kept=False):
    """Starts procd on a terminal of its own, as nohup(1) does where it is to be kept; gives it and the
    other end."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(watched.site.root)
        signal.signal(signal.SIGHUP, signal.SIG_IGN if kept else signal.SIG_DFL)
        # A terminal that cannot draw gets lines.
        os.environ["TERM"] = "dumb" if kept else "xterm"
        os.execv(watched.site.command(*words)[0], watched.site.command(*words))
    return Followed(process), terminal


def read_all(terminal):
    """What comes next from a terminal; nothing once nobody is left at its other end."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


class Followed:
    """A process that pty.fork started, with the methods of subprocess.Popen."""

    def __init__(self, process):
        self.pid = process
        self.returncode = None

    def poll(self):
        if self.returncode is None:
            number, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if number else None
        return self.returncode

    def wait(self, seconds=30):
        end = time.time() + seconds
        while self.poll() is None:
            if time.time() > end:
                raise subprocess.TimeoutExpired(str(self.pid), seconds)
            time.sleep(0.05)
        return self.returncode

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)


def verified_while_it_works(watched):
    """Files move while they are looked at, and nothing is wrong."""
    for number in range(120):
        put(watched, f"v{number}.pdf")
        if number % 12 == 0:
            status, output = asked(watched, "verify")
            assert status in (0, 75), f"{status}: {output}"


def asked(watched, *words):
    run = subprocess.run(watched.site.command(*words), cwd=watched.site.root, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=60, check=False)
    return run.returncode, run.stdout + run.stderr


def places_in_nowhere(watched):
    """Mistyped, or not mounted: nothing is made there unasked."""
    watched.stop()
    watched.site.configure(sites.configuration(2) | {"outbox": "resluts/out"})
    for command in (["check"], ["run", "--once"]):
        status, output = asked(watched, *command)
        assert status == 78 and "resluts" in output and "--create" in output, f"{status}: {output}"
    assert not os.path.exists(watched.site("resluts"))
    with open(watched.site("file"), "w", encoding="ascii"):
        pass
    watched.site.configure(sites.configuration(2) | {"outbox": "file/out"})
    status, output = asked(watched, "run", "--once")
    assert status == 78 and "file, which is no folder" in output, f"{status}: {output}"
    watched.site.configure(sites.configuration(2) | {"outbox": "results/out"})
    assert asked(watched, "run", "--once", "--create")[0] == 0
    assert os.path.isdir(watched.site("results/out"))
    watched.start()


# Others

def two_on_the_same_folders(watched):
    status, output = watched.site.run()
    assert status == 75, f"the second ended with {status}: {output}"
    put(watched, "a.pdf")
    has(watched, "a.pdf")


def a_lock_that_was_tidied_away(watched):
    """The lock is on the folder itself: removing files in it gives it to nobody."""
    for name in ("daemon.pid", "lock"):
        if os.path.exists(watched.site(f"spool/{name}")):
            os.unlink(watched.site(f"spool/{name}"))
    status, output = watched.site.run()
    assert status == 75, f"the second ended with {status}: {output}"
    put(watched, "a.pdf")
    has(watched, "a.pdf")


def many_starts_at_once(watched):
    watched.stop()
    for number in range(6):
        put(watched, f"c{number}.pdf")
    runs = [subprocess.Popen(watched.site.command("run", "--once"), cwd=watched.site.root,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(5)]
    codes = sorted(run.wait(90) for run in runs)
    assert set(codes) <= {0, 75} and 0 in codes, codes
    watched.start()
    has(watched, *[f"c{number}.pdf" for number in range(6)])
    count = sum(len(paths) for paths in watched.originals().values())
    assert count == 6, f"{count} originals of 6"


def retried_while_running(watched):
    """Wishes from outside while files come in."""
    with open(watched.site("inbox/bad.pdf"), "wb") as file:
        file.write(b"%PDF-1.4 nothing")
    watched.wait(lambda: os.path.exists(watched.site("quarantine/bad.pdf")), "the bad file is not in the quarantine")
    for number in range(3):
        put(watched, f"r{number}.pdf")
        subprocess.run(watched.site.command("retry", watched.site("quarantine/bad.pdf")), cwd=watched.site.root,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
        watched.wait(lambda: os.path.exists(watched.site("quarantine/bad.pdf")), "the bad file did not come back")
    has(watched, "r0.pdf", "r1.pdf", "r2.pdf")
    # What was asked for last may be on its way still.
    time.sleep(1)
    watched.wait(lambda: os.path.exists(watched.site("quarantine/bad.pdf")), "the bad file did not come back")
    bad = [path for path in os.listdir(watched.site("quarantine")) if path.startswith("bad") and path.endswith(".pdf")]
    assert bad == ["bad.pdf"], bad


CASES = [inbox_removed_and_made_again, inbox_moved_away_and_back, outbox_removed, stopped_for_a_while,
         more_changes_than_the_kernel_keeps,
         files_of_tomorrow_and_of_1970, ledger_deleted, ledger_deleted_in_the_middle, spool_removed_while_it_runs, ledger_corrupted,
         ledger_log_removed_while_it_runs, ledger_emptied_while_none_runs,
         configuration_edited_while_it_runs, terminal_closed, terminal_closed_under_nohup, questions_left_unanswered, verified_while_it_works, places_in_nowhere, two_on_the_same_folders, a_lock_that_was_tidied_away, many_starts_at_once, retried_while_running]
SHORT = [inbox_removed_and_made_again, more_changes_than_the_kernel_keeps, spool_removed_while_it_runs, files_of_tomorrow_and_of_1970, ledger_deleted_in_the_middle, ledger_corrupted,
         ledger_log_removed_while_it_runs, ledger_emptied_while_none_runs,
         configuration_edited_while_it_runs, terminal_closed, terminal_closed_under_nohup, questions_left_unanswered, verified_while_it_works, places_in_nowhere, a_lock_that_was_tidied_away, many_starts_at_once, retried_while_running]


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--short", action="store_true", help="the quick ones")
    parser.add_argument("--only", help="cases whose name contains this")
    options = parser.parse_args()
    programs, bad, count = sites.programs(options.programs), [], 0
    for case in SHORT if options.short else CASES:
        if options.only and options.only not in case.__name__:
            continue
        count += 1
        watched = Watched(programs)
        try:
            case(watched)
            left = [name for name in os.listdir(watched.site("spool/claimed"))] if watched.process.poll() is None else []
            time.sleep(0.2 if left else 0)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
            bad.append(f"{case.__name__}: {error}")
        finally:
            watched.end()
    sys.exit(tool.end(bad, {"test": "world", "cases": count, "failed": len(bad)}))


if __name__ == "__main__":
    main()
