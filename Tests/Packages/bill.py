"""Whether a package's list of what is in it (SPDX) is well formed, and agrees with the package."""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = ("SPDXID", "name", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText")


def names_of(relations):
    """The names in a field such as Depends."""
    return {re.split(r"[ :(]", one.strip())[0] for one in relations.split(",") if one.strip()}


def linked(tree):
    """(library, program) for each library that a program of an installed tree is linked against."""
    for path in sorted(tree.rglob("procd*")):
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF":
            told = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout
            for library in re.findall(r"\(NEEDED\).*\[(.*)\]", told):
                yield library, path.name


def owner_of(library):
    """The Debian package on this machine that has a library, None if none has."""
    told = subprocess.run(["dpkg-query", "-S", f"*/{library}"], capture_output=True, text=True).stdout
    # Not those for other machines, which lie elsewhere.
    found = re.search(rf"^([^\s:,]+)(?::\S+)?: /(?:usr/)?lib/[^/]+/{re.escape(library)}$", told, flags=re.M)
    return found and found.group(1)


def complaints(tree, field):
    """Sentences about what is wrong; `field` gives a field of the package by its name."""
    path = tree / "usr/share/doc/procd/procd.spdx.json"
    if not path.exists():
        return ["the package has no procd.spdx.json"]
    bill = json.loads(path.read_text())
    found = []
    if (bill.get("spdxVersion"), bill.get("dataLicense"), bill.get("SPDXID")) != (
            "SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"):
        found.append("procd.spdx.json is no document of SPDX 2.3")
    if not bill.get("documentNamespace") or not bill.get("creationInfo", {}).get("creators"):
        found.append("procd.spdx.json has no namespace or no creator")
    packages = {one["SPDXID"]: one for one in bill["packages"]}
    if len(packages) != len(bill["packages"]):
        found.append("procd.spdx.json gives a name twice")
    for one in packages.values():
        found += [f"procd.spdx.json: {one['name']} has no {key}" for key in WANTED if not one.get(key)]
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one["SPDXID"]):
            found.append(f"procd.spdx.json: {one['SPDXID']} is no identifier")
    related = set()
    for one in bill["relationships"]:
        for end in (one["spdxElementId"], one["relatedSpdxElement"]):
            related.add(end)
            if end not in packages and end != "SPDXRef-DOCUMENT":
                found.append(f"procd.spdx.json relates to {end}, which it does not have")
    found += [f"procd.spdx.json: nothing relates to {end}" for end in packages if end not in related]
    itself = packages.get("SPDXRef-Package-procd", {})
    if itself.get("versionInfo") != field("Version"):
        found.append(f"procd.spdx.json is about version {itself.get('versionInfo')}")

    by_kind = {kind: {one["name"]: one for end, one in packages.items() if end.startswith(f"SPDXRef-{kind}-")}
               for kind in ("Swift", "Debian")}
    # Every library is told, and none that nothing needs.
    owners = {}
    for library, program in linked(tree):
        owners.setdefault(owner_of(library) or f"{library}, of no package here", program)
    found += [f"procd.spdx.json lacks {name}, which {program} is linked against"
              for name, program in owners.items() if name not in by_kind["Debian"]]
    stated = names_of(field("Depends")) | names_of(field("Suggests"))
    found += [f"procd.spdx.json has {name}, which the package neither depends on nor suggests"
              for name in by_kind["Debian"] if name not in stated]
    found += [f"procd.spdx.json has {name}, which nothing is linked against"
              for name in by_kind["Debian"] if name not in owners]
    resolved = ROOT / "Package.resolved"
    if resolved.exists():
        pins = {pin["identity"]: pin["state"]["version"] for pin in json.loads(resolved.read_text())["pins"]}
        told = {name: one.get("versionInfo") for name, one in by_kind["Swift"].items() if name != "swift-runtime"}
        found += [f"procd.spdx.json says {name} {told.get(name)}, and it was built with {pins.get(name)}"
                  for name in sorted(pins.keys() | told.keys()) if pins.get(name) != told.get(name)]
    return found
