#!/usr/bin/env python3
"""Checks the English of what users read: string literals in Sources, and the help texts.

A message has a subject, a verb and an object, in the present tense, and names the thing. Prints each literal with a phrase that
plain English says otherwise, and the better form. Comments are skipped.

    python3 scripts/wording.py                 all modules, and the golden help files
    python3 scripts/wording.py Sources/SQL     some files or folders
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = sorted(folder.name for folder in (ROOT / "Sources").iterdir())
HELP = ROOT / "Tests/repokitTests/Help/Golden"
LONGEST_SENTENCE = 25

PHRASES = [(re.compile(pattern, re.I), hint) for pattern, hint in [
    (r"(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)\w+", "is not a …"),
    (r"\b(?:is|are) none\b|\bhere are none\b", "name what is missing: there is no …, has no …"),
    (r"\b(?:is|are|be) (?:told|said|found out|asked for|looked at)\b", "say who does it: repokit reports …, lists …, reads …"),
    (r"\bwork(?:s|ed)? (?:it |them )?out\b", "compute, count, sum"),
    (r"\bhold(?:s|ing)?\b", "contain, store, have"),
    (r"\b(?:is|are) kept\b", "store"),
    (r"\btells?\b", "show, report, say which"),
    (r"\bmakes? no sense\b", "requires …, excludes …"),
    (r"\bleft out\b|\bleaves? (?:it |them |this )?out\b|\bleaves out\b", "omit, skip; for an option: (default: …)"),
    (r"\b(?:the|heavy|new|old|first|last|other|these|those|such|second|only) ones\b", "repeat the noun"),
    (r"(?:^|[,;:] )what (?!is\b)\w+|\bwhat (?:was|were|it|they|others) \w+", "name the subject"),
    (r"\b(?:was|were) to be\b", "can't …, because …"),
    (r"\btoo great\b|\bgreater than any\b", "too large"),
    (r"\b(?-i:where) (?:it|there|one|a|an|the|all|some|none|this|that)\b", "if …, when …"),
    (r"\bas it is\b|\bas they are\b", "unchanged, directly"),
    (r"\banew\b", "again"),
    (r"\bgoes without saying\b|\bnevertheless\b|\bamid\b|\bbe it\b", "say it in plain words"),
    (r"\b(?:called|named|written) otherwise\b", "choose another name, has another form"),
    (r"\bin ways of (?:its|their) own\b", "say what repokit can't do with the column"),
    (r"\b(?:can't|cannot) be (?:read|opened|written|made|created|unpacked|copied|dropped)\b(?! in)", "can't read …"),
    (r"\bfor the same (?:name|thing)?\b", "equal, the same as"),
    (r"\bis to be\b|\bare to be\b|\bhas to be\b|\bhave to be\b", "must be, is"),
]]


def skipped(text, position):
    """The end of an interpolation, whose parenthesis opens before a position."""
    depth = 1
    while depth and position < len(text):
        if text[position] == '"':
            position, _ = literal(text, position)
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def literal(text, position):
    """The end of the literal at a position, and its text with … for interpolations."""
    hashes = 0
    while text[position] == "#":
        hashes, position = hashes + 1, position + 1
    quote = '"""' if text.startswith('"""', position) else '"'
    position += len(quote)
    end, escape, body = quote + "#" * hashes, "\\" + "#" * hashes, []
    while position < len(text) and not text.startswith(end, position):
        if text.startswith(escape + "(", position):
            position = skipped(text, position + len(escape) + 1)
            body.append("…")
        elif text.startswith(escape, position):
            body.append(text[position:position + len(escape) + 1])
            position += len(escape) + 1
        else:
            body.append(text[position])
            position += 1
    return position + len(end), "".join(body)


def literals(text):
    """The literals outside of comments, those joined by `+` as one: line and text."""
    position, found, last = 0, [], -1
    while position < len(text):
        if text.startswith("//", position):
            position = text.find("\n", position) % (len(text) + 1)
        elif text.startswith("#/", position):
            position = text.find("/#", position) + 2
        elif text[position] == '"' or re.match(r'#+"', text[position:position + 4]):
            start = position
            position, body = literal(text, position)
            if last >= 0 and re.fullmatch(r"\s*\+\s*", text[last:start]):
                found[-1] = (found[-1][0], found[-1][1] + body)
            else:
                found.append((text.count("\n", 0, start) + 1, body))
            last = position
        else:
            position += 1
    return found


def problems(text):
    """The phrases of a text that plain English says otherwise, with hints."""
    text = re.sub(r"\s+", " ", text.replace("\\n", " "))
    if " " not in text.strip():
        return
    for pattern, hint in PHRASES:
        if found := pattern.search(text):
            yield f"“{found[0].strip()}”: {hint}"


def long_sentences(text):
    """The sentences of the paragraphs of a help text that are too long; lists and usages are none."""
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith("  ") or re.match(r"\w+( \w+)?\n  ", paragraph):
            continue
        for sentence in re.split(r"[.;:?](?:\s+|$)", re.sub(r"\s+", " ", paragraph)):
            if len(sentence.split()) > LONGEST_SENTENCE:
                yield sentence


def main():
    paths = [pathlib.Path(name) for name in sys.argv[1:]] or [ROOT / "Sources" / name for name in MODULES]
    count = 0
    for path in paths:
        for file in sorted(path.rglob("*.swift")) if path.is_dir() else [path]:
            for line, text in literals(file.read_text()):
                for problem in problems(text):
                    print(f"{file.resolve().relative_to(ROOT)}:{line}: {problem}")
                    count += 1
    if not sys.argv[1:]:
        for file in sorted(HELP.iterdir()):
            for problem in problems(file.read_text()):
                print(f"{file.relative_to(ROOT)}: {problem}")
                count += 1
            for sentence in long_sentences(file.read_text()):
                print(f"{file.relative_to(ROOT)}: more than {LONGEST_SENTENCE} words: {sentence}")
                count += 1
    if count:
        sys.exit(f"{count} phrases to mend: see *Wording* in CONTRIBUTING.md")


main()
