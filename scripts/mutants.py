#!/usr/bin/env python3
"""Breaks the sources on purpose, a mutant at a time, and checks that the tests notice.

Usage: mutants.py [--check] [NAME …]     all mutants of Tests/Mutants, or those whose names contain one of the words

With --check, nothing is built: it only looks whether each mutant still applies.

A mutant is a file of Tests/Mutants, NAME.mutant:

    What is wrong with it, in a sentence
    tests: SQLiteStoreTests.CommitTests RepositoryTests.ChangesTests
    --- find
    signal.note()
    --- replace
    --- find
    …

Each text to find occurs once in Sources, in whatever file; spaces, line breaks and comments do not matter to it. The
replacement may be empty. `tests` names the suites that have to fail. A test that hangs fails by its time (`seconds: 60`).

The sources are copied to .build/mutants, with the test targets that the mutants name, and built there step by step. Exits
with 1 where a mutant survives, does not compile or no longer applies.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, 'Tests', 'Mutants')
WORK = os.path.join(ROOT, '.build', 'mutants')
TREE = os.path.join(WORK, 'tree')
SWIFT = os.environ.get('SWIFT', 'swift')
# What may stand between two tokens.
GAP = r'(?:\s|//[^\n]*\n)*'
TOKEN = re.compile(r'\w+|[^\w\s]')


class Mutant:
    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix('.mutant')
        head, *parts = re.split(r'^--- (find|replace)$\n?', open(path).read(), flags=re.M)
        lines = [line for line in head.splitlines() if line.strip()]
        self.description = lines[0]
        options = dict(line.split(':', 1) for line in lines[1:])
        self.tests = options['tests'].split()
        self.seconds = int(options.get('seconds', 60))
        if parts[0::4] != ['find'] * (len(parts) // 4) or parts[2::4] != ['replace'] * (len(parts) // 4):
            sys.exit(f'{path}: find and replace have to take turns')
        self.changes = list(zip(parts[1::4], parts[3::4]))

    def apply(self, sources):
        """The files that change, by path; a sentence where the mutant does not apply."""
        changed = {}
        for find, replacement in self.changes:
            text = re.sub(r'//[^\n]*', '', find)
            pattern = re.compile(GAP.join(re.escape(token) for token in TOKEN.findall(text)))
            found = [
                (path, match) for path, source in sources.items()
                for match in pattern.finditer(changed.get(path, source))
            ]
            if len(found) != 1:
                return f'{len(found)} places instead of one for: {" ".join(find.split())[:90]}'
            path, match = found[0]
            source = changed.get(path, sources[path])
            changed[path] = source[:match.start()] + replacement.rstrip('\n') + source[match.end():]
        return changed


def write(path, data):
    """Writes a file unless it holds that already, so that only what changed is built again."""
    try:
        if open(path, 'rb').read() == data:
            return
    except OSError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(data)


def manifest(text, modules):
    """The manifest without the test targets that no mutant needs, and without the programs that none of these needs."""

    def parts(kind):
        for start in reversed([match.start() for match in re.finditer(r'\.' + kind + r'\(', text)]):
            depth, end = 0, start
            while depth > 0 or text[end - 1] != ')':
                depth += {'(': 1, ')': -1}.get(text[end], 0)
                end += 1
            yield start, end, re.search(r'name: "(\w+)"', text[start:end]).group(1)

    def without(start, end):
        return text[:start] + text[end:].lstrip().removeprefix(',').lstrip()

    needed = ''
    for start, end, name in parts('testTarget'):
        if name in modules:
            needed += text[start:end]
        else:
            text = without(start, end)
    for kind in ['executableTarget', 'executable']:
        for start, end, name in parts(kind):
            if f'"{name}"' not in needed:
                text = without(start, end)
    return text


def copy(modules):
    listed = subprocess.run(
        ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split('\0') if name and os.path.isfile(os.path.join(ROOT, name))}
    for name in names:
        data = open(os.path.join(ROOT, name), 'rb').read()
        if name == 'Package.swift':
            data = manifest(data.decode(), modules).encode()
        write(os.path.join(TREE, name), data)
    for folder, folders, files in os.walk(TREE):
        if folder == TREE and '.build' in folders:
            folders.remove('.build')
        for file in files:
            path = os.path.join(folder, file)
            if os.path.relpath(path, TREE) not in names | {'Package.resolved'}:
                os.remove(path)


def run(arguments, log, seconds=None):
    """The exit status; None where time was up. What the command started ends with it."""
    with open(log, 'wb') as output:
        process = subprocess.Popen(
            arguments, cwd=TREE, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def build(log):
    return run([SWIFT, 'build', '--build-tests'], log) == 0


def test(tests, log, seconds):
    """Whether the tests pass, and how many there were."""
    arguments = [SWIFT, 'test', '--skip-build']
    for name in tests:
        arguments += ['--filter', '^' + re.escape(name) + r'\b']
    status = run(arguments, log, seconds)
    counts = re.findall(r'Test run with (\d+) test', open(log, errors='replace').read())
    return status == 0, int(counts[-1]) if counts else 0


def read_sources(root):
    sources = {}
    for folder, _, files in os.walk(os.path.join(root, 'Sources')):
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith(('.swift', '.c', '.h')):
                sources[path] = open(path).read()
    return sources


def check(mutants):
    sources = read_sources(ROOT)
    broken = [(mutant, note) for mutant in mutants if isinstance(note := mutant.apply(sources), str)]
    for mutant, note in broken:
        print(f'{mutant.name} no longer applies: {note}')
    print(f'{len(mutants) - len(broken)} of {len(mutants)} mutants apply')
    sys.exit(1 if broken else 0)


def main(words):
    checks = '--check' in words
    words = [word for word in words if word != '--check']
    mutants = [Mutant(os.path.join(FOLDER, name)) for name in sorted(os.listdir(FOLDER)) if name.endswith('.mutant')]
    mutants = [mutant for mutant in mutants if not words or any(word in mutant.name for word in words)]
    if not mutants:
        sys.exit('no mutant has such a name')
    if checks:
        check(mutants)
    logs = os.path.join(WORK, 'logs')
    shutil.rmtree(logs, ignore_errors=True)
    os.makedirs(logs)
    copy({test.split('.')[0] for mutant in mutants for test in mutant.tests})
    sources = read_sources(TREE)
    applied = {mutant.name: mutant.apply(sources) for mutant in mutants}
    log = os.path.join(logs, 'unbroken.log')
    print('building and testing the unbroken sources…', flush=True)
    if not build(log):
        print(open(log).read()[-4000:])
        sys.exit(f'the unbroken sources do not build: {log}')
    for tests in sorted({tuple(mutant.tests) for mutant in mutants}):
        passes, count = test(tests, log, 600)
        if not passes or count == 0:
            print(open(log).read()[-4000:])
            sys.exit(f'{" ".join(tests)}: {"no such test" if passes else "fails already"}, {log}')

    verdicts = {}
    for mutant in mutants:
        start = time.monotonic()
        log = os.path.join(logs, mutant.name + '.log')
        changed = applied[mutant.name]
        note = ''
        if isinstance(changed, str):
            verdict, note = 'no longer applies', changed
        else:
            for path, text in changed.items():
                write(path, text.encode())
            if not build(log):
                verdict, note = 'does not compile', log
            else:
                passes, _ = test(mutant.tests, log, mutant.seconds)
                verdict = 'survived' if passes else 'killed'
            for path in changed:
                write(path, sources[path].encode())
        verdicts.setdefault(verdict, []).append(mutant.name)
        print(f'{verdict:17} {mutant.name}, {time.monotonic() - start:.0f} s: {mutant.description}', flush=True)
        if note:
            print(f'{"":17} {note}', flush=True)
    print(', '.join(f'{len(names)} {verdict}' for verdict, names in sorted(verdicts.items())))
    sys.exit(0 if set(verdicts) == {'killed'} else 1)


main(sys.argv[1:])
