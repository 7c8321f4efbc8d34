#!/usr/bin/env python3
"""What a fleet costs and gives, with all its machines on this one.

scaling: steps that sleep, with 1, 2, 4, 8 and 16 helpers; share of what so many would do at best.
cpu:     OCR of a folder of pictures, on this machine alone and through a helper, in turns; processor time of all.
delay:   one step that does nothing, here and away; what the way adds.
pages:   a scan of many pages over 1, 2 and 4 helpers.
memory:  a keeper with 10,000 files that wait for helpers."""

import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Faults"))
import fleet as fleets  # noqa: E402
import sites  # noqa: E402
from watching import family  # noqa: E402

OCR = [{"id": "ocr", "steps": [{"id": "ocr", "use": "ocr.tesseract"}], "emit": ["ocr.pdf"]}]


def sleeping(milliseconds):
    step = {"id": "sum", "use": "slow.sum", "with": {"ms": milliseconds}}
    return [{"id": "sum", "steps": [step], "emit": ["sum.sum"]}]


def processor(processes):
    """Seconds of processor time of processes and of all they started and waited for."""
    total = 0
    for process in processes:
        for number in family(process.pid):
            try:
                with open(f"/proc/{number}/stat", encoding="ascii") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                total += sum(int(field) for field in fields[11:15])
            except OSError:
                pass
    return total / os.sysconf("SC_CLK_TCK")


def resident(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) / 1024


def done(there, count, seconds=3600):
    there.wait(lambda: len(glob.glob(there.site("outbox/*.report.json"))) >= count, "not all was done", seconds)


def scaling(programs):
    for helpers in (1, 2, 4, 8, 16):
        with fleets.fleet(programs, helpers=helpers, pipelines=sleeping(1000), patience="30s") as there:
            there.start("keeper")
            there.helpers_there(helpers)
            count = 20 * helpers
            for number in range(count):
                there.drop(f"s{number}.txt", b"%d\n" % number)
            there.wait(lambda: len(there.reports()) > 0, "nothing was done")
            # From the first to the last result: how long it takes to begin is another question.
            finished = []
            done(there, count)
            for path in glob.glob(there.site("outbox/*.report.json")):
                with open(path, "rb") as file:
                    step = json.load(file)
                finished.append(os.path.getmtime(path) if not step.get("finished") else step["finished"])
            span = seconds_between(finished)
            best = (count / helpers - 1) * 1.0
            print(f"{helpers:3} helpers: {count} steps of 1 s, {span:.2f} s from the first result to the last,"
                  f" at best {best:.2f} s: {best / span:.3f}", flush=True)


def seconds_between(times):
    import datetime
    parsed = [datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp() if isinstance(time, str) else time
              for time in times]
    return max(parsed) - min(parsed)


def cpu(programs, folder, rounds):
    pictures = sorted(path for path in glob.glob(os.path.join(folder, "*")) if path.endswith((".jpg", ".png", ".tif")))
    print(f"{len(pictures)} pictures")
    results = {"here": [], "away": []}
    for _ in range(rounds):
        for where in results:
            away = where == "away"
            with fleets.fleet(programs, helpers=1 if away else 0, slots=2, pipelines=OCR, local=not away, patience="30s") as there:
                if not away:
                    there.kill("broker")
                    configuration = json.load(open(there.site("pipelines.json"), encoding="utf-8"))
                    del configuration["fleet"]
                    there.site.configure(configuration)
                there.start("keeper")
                if away:
                    there.helpers_there(1)
                else:
                    there.wait(lambda: b" ready " in there.log("keeper"), "procd did not start")
                processes = [process for process in there.processes.values() if process.poll() is None]
                before, start = processor(processes), time.time()
                for path in pictures:
                    shutil.copy(path, there("aside-picture"))
                    os.rename(there("aside-picture"), there.site(f"inbox/{os.path.basename(path)}"))
                there.wait(lambda: not os.listdir(there.site("inbox")) and not os.listdir(there.site("spool/claimed"))
                           and len(glob.glob(there.site("*/*.report.json"))) >= len(pictures), "not all was done", 3600)
                results[where].append((processor(processes) - before, time.time() - start))
                print(f"  {where}: {results[where][-1][0]:.1f} s of processor, {results[where][-1][1]:.1f} s", flush=True)
    here, away = ([statistics.median(values) for values in zip(*results[where])] for where in ("here", "away"))
    print(f"away against here: processor {away[0] / here[0]:.3f}, time {away[1] / here[1]:.3f},"
          f" {(away[0] - here[0]) / len(pictures) * 1000:.0f} ms of processor a picture")


def delay(programs):
    times = {}
    for where in ("here", "away"):
        with fleets.fleet(programs, helpers=1, pipelines=sleeping(0), patience="30s", local=where == "here",
                          workers=1) as there:
            there.start("keeper")
            there.helpers_there(1)
            taken = []
            for number in range(100):
                there.drop(f"d{number}.txt", b"%d\n" % number)
                there.wait(lambda: os.path.exists(there.site(f"outbox/d{number}.txt.report.json")), "not done")
            for report in there.reports().values():
                taken += [step["wallMs"] for step in report["steps"] if ("machine" in step) == (where == "away")]
            times[where] = statistics.median(taken)
            print(f"{where}: {len(taken)} steps, median {times[where]} ms", flush=True)
    print(f"the way adds {times['away'] - times['here']} ms")


def pages(programs, picture, count):
    for helpers in (0, 1, 2, 4):
        with fleets.fleet(programs, helpers=helpers, pipelines=OCR, local=helpers == 0, patience="30s") as there:
            subprocess.run([sys.executable, "-c",
                            "import sys; from PIL import Image; i = Image.open(sys.argv[1]).convert('L');"
                            "i.save(sys.argv[2], save_all=True, append_images=[i] * (int(sys.argv[3]) - 1))",
                            picture, there("scan.pdf"), str(count)], check=True)
            there.start("keeper")
            if helpers:
                there.helpers_there(helpers)
            else:
                there.wait(lambda: b" ready " in there.log("keeper"), "procd did not start")
            os.rename(there("scan.pdf"), there.site("inbox/scan.pdf"))
            start = time.time()
            done(there, 1)
            step = there.reports()["scan.pdf.report.json"]["steps"][0]
            print(f"{helpers} helpers: {count} pages in {time.time() - start:.1f} s, {step['cpuMs'] / 1000:.1f} s of processor,"
                  f" by {step.get('machine', 'this machine')}", flush=True)


def memory(programs, count):
    with fleets.fleet(programs, helpers=1, pipelines=sleeping(50), patience="30s") as there:
        there.start("keeper")
        there.helpers_there(1)
        for number in range(count):
            there.drop(f"m{number}.txt", b"%d\n" % number)
            if number % 1000 == 999:
                print(f"{number + 1} files dropped, {len(os.listdir(there.site('inbox')))} wait: keeper"
                      f" {resident(there.processes['keeper']):.0f} MiB", flush=True)
        while (waiting := len(os.listdir(there.site("inbox")))) > 10:
            print(f"{waiting} wait: keeper {resident(there.processes['keeper']):.0f} MiB", flush=True)
            time.sleep(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["scaling", "cpu", "delay", "pages", "memory"])
    parser.add_argument("--programs", help="the folder of the built programs (or PROCD_PROGRAMS)")
    parser.add_argument("--pictures", help="a folder of pictures, or for pages one picture")
    parser.add_argument("--count", type=int, help="of pages (300), files (10000) or rounds (3)")
    options = parser.parse_args()
    programs = sites.programs(options.programs)
    if options.what == "cpu":
        cpu(programs, options.pictures, options.count or 3)
    elif options.what == "pages":
        pages(programs, options.pictures, options.count or 300)
    elif options.what == "memory":
        memory(programs, options.count or 10_000)
    else:
        {"scaling": scaling, "delay": delay}[options.what](programs)


if __name__ == "__main__":
    main()
