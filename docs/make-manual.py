#!/usr/bin/env python3
"""Writes the manual page procd(1) from the commands' own declarations, so that both say the same.

    docs/make-manual.py .build/release/procd-daemon > docs/procd.1
"""
import json
import subprocess
import sys

FILES = [
    ("pipelines.json", "What is done with which file; found by -c, then $PROCD_CONFIG, then in the "
     "current folder, then in /etc/procd."),
    ("inbox/, outbox/, archive/, quarantine/", "Where files go in, where results and reports come "
     "out, where originals end."),
    ("spool/", "procd's own folder; not to be touched while files are in work."),
]
EXIT_STATUS = [
    ("0", "All well."),
    ("1", "health, doctor or verify found something; lookup, find or unfollow found nothing; reload found no "
     "running procd; a question of init was not answered."),
    ("64", "Wrong usage."),
    ("65", "Some input could not be processed."),
    ("69, 71, 73, 74", "A program of procd is missing, a process could not be confined, the output "
     "folder cannot be used, output could not be written."),
    ("70", "The ledger is damaged."),
    ("75", "Some input waits, or another procd holds the folders."),
    ("77", "The spool belongs to another user."),
    ("78", "The configuration is wrong."),
    ("130", "A signal ended convert, or a second one run or work."),
]


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def paragraphs(text):
    return escaped(text).replace("\n\n", "\n.PP\n")


def spelled(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def wanted(argument):
    if not argument.get("shouldDisplay", True):
        return False
    return argument.get("preferredName", {}).get("name") not in ("help", "version")


def synopsis(command):
    words = []
    for argument in command.get("arguments", []):
        if not wanted(argument):
            continue
        if argument["kind"] == "positional":
            word = f"<{argument['valueName']}>"
        else:
            word = spelled(argument["preferredName"])
            if argument["kind"] == "option":
                word += f" <{argument['valueName']}>"
        if argument.get("isRepeating"):
            word += " ..."
        words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(words)


def write_argument(argument):
    if argument["kind"] == "positional":
        head = f"<{argument['valueName']}>"
    else:
        head = ", ".join(spelled(name) for name in argument["names"])
        if argument["kind"] == "option":
            head += f" <{argument['valueName']}>"
    text = argument.get("abstract", "")
    values = argument.get("allValues")
    if values:
        text += f" One of: {', '.join(values)}."
    if argument.get("defaultValue") and argument["kind"] != "flag":
        text += f" Default: {argument['defaultValue']}."
    print(f".TP\n.B {escaped(head)}\n{escaped(text)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    dump = subprocess.run(
        [sys.argv[1], "--experimental-dump-help"], check=True, capture_output=True, text=True)
    version = subprocess.run(
        [sys.argv[1], "--version"], check=True, capture_output=True, text=True).stdout.strip()
    program = json.loads(dump.stdout)["command"]
    overview, _, _ = program["discussion"].partition("\n\nExit codes")
    print('.\\" Made by docs/make-manual.py; not to be edited by hand.')
    print(f'.TH PROCD 1 "" "{version}" "User Commands"')
    print(f".SH NAME\nprocd \\- {escaped(program['abstract'].rstrip('.').lower())}")
    print(".SH SYNOPSIS\n.B procd\n.I command\n[options]")
    print(f".SH DESCRIPTION\n{paragraphs(overview)}")
    print(".SH COMMANDS")
    for command in program["subcommands"]:
        if command["commandName"] == "help" or not command.get("shouldDisplay", True):
            continue
        name = command["commandName"]
        print(f".SS procd {escaped(name)}\n{escaped(synopsis(command))}\n.PP")
        print(paragraphs(command.get("abstract", "")))
        if command.get("discussion"):
            print(f".PP\n{paragraphs(command['discussion'])}")
        for argument in filter(wanted, command.get("arguments", [])):
            write_argument(argument)
    print(".SH EXIT STATUS")
    for status, text in EXIT_STATUS:
        print(f".TP\n.B {status}\n{escaped(text)}")
    print(".SH FILES")
    for name, text in FILES:
        print(f".TP\n.I {escaped(name)}\n{escaped(text)}")


main()
