#!/usr/bin/env python3
"""Installs, uses, upgrades, removes and purges the Debian package on a fresh Debian of its release. As root.

    Tests/Packages/package.py --deb dist/procd_0.1.0~deb12_amd64.deb [--base FOLDER]

The system is made by debootstrap from the mirror of this machine, in a folder of --base, and copied for each part,
so that a second run needs only the packages that procd depends on. What cannot be tried on this
machine is told in a line that begins with SKIPPED.
"""
import argparse
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import package_file

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = REPOSITORY / "docs/samples"
HOME = "/var/lib/procd"
failures = []
checked = 0


def check(holds, what, seen=""):
    global checked
    checked += 1
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}" + (f"\n{seen}" if seen else ""), flush=True)


def skipped(what, why):
    print(f"SKIPPED: {what}: {why}", flush=True)


class System:
    """A Debian in a folder."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def run(self, *words, user=None, wanted=0, stdin=None):
        """Runs a command inside; `wanted` None takes any status."""
        command = ["chroot"] + ([f"--userspec={user}"] if user else []) + [str(self.root)] + list(words)
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/",
                       "DEBIAN_FRONTEND": "noninteractive"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, input=stdin)
        result.both = result.stdout + result.stderr
        if wanted is not None:
            check(result.returncode == wanted,
                  f"{' '.join(words)} ends with {result.returncode}, not {wanted}", result.both[-2000:])
        return result

    def path(self, inside):
        return self.root / inside.lstrip("/")

    def has(self, inside):
        return os.path.lexists(self.path(inside))

    def put(self, source, inside):
        shutil.copy(source, self.path(inside))

    def install(self, package, *options, wanted=0):
        self.put(package, "/tmp/package.deb")
        return self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "--allow-downgrades",
                        *options, "/tmp/package.deb", wanted=wanted)

    def mode(self, inside):
        status = os.lstat(self.path(inside))
        return f"{status.st_mode & 0o7777:04o} {status.st_uid}:{status.st_gid}"

    def identity(self, name="procd"):
        for line in self.path("/etc/passwd").read_text().splitlines():
            fields = line.split(":")
            if fields[0] == name:
                return f"{fields[2]}:{fields[3]}"
        return None


def fresh(base, scratch, name):
    """A copy of the base system with what commands need of the kernel."""
    root = scratch / name
    subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
    for kind, place in (("proc", "proc"), ("tmpfs", "tmp")):
        subprocess.run(["mount", "-t", kind, kind, str(root / place)], check=True)
    subprocess.run(["mount", "--rbind", "/dev", str(root / "dev")], check=True)
    # No service is started in a chroot.
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    return System(root)


def given_up(system):
    for place in ("tmp", "proc"):
        subprocess.run(["umount", str(system.root / place)], check=True)
    subprocess.run(["umount", "-R", "-l", str(system.root / "dev")], check=True)


SUITES = {"deb12": "bookworm", "deb13": "trixie"}


def suite(package):
    """The release that a package is for."""
    system = package_file.field(package, "Version").partition("~")[2]
    return SUITES.get(system) or sys.exit(f"{package} is for {system or 'no release'}, which is not one of {', '.join(SUITES)}")


def host():
    """The release of this machine."""
    told = re.search(r"^VERSION_CODENAME=(\S+)", pathlib.Path("/etc/os-release").read_text(), flags=re.M)
    return told and told.group(1)


def make_base(base):
    if (base / "etc/debian_version").exists():
        return
    if not shutil.which("debootstrap"):
        skipped("everything that needs a system", "debootstrap is not installed")
        finish()
    mirror = "http://deb.debian.org/debian"
    base.parent.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["debootstrap", "--variant=minbase", base.name, str(base), mirror],
                          capture_output=True, text=True)
    if made.returncode != 0:
        skipped("everything that needs a system", "debootstrap: " + made.stdout[-300:])
        shutil.rmtree(base, ignore_errors=True)
        finish()
    subprocess.run(["chroot", str(base), "apt-get", "update", "-qq"], check=False)


def next_version(package, scratch):
    """The same package with a higher version and other shipped rules."""
    tree = scratch / "next"
    subprocess.run(["dpkg-deb", "-R", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: (.*)$", r"Version: \1+next", control.read_text(), flags=re.M))
    rules = tree / "etc/procd/pipelines.json"
    rules.write_text(rules.read_text().replace('"version": 1,', '"version": 1,\n  "workers": 3,'))
    made = scratch / "next.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "-b", str(tree), str(made)],
                   check=True, stdout=subprocess.DEVNULL)
    return made


def processes(system, owner):
    """A person of the group hands files in; procd works as its own user."""
    system.run("adduser", "--quiet", "--system", "--shell", "/bin/sh", "scanner")
    system.run("adduser", "--quiet", "scanner", "procd")
    group = owner.split(":")[1]
    scanner = system.identity("scanner").split(":")[0]
    for name in ("status-2012-06-01.pdf", "letter-photo.jpg", "locked.pdf"):
        system.put(SAMPLES / name, f"/tmp/{name}")
        system.run("cp", f"/tmp/{name}", f"{HOME}/inbox/", user=f"{scanner}:{group}")
    # A folder that is made in the inbox is the group's, whatever the umask.
    system.run("sh", "-c", f"umask 022; mkdir {HOME}/inbox/mine && cp /tmp/letter-photo.jpg {HOME}/inbox/mine/two.jpg",
               user=f"{scanner}:{group}")
    dropped = time.time()
    ran = system.run("procd", "run", "--once", user=owner, wanted=65)
    print(f"seen: four files, one of them locked, with --once in {time.time() - dropped:.1f} s")
    for name in ("outbox/letter-photo.pdf", "outbox/status-2012-06-01.csv", "archive/letter-photo.jpg",
                 "archive/mine/two.jpg", "quarantine/locked.pdf", "quarantine/locked.pdf.why.txt"):
        check(system.has(f"{HOME}/{name}"), f"{name} is there after a run", ran.both)
    system.run("rmdir", f"{HOME}/inbox/mine")
    check(not any(system.path(f"{HOME}/inbox").iterdir()), "the inbox is empty after a run")
    check("1 quarantined" in system.run("procd", "status", user=owner).stdout, "status tells")
    # The people of the group can fetch what came out.
    read = system.run("cat", f"{HOME}/outbox/status-2012-06-01.csv", user=f"{scanner}:{group}")
    check("number,status,date" in read.stdout, "the group reads results")
    check(system.run("procd", "verify", user=owner).returncode == 0, "verify finds nothing")


def check_folders(system, owner):
    for folder, mode in (("", "0750"), ("/inbox", "2770"), ("/outbox", "2770"), ("/archive", "2750"),
                         ("/quarantine", "2770"), ("/spool", "0700")):
        seen = system.mode(HOME + folder) if system.has(HOME + folder) else "missing"
        check(seen == f"{mode} {owner}", f"owner and mode of {HOME}{folder}", seen)


def whole_life(base, package, later, scratch):
    system = fresh(base, scratch, "life")
    system.install(package)
    owner = system.identity()
    check(owner is not None, "there is a user procd")
    version = system.run("procd", "--version").stdout.split()[-1]
    check(version == package_file.field(package, "Version").partition("~")[0], f"the program is of the version {version}")
    check_folders(system, owner)
    checked_rules = system.run("procd", "check", user=owner)
    check(checked_rules.returncode == 0, "the shipped configuration is sound", checked_rules.both)
    check("procd-worker" not in checked_rules.both, "all programs are found")
    check(system.has("/etc/systemd/system/multi-user.target.wants/procd.service"), "procd.service is on")
    check(not system.has("/etc/systemd/system/timers.target.wants/procd-once.timer"), "the timer is off")
    for shell, word in (("bash", "complete"), ("zsh", "#compdef"), ("fish", "complete")):
        text = [path for path in ("/usr/share/bash-completion/completions/procd",
                                  "/usr/share/zsh/vendor-completions/_procd",
                                  "/usr/share/fish/vendor_completions.d/procd.fish") if shell in path]
        completions = system.path(text[0]).read_text() if text else ""
        check(word in completions and "speak" in completions, f"completions for {shell}, plugins included")
    offered = system.run(
        "bash", "-c", ". /usr/share/bash-completion/completions/procd; COMP_WORDS=(procd notes ex) COMP_CWORD=2;"
        " _procd procd ex notes; echo ${COMPREPLY[@]}").stdout.split()
    check(offered == ["export"], "what stands below a plugin's command is completed", str(offered))
    health = system.run("procd", "health", user=owner, wanted=1)
    check("no procd is running" in health.stderr, "health says that none runs", health.both)
    processes(system, owner)

    # The administrator's rules and modes outlive an upgrade.
    rules = system.path("/etc/procd/pipelines.json")
    mine = rules.read_text().replace('"version": 1,', '"version": 1,\n  "workers": 1,')
    rules.write_text(mine)
    system.path(f"{HOME}/outbox").chmod(0o2755)
    system.install(later, "-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold")
    check(rules.read_text() == mine, "a changed configuration outlives an upgrade")
    check(system.has("/etc/procd/pipelines.json.dpkg-dist"), "the new rules are put beside it")
    check(system.mode(f"{HOME}/outbox").startswith("2755"), "a changed mode outlives an upgrade")
    check(system.identity() == owner, "the user is the same after an upgrade")
    check("done" in system.run("procd", "status", user=owner).stdout, "the ledger outlives an upgrade")

    before = files_of_people(system)
    system.put(SAMPLES / "letter-photo.jpg", f"{HOME}/inbox/still here.jpg")
    system.run("apt-get", "remove", "-y", "-q", "procd")
    check(not system.has("/usr/bin/procd"), "the program is gone after remove")
    check(rules.read_text() == mine, "the configuration stays after remove")
    check(system.has(f"{HOME}/spool/ledger.sqlite"), "the ledger stays after remove")
    check(files_of_people(system) >= before, "nobody's file is gone after remove")
    check(not system.has("/lib/systemd/system/procd.service"), "the unit is gone after remove")

    # As a kill leaves it: a file that was taken and whose work is not done.
    claimed = system.path(f"{HOME}/spool/claimed/01TEST")
    claimed.mkdir()
    (claimed / "arrival.json").write_text("{}")
    (claimed / "source").write_text("somebody's only copy")
    said = system.run("apt-get", "purge", "-y", "-q", "procd")
    check((claimed / "source").exists(), "a file in work stays after purge", said.both)
    check("nothing of yours was deleted" in said.stdout, "purge says what it leaves", said.both)
    check(not system.has("/etc/procd"), "the configuration is gone after purge")
    check(system.identity() == owner, "the user stays while files of its are left")

    shutil.rmtree(claimed)
    # As a purge leaves it where spool and archive are empty.
    system.path(f"{HOME}/outbox").chmod(0o2770)
    shutil.rmtree(system.path(f"{HOME}/spool"))
    archive = system.path(f"{HOME}/archive")
    kept = archive.rename(archive.with_name("kept"))
    system.install(package)
    check(system.identity() == owner, "installed again, the user is the same")
    check_folders(system, owner)
    if archive.exists():
        archive.rmdir()
    kept.rename(archive)
    said = system.run("apt-get", "purge", "-y", "-q", "procd")
    check(not system.has(f"{HOME}/spool"), "without work the spool is gone after purge", said.both)
    check(files_of_people(system) > before, "nobody's file is gone after purge")
    left = subprocess.run(
        ["find", str(system.root), "-xdev", "-iname", "*procd*", "!", "-path", f"*{HOME}*"],
        capture_output=True, text=True).stdout.split()
    left = [path.removeprefix(str(system.root)) for path in left]
    left = [path for path in left if not path.startswith(("/var/cache", "/var/log"))]
    check(left == [], "nothing else is left after purge", str(left))
    check(system.identity() == owner, "the user stays, who may own files elsewhere")
    print("seen: left after purge:", ", ".join(sorted(files_of_people(system))))
    given_up(system)


def published(base, package, scratch):
    """The lines of docs/install.md that install a release, from a server on this machine, in a fresh system."""
    text = (REPOSITORY / "docs/install.md").read_text()
    lines = re.search(r"^### From a release\n[^#]*?\n\n((?:    [^\n]*\n)+)", text, flags=re.M).group(1)
    lines = lines.replace("\n    ", "\n").strip()
    files = scratch / "release"
    files.mkdir()
    shutil.copy(package, files)
    sums = subprocess.run(["sha256sum", package.name], cwd=files, capture_output=True, text=True, check=True).stdout
    # As `make dist` writes it, with files that are not fetched.
    (files / "SHA256SUMS").write_text(sums + "0" * 64 + "  procd-0.1.0-linux-x86_64.tar.gz\n")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(quiet_handler(), directory=str(files)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    system = fresh(base, scratch, "published")
    try:
        system.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "curl")
        system.path("/etc/apt/apt.conf.d/90yes").write_text('APT::Get::Assume-Yes "true";\n')
        system.path("/usr/bin/sudo").write_text('#!/bin/sh\nexec "$@"\n')
        system.path("/usr/bin/sudo").chmod(0o755)
        written = re.sub(r"https://\S+", f"http://127.0.0.1:{server.server_port}", lines)
        check(written != lines, "the lines name a place to fetch from")
        written = re.sub(r"procd_0\.1\.0~deb\d+_amd64\.deb", package.name, written)
        whole = package.read_bytes()
        (files / package.name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        said = system.run("sh", "-c", f"cd /tmp && {written}", wanted=None)
        check(said.returncode != 0 and not system.has("/usr/bin/procd"),
              "a package that was altered is not installed", said.both)
        (files / package.name).write_bytes(whole)
        said = system.run("sh", "-c", f"cd /tmp && {written}")
        check(system.has("/usr/bin/procd"), "the lines of docs/install.md install a release", said.both)
        check(system.run("procd", "--version").returncode == 0, "what was installed from a release runs")
    finally:
        server.shutdown()
        given_up(system)


def quiet_handler():
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    return Handler


def files_of_people(system):
    found = set()
    for place in ("inbox", "outbox", "archive", "quarantine"):
        folder = system.path(f"{HOME}/{place}")
        found |= {f"{place}/{path.relative_to(folder)}" for path in folder.rglob("*") if path.is_file()}
    return found


def size(system):
    """Megabytes in a system, without what is mounted there."""
    told = subprocess.run(["du", "-sxm", str(system.root)], capture_output=True, text=True).stdout
    return int(told.split()[0])


def container_steps(base, package, scratch):
    """The steps of the last stage of the Containerfile, one by one."""
    if f"FROM docker.io/library/debian:{base.name}-slim" not in (REPOSITORY / "Containerfile").read_text():
        return skipped("the container", f"it is of another release than {base.name}")
    stage = (REPOSITORY / "Containerfile").read_text().split("\nFROM ")[-1]
    # Comments may stand between the lines of a step.
    stage = re.sub(r"^ *#.*\n", "", stage, flags=re.M)
    steps = re.findall(r"^RUN (.*)$", stage.replace("\\\n", ""), flags=re.M)
    check(len(steps) > 0, "the Containerfile has steps")
    system = fresh(base, scratch, "container")
    system.put(package, "/tmp/procd.deb")
    before = size(system)
    for step in steps:
        # What a builder mounts or copies is put there by hand.
        step = re.sub(r"--mount=\S+ ", "", step)
        system.run("sh", "-ec", "LANGUAGES=deu; " + step.replace("/package/", "/tmp/"))
    print(f"seen: the container's steps add {size(system) - before} MB to {before} MB")
    check(system.has("/usr/share/tesseract-ocr/5/tessdata/deu.traineddata"), "languages are a build argument")
    owner = system.identity()
    check(owner is not None and f"USER {owner.split(':')[0]}" in stage or "USER procd" in stage,
          "the container runs as procd")
    command = json.loads(re.search(r"^CMD (.*)$", stage, flags=re.M).group(1))
    probe = json.loads(re.search(r"^HEALTHCHECK .*CMD (.*)$", stage.replace("\\\n", ""), flags=re.M).group(1))
    check(system.run(*probe, user=owner, wanted=1).returncode == 1, "the probe fails before the start")
    running = subprocess.Popen(["chroot", f"--userspec={owner}", str(system.root)] + command,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        well = wait(lambda: system.run(*probe, user=owner, wanted=None).returncode == 0)
        check(well, "the probe succeeds after the start")
        system.put(SAMPLES / "letter-photo.jpg", f"{HOME}/inbox/")
        check(wait(lambda: system.has(f"{HOME}/outbox/letter-photo.jpg.report.json"), 120),
              "the container's command works on a file")
    finally:
        running.terminate()
        check(running.wait(40) == 0, "the container's command ends by SIGTERM")
    given_up(system)
    engine = next((name for name in ("podman", "docker", "buildah") if shutil.which(name)), None)
    works = engine and subprocess.run([engine, "info"], capture_output=True).returncode == 0
    if not works:
        skipped("building the container", "no engine runs here; the steps of its last stage were run in a chroot")


def wait(holds, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if holds():
            return True
        time.sleep(0.5)
    return holds()


def service(base, package, later, scratch):
    """The units under a real systemd."""
    if not shutil.which("systemd-nspawn"):
        return skipped("the units under systemd", "systemd-nspawn is not installed")
    system = fresh(base, scratch, "service")
    system.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "systemd", "systemd-sysv")
    system.install(package)
    given_up(system)
    (system.root / "usr/sbin/policy-rc.d").unlink()
    system.put(later, "/root/package.deb")
    # Its own filter of system calls lacks those by which steps confine themselves.
    boot = subprocess.Popen(
        ["systemd-nspawn", "--register=no", "--keep-unit", "-q", "-D", str(system.root), "--console=pipe",
         "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self", "-b"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        leader = None
        for _ in range(60):
            children = subprocess.run(["pgrep", "-P", str(boot.pid)], capture_output=True, text=True).stdout
            leader = children.split()[0] if children.split() else None
            if leader:
                break
            time.sleep(0.5)

        def inside(*words):
            return subprocess.run(["nsenter", "-t", leader, "-a", "--"] + list(words),
                                  capture_output=True, text=True)

        if not leader or not wait(lambda: inside("systemctl", "is-system-running").stdout.strip()
                                  in ("running", "degraded")):
            return skipped("the units under systemd", "it does not start here")
        owner = system.identity()
        check(wait(lambda: inside("systemctl", "is-active", "procd").stdout.strip() == "active"),
              "procd.service runs", inside("journalctl", "-u", "procd", "--no-pager").stdout)
        well = lambda: inside("setpriv", f"--reuid={owner.split(':')[0]}", f"--regid={owner.split(':')[1]}",
                              "--clear-groups", "procd", "health")
        check(wait(lambda: well().returncode == 0), "health is well", well().stderr)
        for name in ("report-mixed.pdf", "locked.pdf"):
            shutil.copy(SAMPLES / name, system.path(f"{HOME}/inbox/"))
        report = system.path(f"{HOME}/outbox/report-mixed.pdf.report.json")
        check(wait(report.exists, 120), "the service works on files of another user",
              inside("journalctl", "-u", "procd", "--no-pager").stdout[-2000:])
        told = json.loads(report.read_text())
        isolation = [step["isolation"] for step in told["steps"] if "isolation" in step]
        print("seen: confinement under the unit:", isolation[0] if isolation else None,
              "complete by", told.get("completeness"))
        check(told.get("completeness") == "lease", "the unit lets procd take leases", str(told))
        check(all("calls" not in one["missing"] for one in isolation), "steps keep their filter of calls")
        security = inside("systemd-analyze", "security", "procd.service", "--no-pager").stdout
        print("seen:", security.strip().splitlines()[-1] if security.strip() else "no verdict")
        rules = system.path("/etc/procd/pipelines.json")
        well_written = rules.read_text()
        check(inside("systemctl", "reload", "procd").returncode == 0, "rules are read again")
        told = lambda: inside("journalctl", "-u", "procd", "--no-pager", "-o", "cat").stdout
        # The unit only sends a signal: the file must stand until it is read.
        wait(lambda: "the configuration was reloaded" in told())
        rules.write_text(well_written.replace('"emit"', '"emitt"'))
        check(inside("systemctl", "reload", "procd").returncode != 0, "reload fails where rules have mistakes")
        journal = told()
        check("the configuration was reloaded" in journal and 'did you mean "emit"' in journal,
              "the journal says what reload did", journal[-2000:])
        grave = inside("journalctl", "-p", "err", "-t", "procd", "--no-pager", "-o", "cat").stdout
        check('did you mean "emit"' in grave and "<3>" not in grave and "the configuration was reloaded" not in grave,
              "what is refused has the priority of errors there", grave[-2000:])
        check(inside("systemctl", "is-active", "procd").stdout.strip() == "active", "it goes on with the old rules")
        rules.write_text(well_written.replace('/procd/outbox"', '/procd/elsewhere"'))
        check(inside("systemctl", "reload", "procd").returncode != 0, "reload fails where folders changed")
        rules.write_text(well_written)
        once = inside("systemctl", "start", "procd-once.service")
        check(once.returncode == 0, "procd-once beside the service is no failure", once.stderr)
        stopping = time.time()
        inside("systemctl", "stop", "procd")
        print(f"seen: stopped in {time.time() - stopping:.1f} s")
        state = inside("systemctl", "show", "procd", "-p", "Result").stdout.strip()
        check(state == "Result=success", "the service stops in order", state)
        shutil.copy(SAMPLES / "status-2012-06-01.pdf", system.path(f"{HOME}/inbox/"))
        ran = inside("systemctl", "start", "procd-once.service")
        check(ran.returncode == 0 and report.with_name("status-2012-06-01.pdf.report.json").exists(),
              "procd-once.service drains the inbox",
              inside("journalctl", "-u", "procd-once", "--no-pager").stdout[-2000:])
        inside("systemctl", "start", "procd")
        first = inside("systemctl", "show", "procd", "-p", "MainPID").stdout
        upgraded = inside("dpkg", "-i", "/root/package.deb")
        check(upgraded.returncode == 0, "an upgrade while it runs", upgraded.stdout + upgraded.stderr)
        second = inside("systemctl", "show", "procd", "-p", "MainPID").stdout
        check(first != second and "MainPID=0" not in second, "an upgrade restarts the service", second)
        inside("systemctl", "stop", "procd")
        inside("dpkg", "-i", "--force-confold", "/root/package.deb")
        check(inside("systemctl", "is-active", "procd").stdout.strip() == "inactive",
              "an upgrade starts nothing that was stopped")
        inside("systemctl", "start", "procd")
        active = lambda unit: inside("systemctl", "is-active", unit).stdout.strip()
        # A second inbox, as install.md has it.
        home = "/srv/mail"
        rules = json.loads(well_written) | {"spool": f"{home}/spool", "status": {"socket": "/run/procd-mail/status"}}
        rules.pop("web", None)
        for place in ("inbox", "outbox", "archive", "quarantine"):
            rules[place] = f"{home}/{place}"
        system.path("/etc/procd/mail.json").write_text(json.dumps(rules))
        inside("install", "-d", "-o", "procd", "-g", "procd", "-m", "750", home)
        inside("install", "-d", "-o", "procd", "-g", "procd", "-m", "2770", f"{home}/inbox")
        inside("systemctl", "enable", "--now", "procd@mail")
        journal = lambda unit: inside("journalctl", "-u", unit, "--no-pager").stdout[-2000:]
        check(wait(lambda: active("procd@mail") == "active"), "a second inbox has a service", journal("procd@mail"))
        shutil.copy(SAMPLES / "locked.pdf", system.path(f"{home}/inbox/"))
        check(wait(lambda: system.path(f"{home}/quarantine/locked.pdf.report.json").exists()), "it works",
              journal("procd@mail"))
        inside("systemctl", "stop", "procd")
        # One that is missing is a start that fails, for who watches units.
        system.path("/etc/procd/pipelines.json").rename(system.path("/etc/procd/away.json"))
        inside("systemctl", "start", "procd")
        failed = lambda: inside("systemctl", "is-failed", "procd").stdout.strip()
        check(wait(lambda: failed() == "failed"), "a missing configuration is a start that fails", failed())
        system.path("/etc/procd/away.json").rename(system.path("/etc/procd/pipelines.json"))
        inside("systemctl", "start", "procd")
        check(wait(lambda: active("procd") == "active"), "it starts when that is back", journal("procd"))
        inside("dpkg", "-r", "procd")
        check(active("procd") != "active", "remove stops the service")
        check(active("procd@mail") != "active", "and that of a second inbox", journal("procd@mail"))
        inside("dpkg", "-i", "--force-confold", "/root/package.deb")
        check(wait(lambda: active("procd@mail") == "active"), "which begins again with the package", journal("procd@mail"))
    finally:
        boot.terminate()
        try:
            boot.wait(20)
        except subprocess.TimeoutExpired:
            boot.kill()


def finish():
    print(f"{checked - len(failures)} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


def own_mounts():
    """Begins this program again where what it mounts is gone with it, however it ends."""
    if os.geteuid() != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: only root can install packages")
    if os.environ.get("PROCD_PACKAGES_NAMESPACE") != "1":
        os.environ["PROCD_PACKAGES_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable] + sys.argv)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deb", required=True, type=pathlib.Path)
    parser.add_argument("--base", type=pathlib.Path, default=pathlib.Path("/var/tmp/procd-packages"))
    parser.add_argument("--only", choices=["file", "life", "published", "container", "service"])
    options = parser.parse_args()
    own_mounts()
    if host() == suite(options.deb):
        complaints = package_file.complaints(options.deb)
        check(not complaints, "the package's file is sound", "\n".join(complaints))
    else:
        skipped("what the package's programs are linked against", f"this machine is of another release: {host()}")
    base = options.base / suite(options.deb)
    make_base(base)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="systems.", dir=options.base))
    try:
        later = next_version(options.deb, scratch)
        parts = {
            "life": lambda: whole_life(base, options.deb, later, scratch),
            "published": lambda: published(base, options.deb, scratch),
            "container": lambda: container_steps(base, options.deb, scratch),
            "service": lambda: service(base, options.deb, later, scratch),
        }
        for name, part in parts.items():
            if options.only in (None, name):
                print(f"# {name}", flush=True)
                part()
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(scratch)])
    finish()


if __name__ == "__main__":
    main()
