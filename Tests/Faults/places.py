#!/usr/bin/env python3
"""Folders that are not what they were, or not what they seem: disks that are mounted late or go away, an outbox that is
the inbox by a link or a second mount, results that somebody brings back. Nothing is lost, no file becomes many, and
procd says what is wrong while it is. In a mount namespace of its own, which needs root."""

import contextlib
import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import sites
import tool
from watching import NOBODY, Watched
from world import asked, has, put, reports

MARKER = ".mounted"


def call(*command):
    subprocess.run(command, check=True, capture_output=True)


def mount(path, marker=False):
    os.makedirs(path, exist_ok=True)
    call("mount", "-t", "tmpfs", "-o", "mode=755", "none", path)
    if marker:
        with open(os.path.join(path, MARKER), "w", encoding="ascii"):
            pass


@contextlib.contextmanager
def disks(site, *places):
    """A disk for each place, which also stands elsewhere, so that the same one can be mounted there again."""
    for place in places:
        mount(site(f"disk-{place}"))
        os.makedirs(site(place))
        mount_again(site, place)
    try:
        yield
    finally:
        for path in [*places, *(f"disk-{place}" for place in places)]:
            subprocess.run(["umount", "-l", site(path)], capture_output=True, check=False)


def mount_again(site, place):
    call("mount", "--bind", site(f"disk-{place}"), site(place))


def stands_still(watched, words):
    """Status and health say why, and go on saying it."""
    watched.wait(lambda: words in asked(watched, "status")[1], f"status does not say: {words}")
    status, text = asked(watched, "health")
    assert status == 1 and words in text, f"health ends with {status}: {text}"
    told = json.loads(asked(watched, "status", "--json")[1])["paused"]
    assert words in told, told


def disk_mounted_over_the_inbox(site):
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        put(watched, "below.pdf", "x")
        has(watched, "a.pdf", "below.pdf")
        mount(watched.site("inbox"))
        put(watched, "b.pdf")
        has(watched, "a.pdf", "b.pdf")
        assert asked(watched, "health")[0] == 0


def disk_mounted_over_the_outbox(site):
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        mount(watched.site("outbox"))
        put(watched, "b.pdf")
        has(watched, "b.pdf")


def disk_mounted_over_the_spool(site):
    """What it holds is hidden, not gone: it is there again without the disk."""
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        mount(watched.site("spool"))
        assert watched.process.wait(60) == 75, watched.process.returncode
        assert b"another folder or disk took the place of" in watched.text(), watched.text()
        call("umount", watched.site("spool"))
        watched.start()
        put(watched, "b.pdf")
        has(watched, "a.pdf", "b.pdf")


def disk_mounted_over_the_inbox_while_procd_was_dead(site):
    """What it had claimed lies where claims do not lie any more."""
    with watching(site) as watched:
        for number in range(8):
            put(watched, f"m{number}.pdf")
        watched.wait(lambda: os.listdir(watched.site("spool/claimed")), "nothing was claimed")
        watched.stop(signal.SIGKILL)
        claimed = len(os.listdir(watched.site("spool/claimed")))
        mount(watched.site("inbox"))
        watched.start()
        put(watched, "b.pdf")
        has(watched, "b.pdf")
        watched.wait(lambda: not os.listdir(watched.site("spool/claimed")), "claims are left where they were")
        done = len(reports(watched)) - 1
        assert done >= claimed, f"{done} of {claimed}"


def disk_that_goes(site):
    mount(site("outbox"))
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        call("umount", "-l", watched.site("outbox"))
        stands_still(watched, "the disk of the outbox is gone")
        put(watched, "b.pdf")
        time.sleep(1.5)
        assert os.listdir(watched.site("outbox")) == [], "something was put below the mount"
        assert os.path.exists(watched.site("inbox/b.pdf")), "a file was taken"
        # Another disk is not what was meant, unless somebody says so.
        mount(watched.site("outbox"))
        stands_still(watched, "the disk of the outbox is gone")
        watched.stop()
        watched.start()
        has(watched, "b.pdf")


def disk_that_goes_and_comes_back(site):
    """The same one is used again without a start of procd."""
    with disks(site, "outbox"), watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        call("umount", "-l", watched.site("outbox"))
        stands_still(watched, "the disk of the outbox is gone")
        put(watched, "b.pdf")
        mount_again(watched.site, "outbox")
        has(watched, "a.pdf", "b.pdf")
        assert asked(watched, "health")[0] == 0


def on_disks(spool):
    """The change of a configuration by which all folders but perhaps the spool lie in `data`."""
    def change(configuration):
        configuration["inbox"]["path"] = "data/inbox"
        configuration |= {place: f"data/{place}" for place in ("outbox", "archive", "quarantine")}
        configuration |= {"spool": spool, "status": {"socket": "status"}}

    return change


def goes_through(watched, name):
    with open(watched.site(f"data/inbox/{name}"), "wb") as file:
        file.write(sites.pdf(name))
    watched.wait(lambda: os.path.exists(watched.site(f"data/archive/{name}")), f"{name} does not go through", 60)


def disk_of_all_folders_that_goes(site):
    """With the spool on it too, procd waits as well, instead of beginning a new spool below the mount."""
    with disks(site, "data"), watching(site, on_disks("data/spool")) as watched:
        goes_through(watched, "a.pdf")
        call("umount", "-l", watched.site("data"))
        watched.wait(lambda: b"the disk of the inbox is gone" in watched.text(), "the disk is not missed")
        time.sleep(6)
        assert watched.process.poll() is None, "procd ended"
        assert os.listdir(watched.site("data")) == [], "something was made below the mount"
        for command in ("health", "status"):
            told = asked(watched, command)[1]
            assert "the disk of the inbox is gone" in told, f"{command}: {told}"
        assert "1 done" in told and f"runs as process {watched.process.pid}" in told, told
        # Who cannot be asked there, as where no such socket is wanted, is not taken for one that does not run.
        os.unlink(watched.site("status"))
        for command in ("health", "status"):
            told = asked(watched, command)[1]
            assert "its disk is gone" in told and "does not run" not in told, f"{command}: {told}"
        mount_again(watched.site, "data")
        goes_through(watched, "b.pdf")
        assert "2 done" in asked(watched, "status")[1]


def disks_that_come_back_one_after_the_other(site):
    """Without its spool procd would begin a new one below the mount."""
    with disks(site, "data", "own"), watching(site, on_disks("own/spool")) as watched:
        call("umount", "-l", watched.site("data"))
        call("umount", "-l", watched.site("own"))
        stopped = lambda words: words in asked(watched, "status")[1]
        watched.wait(lambda: stopped("the disk of the inbox is gone"), "the disk is not missed")
        mount_again(watched.site, "data")
        watched.wait(lambda: stopped("is not back yet"), "it does not wait for the spool")
        assert os.listdir(watched.site("own")) == [], "something was made below the mount"
        # Nor with what would keep it from starting.
        with open(watched.site("pipelines.json"), encoding="utf-8") as file:
            whole = file.read()
        watched.site.write("pipelines.json", whole[:-10].encode())
        mount_again(watched.site, "own")
        watched.wait(lambda: stopped("cannot be used as it is now"), "it does not look at its configuration")
        watched.site.write("pipelines.json", whole.encode())
        goes_through(watched, "a.pdf")


def folder_that_is_read_only_at_the_start(site):
    """That may pass, so a unit is to start procd again."""
    configure(site)
    for name in ("outbox", "quarantine"):
        mount(site(name))
        call("mount", "-o", "remount,ro", site(name))
        status, text = site.run()
        assert status == 75 and f"the disk of the {name} is mounted read-only" in text, f"{status}: {text}"
        call("umount", site(name))


def disk_mounted_read_only_over_the_outbox(site):
    """procd could not begin anew with it, so it waits until the disk can be written."""
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        outbox = watched.site("outbox")
        call("mount", "--bind", outbox, outbox)
        call("mount", "-o", "remount,ro,bind", outbox)
        stands_still(watched, "the disk of the outbox is mounted read-only")
        put(watched, "b.pdf")
        told = asked(watched, "status", "b.pdf")[1]
        assert "procd takes in no files now" in told, told
        call("mount", "-o", "remount,rw,bind", outbox)
        has(watched, "a.pdf", "b.pdf")
        assert asked(watched, "health")[0] == 0


def disk_with_a_marker(site):
    """It is waited for at the start, when it goes, and taken up when it is back."""
    def change(configuration):
        configuration["outbox"] = {"path": "outbox", "marker": MARKER}
        configuration["inbox"]["marker"] = MARKER
    os.makedirs(site("inbox"), exist_ok=True)
    with open(site(f"inbox/{MARKER}"), "w", encoding="ascii"):
        pass
    mount(site("outbox"), marker=True)
    with watching(site, change) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        call("umount", "-l", watched.site("outbox"))
        stands_still(watched, "its marker")
        put(watched, "b.pdf")
        mount(watched.site("outbox"), marker=True)
        has(watched, "b.pdf")
        watched.stop()
        assert os.path.exists(watched.site(f"inbox/{MARKER}")), "the marker was taken for a file"
        call("umount", "-l", watched.site("outbox"))
        status, text = asked(watched, "run", "--once")
        assert status == 75 and "its marker" in text, f"{status}: {text}"
        waiting = subprocess.Popen(watched.site.command("run"), cwd=watched.site.root, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        assert b"waits for it" in waiting.stderr.readline()
        for command in ("status", "health"):
            assert "its marker" in asked(watched, command)[1], f"{command} does not say what is waited for"
        mount(watched.site("outbox"), marker=True)
        put(watched, "c.pdf")
        has_without_process(watched, "c.pdf")
        waiting.terminate()
        waiting.wait(30)


def folder_above_that_may_not_be_listed(site):
    """As homes and shares often are: procd's user may go through it, and needs no more."""
    above = site("above")
    os.makedirs(f"{above}/site/inbox")
    os.chmod(above, 0o711)
    os.chmod(site.root, 0o711)
    inner = sites.Site(shutil.copytree(site.programs, site("programs"), ignore=lambda folder, names: [
        name for name in names if not name.startswith("procd") or "." in name]), "none", place=f"{above}/site")
    configure(inner)
    put_into = inner("inbox/kept-a.txt")
    with open(put_into, "wb") as file:
        file.write(b"words")
    for folder, _, names in os.walk(inner.root):
        for path in [folder, *(os.path.join(folder, name) for name in names)]:
            os.chown(path, NOBODY, NOBODY)
    run = subprocess.run(["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
                          *inner.command("run", "--once")], cwd=inner.root, capture_output=True, text=True, timeout=60,
                         check=False)
    assert run.returncode == 0 and os.path.exists(inner("outbox/kept-a.txt")), f"{run.returncode}: {run.stderr}"


def has_without_process(watched, name):
    end = time.time() + 30
    while name not in reports(watched):
        assert time.time() < end, f"{name} is not done"
        time.sleep(0.05)


def refuses(site, words):
    for command in (["check"], ["run", "--once"]):
        run = subprocess.run(site.command(*command), cwd=site.root, capture_output=True, text=True, timeout=60,
                             check=False)
        assert run.returncode == 78 and words in run.stdout + run.stderr, \
            f"{command} ends with {run.returncode}: {run.stdout}{run.stderr}"


def outbox_that_leads_into_the_inbox_by_a_link(site):
    configure(site)
    os.makedirs(site("inbox/out"))
    for target in ("inbox", "inbox/out"):
        os.symlink(target, site("outbox"))
        refuses(site, "inbox and outbox are one folder or lie inside each other")
        os.remove(site("outbox"))


def outbox_that_is_the_inbox_by_a_mount(site):
    configure(site)
    os.makedirs(site("inbox/sub"))
    os.makedirs(site("outbox"))
    call("mount", "--bind", site("inbox"), site("outbox"))
    refuses(site, "inbox and outbox are one folder")


def outbox_that_becomes_the_inbox(site):
    with watching(site) as watched:
        put(watched, "kept-a.txt")
        has(watched, "kept-a.txt")
        call("mount", "--bind", watched.site("inbox"), watched.site("outbox"))
        stands_still(watched, "inbox and outbox are one folder")
        put(watched, "kept-b.txt")
        told = asked(watched, "status", "kept-b.txt")[1]
        assert "procd takes in no files now" in told, told
        assert len(os.listdir(watched.site("inbox"))) <= 3, os.listdir(watched.site("inbox"))
        call("umount", "-l", watched.site("outbox"))
        has(watched, "kept-a.txt", "kept-b.txt")


def outbox_that_becomes_a_link_to_the_inbox(site):
    with watching(site) as watched:
        put(watched, "kept-a.txt")
        has(watched, "kept-a.txt")
        os.rename(watched.site("outbox"), watched.site("outbox.before"))
        os.symlink("inbox", watched.site("outbox"))
        put(watched, "kept-b.txt")
        stands_still(watched, "inbox and outbox are one folder")
        assert len(os.listdir(watched.site("inbox"))) <= 6, os.listdir(watched.site("inbox"))
        os.remove(watched.site("outbox"))
        os.rename(watched.site("outbox.before"), watched.site("outbox"))


def outbox_that_lies_in_the_inbox_by_a_mount(site):
    os.makedirs(site("inbox/sub"))
    os.makedirs(site("outbox"))
    call("mount", "--bind", site("inbox/sub"), site("outbox"))
    with watching(site) as watched:
        put(watched, "kept-a.txt")
        has(watched, "kept-a.txt")
        put(watched, "kept-b.txt")
        has(watched, "kept-a.txt", "kept-b.txt")
        assert len(reports(watched)) == 2, reports(watched)
        watched.wait(lambda: "puts results" in asked(watched, "status")[1], "status does not say why")


def places_that_are_none(site):
    for place, words in (("/proc", "holds no files"), ("/proc/results", "holds no files"), ("afile", "is no folder"),
                         ("afile/results", "afile, which is no folder")):
        with open(site("afile"), "w", encoding="ascii"):
            pass
        configure(site, lambda configuration, place=place: configuration.update(outbox=place))
        refuses(site, words)


def inbox_that_becomes_read_only(site):
    with watching(site) as watched:
        mount(watched.site("inbox"))
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        # Not while a file in it is open for writing.
        watched.wait(lambda: subprocess.run(["mount", "-o", "remount,ro", watched.site("inbox")], capture_output=True,
                                            check=False).returncode == 0, "it cannot be mounted read-only")
        stands_still(watched, "the disk of the inbox is mounted read-only")
        call("mount", "-o", "remount,rw", watched.site("inbox"))
        put(watched, "b.pdf")
        has(watched, "a.pdf", "b.pdf")
        watched.wait(lambda: asked(watched, "health")[0] == 0, "it does not say that it is well again")


def ledger_that_somebody_holds(site):
    """What cannot be written down is not done: procd says who it is, and ends, so that its unit starts it again."""
    with watching(site) as watched:
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        other = sqlite3.connect(watched.site("spool/ledger.sqlite"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        put(watched, "b.pdf")
        assert watched.process.wait(120) == 75, watched.process.returncode
        assert b"holds its lock" in watched.text(), watched.text()
        other.close()
        watched.start()
        has(watched, "a.pdf", "b.pdf")


FORKS = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""


def forking(site, script):
    """Adds a plugin that runs a Python script on files called forks…; gives the change of the configuration."""
    os.makedirs(site("plugins/forks"))
    with open(site("plugins/forks/plugin.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "forks", "version": "1", "about": "Forks", "command": ["python3", "-c", script],
                   "protocol": "command", "steps": {"forks.run": {"about": "Forks", "accepts": ["*/*"], "outputs": {"text": {"mime": "text/plain", "extension": "txt"}}}}}, file)

    def change(configuration):
        configuration["plugins"] = ["plugins"]
        configuration["pipelines"] = [
            {"id": "forks", "match": {"name": "forks*"}, "steps": [{"id": "f", "use": "forks.run", "timeout": "20s"}],
             "emit": ["f.text"]}, *configuration["pipelines"]]

    return change


CROWD = """
import threading, time
threading.stack_size(65536)
for _ in range(1500):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print("here", flush=True)
time.sleep(600)
"""


def plugin_of_a_user_with_many_processes_elsewhere(site):
    """The kernel counts also those that procd cannot see, outside its container: no bound may come of that."""
    script = "import subprocess; subprocess.run(['true'], check=True); open('out/text.txt', 'w').write('done')"
    user = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    with watching(site, forking(site, script), mode="user") as watched:
        watched.stop()
        put(watched, "forks.pdf")
        # That user may not enter every place where root's python3 may lie.
        python = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
        crowd = subprocess.Popen([*user, python, "-c", CROWD], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            told = crowd.stdout.readline()
            assert told == b"here\n", f"the others did not start: {told}{crowd.stdout.read(1000)}"
            run = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", *user, *watched.site.command("run", "--once")],
                                 cwd=watched.site.root, capture_output=True, text=True, timeout=60, check=False)
        finally:
            crowd.kill()
            crowd.wait()
        assert run.returncode == 0 and "forks.pdf" in reports(watched), f"{run.returncode}: {run.stdout}{run.stderr}"
        watched.start()


def plugin_whose_children_all_fork(site):
    """Nothing would be left to count them, or to end them; root is never bound, so procd is not root here."""
    with watching(site, forking(site, FORKS), mode="user") as watched:
        put(watched, "forks.pdf")
        put(watched, "a.pdf")
        has(watched, "a.pdf")
        report = watched.site("quarantine/forks.pdf.report.json")
        watched.wait(lambda: os.path.exists(report), "the step is not ended")
        with open(report, encoding="utf-8") as file:
            told = json.load(file)
        assert told["error"]["code"] == "limit.processes", told["error"]
        assert len([step for step in told["steps"]]) == 1, told["steps"]


def files_of_others_as_the_running_one_sees_them(site):
    """Who asks has no lease on them: what the running procd saw counts, and what has been quiet is due."""
    with watching(site, mode="lease") as watched:
        with open(watched.site("inbox/open.pdf"), "wb") as file:
            file.write(sites.pdf("open"))
            file.flush()
            watched.wait(lambda: "open.pdf: is still open for writing" in asked(watched, "status")[1], "open: not told")
        has(watched, "open.pdf")
        watched.process.send_signal(signal.SIGSTOP)
        put(watched, "due.pdf")
        watched.wait(lambda: "due.pdf: is taken when its turn comes" in asked(watched, "status")[1], "due: not told")
        watched.process.send_signal(signal.SIGCONT)
        has(watched, "due.pdf")


def results_that_somebody_brings_back(site):
    """As a service would that keeps two folders alike."""
    bring_back(site, shutil.copy2, 6)


def results_that_somebody_copies_back_with_new_times(site):
    """As `cp` in somebody's script would, which leaves what it copies where it is."""
    bring_back(site, shutil.copyfile, 40, moves=False)


def results_that_somebody_copies_back_under_new_names(site):
    """Who writes the same file again and again looks the same: it is stopped only where it goes on quickly."""
    bring_back(site, shutil.copyfile, 70, names=itertools.count(1))


def bring_back(site, copy, most, moves=True, names=None):
    with watching(site) as watched:
        ended, brought = threading.Event(), set()

        def results():
            folder = watched.site("outbox")
            all_names = os.listdir(folder) if os.path.isdir(folder) else []
            found = [name for name in all_names if name.startswith("kept-a") and not name.endswith(".report.json")]
            # Under new names: only what came last, each time once.
            return [name for name in found if name not in brought] if names else found

        def bring():
            while not ended.is_set():
                for name in results():
                    back = f"kept-a-{next(names)}.txt" if names else name
                    with contextlib.suppress(FileNotFoundError):
                        copy(watched.site(f"outbox/{name}"), watched.site(f"aside/{back}"))
                        os.rename(watched.site(f"aside/{back}"), watched.site(f"inbox/{back}"))
                        brought.add(name)
                        if moves:
                            os.unlink(watched.site(f"outbox/{name}"))
                # What is copied again and again has to rest between, or it is never taken.
                time.sleep(0.05 if moves or names else 1)

        thread = threading.Thread(target=bring)
        thread.start()
        try:
            put(watched, "kept-a.txt")
            watched.wait(lambda: b"results come back" in watched.text(), "it goes on and on", seconds=120)
            stands_still(watched, "results come back")
        finally:
            ended.set()
            thread.join()
        jobs = json.loads(asked(watched, "status", "--json")[1])
        assert jobs["done"] + jobs["duplicates"] <= most, jobs


def configure(site, change=None):
    configuration = sites.configuration(2)
    if change:
        change(configuration)
    site.configure(configuration)


@contextlib.contextmanager
def watching(site, change=None, mode="events"):
    watched = Watched(site.programs, mode, place=site.root, change=change)
    try:
        yield watched
    finally:
        if watched.process.poll() is None:
            watched.stop()


CASES = [disk_mounted_over_the_inbox, disk_mounted_over_the_outbox, disk_mounted_over_the_spool, disk_mounted_over_the_inbox_while_procd_was_dead,
         disk_that_goes, disk_that_goes_and_comes_back, disk_of_all_folders_that_goes, disks_that_come_back_one_after_the_other, folder_that_is_read_only_at_the_start, disk_mounted_read_only_over_the_outbox,
         disk_with_a_marker, outbox_that_leads_into_the_inbox_by_a_link, outbox_that_is_the_inbox_by_a_mount,
         outbox_that_becomes_a_link_to_the_inbox, outbox_that_becomes_the_inbox, outbox_that_lies_in_the_inbox_by_a_mount,
         places_that_are_none, inbox_that_becomes_read_only, ledger_that_somebody_holds,
         folder_above_that_may_not_be_listed,
         files_of_others_as_the_running_one_sees_them, plugin_whose_children_all_fork, plugin_of_a_user_with_many_processes_elsewhere, results_that_somebody_brings_back, results_that_somebody_copies_back_with_new_times,
         results_that_somebody_copies_back_under_new_names]


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--only", help="cases whose name contains this")
    parser.add_argument("--inside", action="store_true", help="used by itself")
    options = parser.parse_args()
    if not options.inside:
        if os.geteuid() != 0:
            print("SKIPPED: only root can mount, so no folder is on a disk of its own here")
            return 0
        if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True,
                          check=False).returncode != 0:
            print("SKIPPED: nothing can be mounted here")
            return 0
        return os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv, "--inside"])
    programs, bad, count = sites.programs(options.programs), [], 0
    for case in CASES:
        if options.only and options.only not in case.__name__:
            continue
        count += 1
        site = sites.Site(programs, "none", place=tempfile.mkdtemp(prefix="procd-places-", dir=sites.scratch()))
        try:
            case(site)
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            bad.append(f"{case.__name__}: {error}")
        finally:
            for place in ("inbox", "outbox"):
                while subprocess.run(["umount", "-l", site(place)], capture_output=True, check=False).returncode == 0:
                    pass
            site.remove()
    return tool.end(bad, {"test": "places", "cases": count, "failed": len(bad)})


if __name__ == "__main__":
    sys.exit(main())
