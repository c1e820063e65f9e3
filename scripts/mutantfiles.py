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
    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix('.mutant')
        head, *parts = re.split(r'^--- (find|replace)$\n?', open(path).read(), flags=re.M)
        lines = [line for line in head.splitlines() if line.strip()]
        self.description = lines[0] if lines else ''
        options = dict(line.partition(':')[::2] for line in lines[1:])
        self.tests = options.get('tests', '').split()
        self.experiments = options.get('experiments', '').split()
        self.seconds = int(options.get('seconds', 60))
        self.changes = list(zip(parts[1::4], parts[3::4]))
        unknown = sorted(set(options) - {'tests', 'experiments', 'seconds'})
        if unknown:
            sys.exit(f'{path}: there is no option {unknown[0]}')
        if 'tests' not in options or not self.tests + self.experiments:
            sys.exit(f'{path}: no test and no experiment is named that has to notice')
        if not parts or parts[0::4] != ['find'] * (len(parts) // 4) or parts[2::4] != ['replace'] * (len(parts) // 4):
            sys.exit(f'{path}: find and replace have to take turns')
        if any(find.split() == replacement.split() for find, replacement in self.changes):
            sys.exit(f'{path}: what replaces a text is the same text')

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


def read_mutants(words):
    """All mutants, or those whose names contain a word."""
    mutants = [Mutant(os.path.join(FOLDER, name)) for name in sorted(os.listdir(FOLDER)) if name.endswith('.mutant')]
    return [mutant for mutant in mutants if not words or any(word in mutant.name for word in words)]


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
    broken = [(mutant, note) for mutant in mutants if isinstance(note := mutant.places(sources), str)]
    for mutant, note in broken:
        print(f'{mutant.name} no longer applies: {note}')
    unknown = [(mutant, test) for mutant in mutants for test in mutant.tests if test not in known]
    page = open(os.path.join(ROOT, 'docs', 'reliability.md')).read()
    unknown += [(mutant, name) for mutant in mutants for name in mutant.experiments if f'\n| `{name}` |' not in page]
    for mutant, test in unknown:
        print(f'{mutant.name} names what is not there: {test}')
    return not broken and not unknown


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
