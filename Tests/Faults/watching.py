"""A site with a procd that watches it."""

import os
import signal
import subprocess
import tempfile
import time

import sites

SETTLE, UNLEASED = 0.3, 0.6
NOBODY = 65534


def family(process):
    """A process and all below it, by number; those that went meanwhile are left out."""
    found, todo = [], [process]
    while todo:
        number = todo.pop()
        try:
            for thread in os.listdir(f"/proc/{number}/task"):
                with open(f"/proc/{number}/task/{thread}/children", encoding="ascii") as file:
                    todo += [int(child) for child in file.read().split()]
        except OSError:
            continue
        found.append(number)
    return found


class Watched:
    """A site with a running procd, by inotify alone (`events`), by looking alone (`look`), or as a user of its own
    who owns none of the files, with (`lease`) and without (`user`) the right to take leases."""

    def __init__(self, programs, mode="events", place=None, change=None, rights=0o777):
        place = place or tempfile.mkdtemp(prefix="procd-watched-", dir=sites.scratch())
        self.site, self.mode = sites.Site(programs, "none", place=place), mode
        inbox = {"path": "inbox", "settle": "300ms", "settleFolder": "300ms", "settleUnleased": "600ms", "settleEndMark": "1s",
                 "rescan": "1h" if mode != "look" else "500ms", "poll": "500ms"}
        if mode == "look":
            inbox["watch"] = "poll"
        configuration = sites.configuration(2) | {"inbox": inbox}
        if change:
            change(configuration)
        self.site.configure(configuration)
        for place in ("inbox", "aside"):
            os.makedirs(self.site(place), exist_ok=True)
            os.chmod(self.site(place), rights)
        if mode in ("user", "lease"):
            os.chown(self.site.root, NOBODY, NOBODY)
        os.chmod(self.site.root, 0o777)
        self.start()

    def start(self):
        """Starts procd, and waits until it is ready."""
        command = self.site.command("run", "--existing", "process")
        if self.mode in ("user", "lease"):
            ambient = ["--ambient-caps", "+lease", "--inh-caps", "+lease"] if self.mode == "lease" else []
            command = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *ambient, *command]
        self.log = open(self.site("log"), "wb")
        self.process = subprocess.Popen(command, cwd=self.site.root, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, env=os.environ | {"HOME": "/tmp"})
        self.wait(lambda: b" ready " in self.text(), "procd did not start")

    def text(self):
        with open(self.site("log"), "rb") as file:
            return file.read()

    def wait(self, done, complaint, seconds=20):
        end = time.time() + seconds
        while not done():
            if time.time() > end or self.process.poll() is not None:
                raise AssertionError(f"{complaint}\n{self.text().decode(errors='replace')[-2000:]}")
            time.sleep(0.02)

    def originals(self):
        """Digests of what was archived or put into quarantine, with how often."""
        found = {}
        for place in ("archive", "quarantine"):
            for path, what in sites.tree(self.site(place)).items() if os.path.isdir(self.site(place)) else []:
                if what not in ("folder", "link") and not path.endswith((".report.json", ".why.txt")):
                    found.setdefault(what, []).append(f"{place}/{path}")
        return found

    def stop(self, number=signal.SIGTERM):
        """Ends procd and gives its exit code."""
        self.process.send_signal(number)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        return self.process.returncode

    def end(self):
        if self.process.poll() is None:
            self.stop()
        self.site.remove()
