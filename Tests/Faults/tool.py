"""What all tools have in common on the command line: the argument that names the programs, and how a tool ends.

One place, so that each tool starts alike, by hand, by the tests and by all.py, which also reads its last line."""

import argparse
import json

PROGRAMS = "the folder of the built programs (or PROCD_PROGRAMS)"


def parser(description, programs=PROGRAMS):
    """A parser with --programs; the description is the tool's own docstring, printed as it stands there."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", help=programs)
    return parser


def end(bad, counts):
    """Prints what is wrong and a line of counts, as JSON; the tool's exit code. At once, because a tool that runs
    for hours prints several."""
    print("\n".join(bad + [json.dumps(counts)]), flush=True)
    return 1 if bad else 0
