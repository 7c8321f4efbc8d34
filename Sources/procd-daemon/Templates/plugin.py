#!/usr/bin/env python3
"""A step of procd. Messages are JSON, a line each, on standard input and output; each line must be flushed.
Standard error is free for words of yours."""
import json
import os
import sys


def say(kind, **members):
    print(json.dumps({"t": kind, **members}), flush=True)


def run(message):
    """Reads the input, writes below out/, and gives facts."""
    with open(message["in"]["source"]["path"], "rb") as file:
        lines = file.read().count(b"\n")
    if lines < message["options"]["least"]:
        raise ValueError(f"the text has {lines} lines only")
    with open(os.path.join(message["work"], "out", "lines.json"), "x", encoding="utf-8") as file:
        json.dump({"lines": lines}, file)
    return {"lines": lines}


for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        say("hello", protocol=1)
    elif message["t"] == "run":
        try:
            facts = run(message)
        except ValueError as error:
            # The file is at fault: it goes to the quarantine and is not tried again.
            say("done", id=message["id"], ok=False,
                error={"class": "input", "code": "text.short", "msg": str(error)})
        else:
            say("artifact", id=message["id"], role="json", path="out/lines.json", mime="application/json")
            say("done", id=message["id"], ok=True, facts=facts)
    elif message["t"] == "bye":
        break
