#!/usr/bin/env python3
"""Checks how the sources are laid out, and prints what is not as CONTRIBUTING.md says.

The folders of a module are layers: files use the types of folders below their own, and what these add to other types, so no
two folders use each other, nor do several in a circle. No file is longer than 350 lines.

    python3 scripts/layers.py                  all modules
    python3 scripts/layers.py SQLStore         prints which folder uses which, and by what
"""
import collections
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
LONGEST = 350
TYPE = re.compile(
    r"^(?P<modifiers>(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*)(?:struct|class|enum|protocol|actor|typealias)\s+(?P<name>\w+)", re.M)
EXTENSION = re.compile(r"^(?:\w+ )*extension\s+\[?(?P<type>\w+)[^{}]*\{[ \t]*\n(?P<body>.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^  (?P<modifiers>(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*?)(?:func|var|let)\s+(?P<name>\w+)", re.M)
# Whatever has a name; of `case first, second` both.
DECLARED = re.compile(r"\b(?:func|var|let)\s+(\w+)|\bcase ((?:\w+(?:\([^()]*\))?(?:, )?)+)")
# Members that the standard library has, too.
COMMON = {"compare", "contains", "firstIndex", "get", "milliseconds"}
# By a module and two of its folders, why the first may use a member of the second.
REASONS = {("Query", "Resolution", "Evaluation"): "expressions of constants alone are resolved to what they evaluate to"}


def without_text(source):
    """The code alone: names in comments and texts are no uses."""
    source = re.sub(r'"""(?:.|\n)*?"""', '""', source)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', re.sub(r"//.*", "", source))


def declared(source):
    """The names of all functions, variables and cases."""
    for function, cases in DECLARED.findall(source):
        yield from [function] if function else re.findall(r"(\w+)(?:\([^()]*\))?", cases)


def members(sources, owners, everywhere):
    """By the name of a member that a folder adds to a type of elsewhere, and that nothing else has, the folder."""
    found = {}
    for path, source in sources.items():
        for extension in EXTENSION.finditer(source):
            if owners.get(extension["type"]) == path.parent:
                continue
            for member in MEMBER.finditer(extension["body"]):
                name = member["name"]
                if "private" not in member["modifiers"] and everywhere[name] == {path.parent} and name not in COMMON:
                    found[name] = path.parent
    return found


def uses(module, everywhere):
    """By each pair of folders, the names of the second that files of the first use."""
    sources = {path: without_text(path.read_text()) for path in (SOURCES / module).rglob("*.swift")}
    owners = {}
    for path, source in sources.items():
        for match in TYPE.finditer(source):
            if "private" not in match["modifiers"]:
                owners.setdefault(match["name"], path.parent)
    added = members(sources, owners, everywhere)
    found = collections.defaultdict(set)
    for path, source in sources.items():
        used = [(name, owners[name]) for name in set(re.findall(r"\b[A-Z]\w+", source)) & owners.keys()]
        used += [("." + name, added[name]) for name in set(re.findall(r"\.(\w+)", source)) & added.keys()]
        for name, folder in used:
            if folder != path.parent and (module, path.parent.name, folder.name) not in REASONS:
                found[path.parent.name, folder.name].add(f"{path.stem} uses {name}")
    return found


def circle(edges):
    """The folders that lead back to themselves."""
    reached = {folder: {second for first, second in edges if first == folder} for pair in edges for folder in pair}
    for _ in reached:
        for folder in reached:
            reached[folder] |= set().union(*(reached[other] for other in reached[folder]), set())
    return sorted(folder for folder in reached if folder in reached[folder])


def main(modules):
    faults = []
    everywhere = collections.defaultdict(set)
    for path in SOURCES.rglob("*.swift"):
        for name in declared(without_text(path.read_text())):
            everywhere[name].add(path.parent)
    for module in modules or sorted(path.name for path in SOURCES.iterdir() if path.is_dir()):
        edges = uses(module, everywhere)
        if modules:
            for (first, second), names in sorted(edges.items()):
                print(f"{module}: {first} -> {second}: {len(names)}: {', '.join(sorted(names)[:3])}")
        if folders := circle(edges):
            faults.append(f"{module}: these folders use each other in a circle: {', '.join(folders)}")
    for path in sorted(SOURCES.rglob("*.swift")):
        count = path.read_text().count("\n")
        if count > LONGEST:
            faults.append(f"{path.relative_to(SOURCES.parent)} has {count} lines, and {LONGEST} are the most")
    print("\n".join(faults) if faults else "the layers are in order")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
