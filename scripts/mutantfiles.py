"""The files of Tests/Mutants: what is in them, where they apply, and whether they still do (mutants.py tells their form)."""
import os
import re
import subprocess
import sys
import zlib

import swiftbodies

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, 'Tests', 'Mutants')
# What may stand between two tokens.
GAP = r'(?:\s|//[^\n]*\n)*'
TOKEN = re.compile(r'\w+|[^\w\s]')


class Mutant:
    """An entry of a file: `place` is the path of the file with the line of the entry's heading, and `text` what follows."""

    def __init__(self, place, name, text):
        self.place, self.name = place, name
        self.module = os.path.basename(place).partition('.')[0]
        head, *parts = re.split(r'^--- (.*)$\n?', text, flags=re.M)
        lines = [line for line in head.splitlines() if line.strip()]
        self.description = lines[0] if lines else ''
        options = dict(line.partition(':')[::2] for line in lines[1:])
        self.tests = options.get('tests', '').split()
        self.experiments = options.get('experiments', '').split()
        seconds = options.get('seconds', '60').strip()
        self.changes = list(zip(parts[1::4], parts[3::4]))
        unknown = sorted(set(options) - {'tests', 'experiments', 'seconds'})
        turns = ['find', 'replace'] * (len(parts) // 4)
        if not re.fullmatch(r'[\w-]+', name):
            self.fail('the name of a mutant is made of letters, digits and hyphens')
        if not self.description or self.description.partition(':')[0] in ('tests', 'experiments', 'seconds'):
            self.fail('the first line has to describe the mutant')
        if unknown:
            self.fail(f'there is no option {unknown[0]!r}, only tests, experiments and seconds')
        if 'tests' not in options or not self.tests + self.experiments:
            self.fail('no test and no experiment is named that has to notice')
        if not seconds.isdigit():
            self.fail(f'{seconds!r} is no number of seconds')
        if not parts or parts[0::2] != turns:
            self.fail('"--- find" and "--- replace" have to take turns')
        if any(not find.strip() for find, _ in self.changes):
            self.fail('a text to find is empty')
        if any(re.search(r'^(tests|experiments):', part, re.M) for part in parts):
            self.fail('the next mutant has no heading "## NAME"')
        if any(find.split() == replacement.split() for find, replacement in self.changes):
            self.fail('what replaces a text is the same text')
        self.seconds = int(seconds)

    def fail(self, reason):
        sys.exit(f'{self.place}: {self.name}: {reason}')

    def places(self, sources):
        """What changes, as tuples of a path, a beginning, an end and a replacement; a sentence where that is not certain."""
        places = []
        for find, replacement in self.changes:
            text = re.sub(r'//[^\n]*', '', find)
            pattern = re.compile(GAP.join(re.escape(token) for token in TOKEN.findall(text)))
            found = [(path, match) for path, source in sources.items() for match in pattern.finditer(source)]
            if len(found) != 1:
                return f'{len(found)} places instead of one for: {" ".join(find.split())[:90]}'
            path, match = found[0]
            if swiftbodies.enclosing(sources[path], match.start(), match.end()) is None:
                return f'in no function: {" ".join(find.split())[:90]}'
            places.append((path, match.start(), match.end(), replacement.rstrip('\n')))
        return places


def read_file(path):
    """The mutants of a file: one for each heading `## NAME`, with the line of the heading."""
    name = os.path.relpath(path, ROOT)
    before, *entries = re.split(r'^##(?!#)(.*)$\n?', open(path).read(), flags=re.M)
    if not re.fullmatch(r'# .+\n\s*', before):
        sys.exit(f'{name}:1: a file of mutants begins with one line "# TITLE", and each mutant with "## NAME"')
    line = before.count('\n') + 1
    mutants = []
    for heading, text in zip(entries[0::2], entries[1::2]):
        mutants.append(Mutant(f'{name}:{line}', heading.strip(), text))
        line += 1 + text.count('\n')
    return mutants


def read_mutants(words):
    """All mutants, or those whose names contain a word or whose file is called so, such as `SQLStore`."""
    paths = [os.path.join(FOLDER, name) for name in sorted(os.listdir(FOLDER))]
    mutants = [mutant for path in paths for mutant in read_file(path)]
    places = {}
    for mutant in mutants:
        if mutant.name in places:
            mutant.fail(f'{places[mutant.name]} has the same name')
        places[mutant.name] = mutant.place
    return [mutant for mutant in mutants if not words or any(word in mutant.name or word == mutant.module for word in words)]


def read_sources(root, name='Sources'):
    sources = {}
    for folder, _, files in os.walk(os.path.join(root, name)):
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith('.swift'):
                sources[path] = open(path).read()
    return sources


def check(mutants):
    sources, known = read_sources(ROOT), suites()
    found = [(mutant, mutant.places(sources)) for mutant in mutants]
    broken = [(mutant, note) for mutant, note in found if isinstance(note, str)]
    for mutant, note in broken:
        print(f'{mutant.place}: {mutant.name} no longer applies: {note}')
    unknown = [(mutant, test) for mutant in mutants for test in mutant.tests if test not in known]
    page = open(os.path.join(ROOT, 'docs', 'reliability.md')).read()
    unknown += [(mutant, name) for mutant in mutants for name in mutant.experiments if f'\n| `{name}` |' not in page]
    for mutant, test in unknown:
        print(f'{mutant.place}: {mutant.name} names what is not there: {test}')
    modules = [
        (mutant, {os.path.relpath(path, ROOT).split(os.sep)[1] for path, *_ in places}) for mutant, places in found
        if not isinstance(places, str)]
    moved = [(mutant, names) for mutant, names in modules if mutant.module not in names]
    for mutant, names in moved:
        print(f'{mutant.place}: {mutant.name} belongs to {sorted(names)[0]}.md, by the sources that it changes')
    return not broken and not unknown and not moved


def suites():
    """The names of all suites, as `MODULE.TYPE`."""
    found = set()
    for folder in ['Tests', 'Faults', 'Fuzz']:
        for path, text in read_sources(ROOT, folder).items():
            parts = os.path.relpath(path, ROOT).split(os.sep)
            module = parts[1] if folder == 'Tests' else folder.removesuffix('s') + 'Tests'
            found |= {f'{module}.{name}' for name in re.findall(r'^(?:@Suite )?(?:final )?(?:struct|class|enum) (\w+)', text, re.M)}
    return found


def sample(mutants, size):
    """The next ones with each fourth commit, which is where CI tries them first, in an order apart from their names. Any
    others in a clone that does not know how many commits there are."""
    mutants.sort(key=lambda mutant: zlib.crc32(mutant.name.encode()))
    if git('rev-parse', '--is-shallow-repository') == 'true':
        turn = int(git('rev-parse', 'HEAD')[:8], 16)
    else:
        turn = int(git('rev-list', '--count', 'HEAD')) // 4
    first = turn * size % len(mutants)
    return (mutants[first:] + mutants)[:size]


def git(*arguments):
    return subprocess.run(['git', *arguments], cwd=ROOT, capture_output=True, check=True, text=True).stdout.strip()
