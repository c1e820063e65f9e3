#!/usr/bin/env python3
"""Checks that each public type of a module is linked from a page of its documentation.

    python3 scripts/docslinks.py SYMBOLS MODULE …      the folder with a folder of symbol graphs for each module

A type that only the compiler needs is marked `@_documentation(visibility: internal)`, and has no symbol.
"""
import json
import pathlib
import re
import sys

KINDS = {"swift.struct", "swift.enum", "swift.class", "swift.protocol", "swift.typealias"}

root = pathlib.Path(__file__).resolve().parent.parent
pages = "\n".join(page.read_text() for page in root.glob("Sources/*/*.docc/*.md"))
pages = re.sub(r"^```.*?^```", "", pages, flags=re.M | re.S)
linked = {name for link in re.findall(r"``([^`]+)``", pages) for name in re.split(r"[/(]", link)}
missing = []
for module in sys.argv[2:]:
    graph = json.loads((pathlib.Path(sys.argv[1]) / module / f"{module}.symbols.json").read_text())
    for symbol in graph["symbols"]:
        path = symbol["pathComponents"]
        if symbol["kind"]["identifier"] in KINDS and len(path) == 1 and path[0] not in linked:
            missing.append(f"{module}.{path[0]}")
if missing:
    sys.exit("no page links to " + ", ".join(sorted(missing)))
