#!/usr/bin/env python3
"""Files of all kinds at a steady rate for hours, with kills now and then: nothing may be lost or doubled, and memory,
descriptors and disk must stay where they are."""

import hashlib
import os
import random
import shutil
import signal
import sys
import time

import sites
import tool
from watching import Watched, family


def kinds(corpus):
    """What is dropped: makers of contents, each different each time."""
    with open(os.path.join(sites.SAMPLES, "status-2012-06-01.pdf"), "rb") as file:
        status = file.read()
    made = [lambda n: (f"p{n}.pdf", sites.pdf(f"words of {n}")), lambda n: (f"x{n}.bin", os.urandom(3000)),
            lambda n: (f"b{n}.pdf", b"%PDF-1.4 " + os.urandom(200)), lambda n: (f"e{n}.pdf", b""),
            lambda n: (f"deep/er/s{n}.pdf", status + f"\n%{n}".encode())]
    if corpus:
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(corpus, "pdf")) for name in names]
        paths = sorted(path for path in paths if os.path.getsize(path) < 1 << 20)

        def wild(n):
            with open(random.choice(paths), "rb") as file:
                return f"w{n}.pdf", file.read() + f"\n%{n}".encode()

        made += [wild, wild, wild]
    return made


def measure(watched):
    """Memory in KiB and descriptors of the daemon and its workers, and how much disk procd's own folder takes."""
    memory = handles = 0
    for process in family(watched.process.pid):
        try:
            with open(f"/proc/{process}/status", encoding="utf-8") as file:
                memory += next((int(line.split()[1]) for line in file if line.startswith("RssAnon")), 0)
            handles += len(os.listdir(f"/proc/{process}/fd"))
        except OSError:
            pass  # It went, or it lets only root look.
    disk = 0
    for folder, _, names in os.walk(watched.site("spool")):
        for name in names:
            try:
                disk += os.stat(os.path.join(folder, name)).st_blocks // 2
            except OSError:
                pass
    return {"memory": memory, "descriptors": handles, "spool": disk}


def soak(watched, hours, rate, kill_every, corpus):
    makers, dropped, samples, kills = kinds(corpus), {}, [], 0
    end, number = time.time() + hours * 3600, 0
    next_kill, next_sample = time.time() + kill_every, time.time() + 10
    while time.time() < end:
        number += 1
        name, data = random.choice(makers)(number)
        path = watched.site(f"inbox/{name}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(watched.site("aside/new"), "wb") as file:
            file.write(data)
        os.rename(watched.site("aside/new"), path)
        dropped.setdefault(hashlib.sha256(data).hexdigest(), []).append(name)
        time.sleep(random.expovariate(rate))
        if time.time() > next_kill:
            watched.stop(signal.SIGKILL)
            watched.start()
            kills, next_kill = kills + 1, time.time() + random.uniform(0.5, 1.5) * kill_every
        if time.time() > next_sample:
            samples.append(measure(watched))
            next_sample = time.time() + max(10, hours * 36)
            # What is done is taken away, as a consumer would; else the disk would fill.
            if shutil.disk_usage(watched.site.root).free < 1 << 30:
                shutil.rmtree(watched.site("outbox"), ignore_errors=True)
    watched.wait(lambda: not any(names for _, _, names in os.walk(watched.site("inbox")))
                 and not os.listdir(watched.site("spool/claimed")), "files are left", seconds=600)
    return dropped, samples, kills


def main():
    parser = tool.parser(__doc__)
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--rate", type=float, default=5, help="files a second")
    parser.add_argument("--kill-every", type=float, default=60, help="seconds between two kills of everything")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", help="a folder for it all; needs room for what is archived")
    options = parser.parse_args()
    random.seed(options.seed)
    place = options.place and os.path.abspath(options.place)
    if place:
        os.makedirs(place, exist_ok=True)
    watched, bad = Watched(sites.programs(options.programs), place=place), []
    try:
        dropped, samples, kills = soak(watched, options.hours, options.rate, options.kill_every,
                                       os.environ.get("PROCD_CORPUS"))
        found = watched.originals()
        for digest, names in dropped.items():
            if len(found.get(digest, [])) != len(names):
                bad.append(f"{names} stand in {found.get(digest)}")
        # The first tenth is warming up; the median of the last third must not be far above that of the first.
        warm = samples[len(samples) // 10:]
        third = max(1, len(warm) // 3)
        figures = {"test": "soak", "files": sum(map(len, dropped.values())), "kills": kills, "samples": len(samples)}
        for key, room in [("memory", 20_000), ("descriptors", 20), ("spool", 0)]:
            values = [sample[key] for sample in warm]
            # Only root may count what procd and its workers hold open.
            if values and (key != "descriptors" or os.getuid() == 0):
                early, late = sorted(values[:third])[third // 2], sorted(values[-third:])[len(values[-third:]) // 2]
                figures[key] = [early, late, max(values)]
                if room and late > early * 1.2 + room:
                    bad.append(f"{key} grows: {early} at first, {late} at last")
        figures["lostOrDoubled"] = len(bad)
    finally:
        watched.end()
    sys.exit(tool.end(bad, figures))


if __name__ == "__main__":
    main()
