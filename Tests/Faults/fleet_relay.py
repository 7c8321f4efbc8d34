#!/usr/bin/env python3
"""Stands where procd expects procd-fleet, passes all on to the real one, and kills somebody at a chosen message.

Reads relay.json beside it: `side` (a part of the connection's name), `at` (the number of the message, both ways
counted together; 0 for none), `victim` (`host`: who started it, `self`: the real procd-fleet, or a process by number).
Once it has killed, it leaves `relay.done`, so that what is started anew is left alone. How many messages there were
is kept in relay.SIDE.count."""

import json
import os
import signal
import struct
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(HERE, "relay.json"), encoding="utf-8") as file:
        plan = json.load(file)
    real = subprocess.Popen([os.path.join(HERE, "procd-fleet.real")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    lock, count, side = threading.Lock(), [0], [None]

    def frame(stream):
        head = stream.read(8)
        if len(head) < 8:
            return None
        lengths = struct.unpack(">II", head)
        return head + stream.read(sum(lengths)), lengths[0]

    def message():
        """Counts a message, and kills where it is the one."""
        with lock:
            count[0] += 1
            if side[0]:
                with open(os.path.join(HERE, f"relay.{side[0]}.count"), "w", encoding="ascii") as file:
                    file.write(str(count[0]))
            done = os.path.join(HERE, "relay.done")
            if not side[0] or count[0] != plan["at"] or os.path.exists(done):
                return
            open(done, "w").close()
            victim = {"host": os.getppid(), "self": real.pid}.get(plan["victim"], plan["victim"])
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def relay(source, sink):
        while True:
            got = frame(source)
            if got is None:
                break
            bytes, length = got
            if side[0] is None and source is sys.stdin.buffer:
                name = json.loads(bytes[8:8 + length])["name"]
                side[0] = plan["side"] if plan["side"] in name else ""
            message()
            try:
                sink.write(bytes)
                sink.flush()
            except (BrokenPipeError, ValueError):
                break
        if source is sys.stdin.buffer:
            real.kill()

    threading.Thread(target=relay, args=(sys.stdin.buffer, real.stdin), daemon=True).start()
    relay(real.stdout, sys.stdout.buffer)
    os._exit(real.wait() and 1)


main()
