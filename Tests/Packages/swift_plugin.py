#!/usr/bin/env python3
"""A plugin in a package of Swift, from an empty folder to a result, as docs/swift-plugin.md has it.

    Tests/Packages/swift_plugin.py --programs .build/release

Needs Swift, and takes two minutes: the libraries that PluginKit needs are built once more. The packages come from
SwiftPM's cache or from the network.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

NAME = "word-list"


def run(*words, at):
    done = subprocess.run([str(word) for word in words], cwd=at, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=".build/release")
    options = parser.parse_args()
    procd = (pathlib.Path(options.programs) / "procd").resolve()
    repository = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as root:
        place = pathlib.Path(root)
        told = run(procd, "plugins", "new", NAME, "--language", "swift-package", "--sources", repository, at=place)
        package = place / NAME
        # Its own words, up to trying the step.
        steps = [line.strip() for line in told.splitlines() if line.startswith("  ")]
        assert steps[0] == f"cd {NAME}" and steps[1].startswith("swift build ") and steps[2].startswith("cp "), told
        for step in steps[1:3]:
            run(*step.split(), at=package)
        (package / "some.txt").write_text("one\ntwo and three\n")
        tried = run(procd, "plugins", "try", f"plugins/{NAME}", "some.txt", at=package)
        for fact in ("lines = 2", 'longest = "two and three"', "average = 9", "blank = false"):
            assert f"fact   {fact}" in tried, tried
        assert "procd:" not in tried, tried
        (place / "pipelines.json").write_text(json.dumps({
            "version": 1, "plugins": [f"{NAME}/plugins"], "inbox": {"path": "inbox", "settle": "50ms"},
            "pipelines": [{"id": "words", "match": {"mime": "text/plain"}, "emit": ["count.json"], "steps": [
                {"id": "count", "use": "word_list.count", "with": {"least": 2}, "expect": {"minLines": 2}}]}]}))
        run(procd, "check", at=place)
        (place / "inbox").mkdir(exist_ok=True)
        (place / "inbox/some.txt").write_text("one\ntwo\n")
        run(procd, "run", "--once", at=place)
        result = json.loads((place / "outbox/some.json").read_text())
        assert result == {"lines": 2, "longest": "one", "average": 4, "blank": False}, result
    print("a plugin in a package of Swift: written, built, tried, and run by a rule")


if __name__ == "__main__":
    main()
