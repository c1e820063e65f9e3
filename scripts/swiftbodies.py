"""Finds the bodies of functions in Swift's text, and writes variants of a body beside it, one of which is chosen as it runs.

That way all mutants of a tree are built once, where each would else take a build of all modules above the changed one.
"""
import re

MODIFIER = (
    r'(?:@\w+(?:\([^()]*\))?|public|package|internal|private|fileprivate|open|static|final|mutating|nonmutating|nonisolated|'
    r'override|convenience|required|lazy|weak|unowned|indirect|consuming|borrowing|class(?=\s+(?:func|var)\b))(?:\(\w+\))?\s+')
DECLARATION = re.compile(
    r'^\s*(?:' + MODIFIER + r')*(struct|enum|class|actor|extension|protocol|func|init|var|let|subscript|deinit)\b', re.M)
TYPES = {'struct', 'enum', 'class', 'actor', 'extension', 'protocol'}
ACCESSORS = re.compile(r'\s*(?:' + MODIFIER + r')*(get|set|_read|_modify|willSet|didSet)\b')
# What a closure captures and takes, if anything.
PARAMETERS = re.compile(r'(?:[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:\([^()\n]*\)|[\w, ]+)?[^{}\n=]*?\bin\b(?=\s))?')
# Where a body is chosen: a global variable of each module.
CHOICE = 'activeMutant'


class Body:
    """Two braces, the positions of which are `start` and `end`, and what stands before the first."""

    def __init__(self, start, header):
        self.start, self.header, self.end = start, header, None

    @property
    def kind(self):
        found = list(DECLARATION.finditer(self.header))
        return found[-1].group(1) if found else None


def bodies(text):
    """All pairs of braces outside of comments (which may not be nested), strings and `#/…/#`, in the order of their beginnings."""
    found, open_ones = [], []
    # What ends the code at hand: a brace, or the parenthesis of an interpolation with the string to go on with.
    modes = [['code', 0]]
    position, last = 0, 0
    while position < len(text):
        mode = modes[-1]
        if mode[0] == 'string':
            _, quote, hashes = mode
            escape = '\\' + hashes
            if text.startswith(escape, position):
                if text.startswith('(', position + len(escape)):
                    modes.append(['code', 1])
                    position += len(escape) + 1
                else:
                    position += len(escape) + 1
            elif text.startswith(quote + hashes, position):
                modes.pop()
                position += len(quote + hashes)
            else:
                position += 1
            continue
        character = text[position]
        if text.startswith('//', position):
            position = text.find('\n', position)
            if position < 0:
                break
        elif text.startswith('/*', position):
            position = text.index('*/', position) + 2
        elif text.startswith('#/', position):
            position = text.index('/#', position) + 2
        elif match := re.compile(r'(#*)("""|")').match(text, position):
            modes.append(['string', match.group(2), match.group(1)])
            position = match.end()
        else:
            if character == '(' and mode[1]:
                mode[1] += 1
            elif character == ')' and mode[1]:
                mode[1] -= 1
                if mode[1] == 0:
                    modes.pop()
            elif character == '{':
                body = Body(position, text[last:position])
                found.append(body)
                open_ones.append(body)
                last = position + 1
            elif character == '}':
                open_ones.pop().end = position
                last = position + 1
            position += 1
    return found


def enclosing(text, start, end):
    """The outermost body of a function, an initializer or an accessor around a piece of text; `None` where there is none."""
    around = [body for body in bodies(text) if body.start < start and end <= body.end]
    for index, body in enumerate(around):
        if body.kind in TYPES:
            continue
        if body.kind in {'var', 'subscript'} and ACCESSORS.match(text, body.start + 1):
            return around[index + 1] if index + 1 < len(around) else None
        return body
    return None


def with_variants(text, changes):
    """The text with all changes, each beside what it replaces.

    `changes` are tuples (start, end, replacement, number): the variants with that number are chosen where the global
    variable has it. Each lies in a function.
    """
    groups = {}
    for change in changes:
        body = enclosing(text, change[0], change[1])
        groups.setdefault((body.start, body.end), []).append(change)
    for (start, end), group in sorted(groups.items(), reverse=True):
        original = text[start + 1:end]
        # What a closure takes goes first, for all variants.
        opening = PARAMETERS.match(original).end() if re.search(r'=\s*(\w+\s*)?$', text[:start]) else 0
        cases = []
        for number in sorted({change[3] for change in group}):
            variant, shift = original, start + 1
            for first, last, replacement, _ in sorted((c for c in group if c[3] == number), reverse=True):
                variant = variant[:first - shift] + replacement + variant[last - shift:]
            variant = variant[opening:]
            statements = re.sub(r'//[^\n]*', '', variant).strip()
            cases.append(f'case {number}:\n{variant if statements else "return"}\n')
        text = (
            text[:start + 1] + original[:opening] + f'\nswitch {CHOICE} {{\n' + ''.join(cases)
            + f'default:\n{original[opening:]}\n}}\n' + text[end:])
    return text


SWITCH = f'''#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#else
import Musl
#endif

@usableFromInline let {CHOICE}: Int = getenv("REPOKIT_MUTANT").flatMap {{ Int(String(cString: $0)) }} ?? 0
'''
