#!/usr/bin/env python3
"""Breaks the sources on purpose, a mutant at a time, and checks that the tests notice.

Usage: mutants.py [--check] [--sample N] [NAME …]   all mutants of Tests/Mutants, or those whose names contain a word, or
                                                    those of a module, such as SQLStore

With --check, nothing is built: it only looks whether each mutant still applies. With --sample, N of them are tried, the
next ones with each fourth commit.

The mutants of a module's sources are in the file Tests/Mutants/MODULE.md, a mutant under each heading:

    ## name-of-the-mutant
    What is wrong with it, in a sentence
    tests: SQLiteStoreTests.CommitTests RepositoryTests.ChangesTests
    --- find
    signal.note()
    --- replace
    --- find
    …

Each text to find occurs once in Sources, in whatever file, within a function; spaces, line breaks and comments do not
matter to it. The replacement may be empty. `tests` names the suites of which one has to fail, and
`experiments: kill crowd` those of `make faults` of which each has to, besides; `tests:` is empty where these alone
notice. A test that hangs fails by its time (`seconds: 60`), or three times what the suites take without a mutant where
that is more; such ones are counted in the end.

An experiment is tried with fewer repetitions and without its bounds on time first, where one failure is enough; else at
full size, where two of three runs have to fail, or to take two minutes and three times what it takes without a mutant:
a busy machine breaks a bound on time now and then. An experiment that can't be made on a machine is left out, which is a
failure in CI.

Without a mutant, each suite and each experiment has to pass, and may fail once. A suite that did so has to fail twice
with a mutant; an experiment that fails twice is told as one that fails without it, which counts as a survivor.

The sources are copied to .build/mutants, with the test targets that the mutants name, and built there once: a function
has its variants beside it (scripts/swiftbodies.py), and REPOKIT_MUTANT says which one runs. Tests of PostgreSQL have a
private server. FLAGS are added to each call of Swift, without `-warnings-as-errors`: a slip may leave a variable without
use. Exits with 1 where a mutant survives or no longer applies.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import mutantfiles
import private_server
import processes
import swiftbodies

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, '.build', 'mutants')
TREE = os.path.join(WORK, 'tree')
SWIFT = os.environ.get('SWIFT', 'swift')
FLAGS = shlex.split(os.environ.get('FLAGS', '').replace('-Xswiftc -warnings-as-errors', ''))
# What comes of tests that notice a mutant.
NOTICED = ('failed', 'time is up')
# How Swift Testing reports a failure; a crash ends the run.
FAILURE = re.compile(r'recorded an issue|Fatal error')


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


def copy(changing):
    """Makes the tree what the project's is, with what `changing` makes of the sources."""
    listed = subprocess.run(
        ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split('\0') if name and os.path.isfile(os.path.join(ROOT, name))}
    data = {os.path.join(TREE, name): open(os.path.join(ROOT, name), 'rb').read() for name in names}
    sources = {
        path: text.decode() for path, text in data.items()
        if path.startswith(os.path.join(TREE, 'Sources')) and path.endswith('.swift')}
    data |= {path: text.encode() for path, text in changing(sources).items()}
    for path, text in data.items():
        write(path, text)
    for name in names:
        shutil.copymode(os.path.join(ROOT, name), os.path.join(TREE, name))
    for folder, folders, files in os.walk(TREE):
        if folder == TREE and '.build' in folders:
            folders.remove('.build')
        for file in files:
            path = os.path.join(folder, file)
            if path not in data and file != 'Package.resolved':
                os.remove(path)


def with_variants(sources, mutants):
    """The sources that change, with all mutants in them."""
    changes = {}
    for number, mutant in enumerate(mutants, 1):
        for path, *change in mutant.places(sources):
            changes.setdefault(path, []).append((*change, number))
    changed = {path: swiftbodies.with_variants(sources[path], places) for path, places in changes.items()}
    for module in {os.path.relpath(path, TREE).split(os.sep)[1] for path in changed}:
        changed[os.path.join(TREE, 'Sources', module, 'MutantSwitch.swift')] = swiftbodies.SWITCH
    return changed


def build(log):
    with open(log, 'wb') as output:
        process = processes.start(
            [SWIFT, 'build', '--build-tests', *FLAGS], cwd=TREE, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT)
    try:
        return process.wait() == 0
    finally:
        processes.kill_all(process)


def experiment(name, options, log, seconds, number=0):
    """What comes of an experiment with a mutant: `passed`, `failed`, `left out` or `time is up`."""
    environment = os.environ | {'REPOKIT_MUTANT': str(number)}
    with open(log, 'wb') as output:
        process = processes.start(
            [os.path.join(TREE, '.build', 'debug', 'faults'), *options, name], cwd=TREE, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT)
    try:
        status = process.wait(seconds)
        if re.search(r'^\S+ +left out ', open(log, errors='replace').read(), re.M):
            return 'left out'
        return 'failed' if status else 'passed'
    except subprocess.TimeoutExpired:
        return 'time is up'
    finally:
        processes.kill_all(process)


def repeated(attempt):
    """What comes of something that is tried until two runs have noticed it or two have not, but for `left out`."""
    noticed, other = [], []
    while len(noticed) < 2 and len(other) < 2 and 'left out' not in other:
        result = attempt()
        (noticed if result in NOTICED else other).append(result)
    return noticed[-1] if len(noticed) == 2 else other[-1]


def verdict(tests, log, seconds, number=0):
    """What comes of the tests with a mutant: `passed`, `failed`, `no test` or `time is up`, as soon as it is known."""
    # Unlike the log, nothing of the tests' own events waits in a buffer.
    events = log + '.events'
    open(events, 'w').close()
    arguments = [
        SWIFT, 'test', '--skip-build', '--event-stream-output-path', events, '--event-stream-version', '0', *FLAGS]
    for name in tests:
        arguments += ['--filter', '^' + re.escape(name) + r'\b']
    environment = os.environ | {'REPOKIT_MUTANT': str(number)}
    with open(log, 'wb') as output:
        process = processes.start(
            arguments, cwd=TREE, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
    end = time.monotonic() + seconds
    try:
        while True:
            try:
                status = process.wait(0.25)
            except subprocess.TimeoutExpired:
                status = None
            text, told = open(log, errors='replace').read(), open(events, errors='replace').read()
            if number and (FAILURE.search(text) or '"symbol":"fail"' in told):
                return 'failed'
            if status is not None:
                counts = re.findall(r'Test run with (\d+) test', text)
                return 'failed' if status else 'passed' if counts and int(counts[-1]) else 'no test'
            if time.monotonic() > end:
                return 'time is up' if 'testStarted' in told else 'no test'
    finally:
        processes.kill_all(process)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--sample', type=int)
    parser.add_argument('words', nargs='*')
    asked = parser.parse_args()
    mutants = mutantfiles.read_mutants(asked.words)
    if not mutants:
        sys.exit('no mutant has such a name')
    if not mutantfiles.check(mutants):
        sys.exit(1)
    print(f'{len(mutants)} mutants apply', flush=True)
    if asked.check:
        return
    if asked.sample is not None:
        mutants = mutantfiles.sample(mutants, asked.sample)
    with private_server.server(is_needed=any('Postgres' in test for mutant in mutants for test in mutant.tests)):
        sys.exit(0 if trial(mutants) else 1)


def trial(mutants):
    """Whether the tests notice each mutant."""
    logs = os.path.join(WORK, 'logs')
    shutil.rmtree(logs, ignore_errors=True)
    os.makedirs(logs)
    suites = sorted({test for mutant in mutants for test in mutant.tests})
    start = time.monotonic()
    modules = {suite.split('.')[0] for suite in suites} | ({'FaultTests'} if any(mutant.experiments for mutant in mutants) else set())
    # What Package.swift makes of it is all that is built.
    os.environ |= {'REPOKIT_TESTS': ','.join(sorted(modules)), 'REPOKIT_ALL': '1'}
    copy(lambda sources: with_variants(sources, mutants))
    log = os.path.join(logs, 'unbroken.log')
    if not build(log):
        print(open(log).read()[-4000:])
        sys.exit(f'the sources with their variants do not build: {log}')
    print(f'built in {time.monotonic() - start:.0f} s', flush=True)
    durations, unsteady = {}, set()
    for suite in suites:
        begin = time.monotonic()
        found = verdict([suite], log, 600)
        if found != 'passed':
            print(f'{suite}: {found} without a mutant, tried once more', flush=True)
            unsteady.add(suite)
            begin = time.monotonic()
            found = verdict([suite], log, 600)
        durations[suite] = time.monotonic() - begin
        if found != 'passed':
            print(open(log).read()[-4000:])
            sys.exit(f'{suite}: {found} without a mutant, {log}')
    left_out, unbroken = set(), {}

    def without_mutant(name, *options):
        """What comes of an experiment without a mutant, and how long it takes, which is found out once."""
        key = ' '.join([name, *options])
        if key not in unbroken:
            begin = time.monotonic()
            found = experiment(name, options, log, 1800)
            if found == 'failed':
                begin = time.monotonic()
                found = experiment(name, options, log, 1800)
            unbroken[key] = found, time.monotonic() - begin
            if found != 'passed':
                print(f'{key}: {found} without a mutant\n{open(log).read()[-4000:]}', flush=True)
        return unbroken[key]

    def with_mutant(mutant, number, name):
        """What comes of an experiment with a mutant, where it passes without."""
        output = os.path.join(logs, f'{mutant.name}-{name}.log')
        found, seconds = without_mutant(name, '--quick')
        if found == 'passed' and experiment(name, ['--quick'], output, 120 + 3 * seconds, number) == 'failed':
            return 'failed'
        if found == 'passed':
            found, seconds = without_mutant(name)
        if found == 'passed':
            return repeated(lambda: experiment(name, [], output, 120 + 3 * seconds, number))
        return found if found == 'left out' else 'fails without it'

    survivors, by_time = [], []
    count = sum(bool(mutant.tests) for mutant in mutants)

    def tell(mutant, found, start, by=''):
        if found not in NOTICED:
            survivors.append(mutant.name + by)
        if found == 'time is up':
            by_time.append(mutant.name + by)
        word = {'passed': 'SURVIVED', 'failed': 'killed', 'time is up': 'killed by time'}.get(found, found)
        print(f'{word:9} {mutant.name}{by}, {time.monotonic() - start:.0f} s: {mutant.description}', flush=True)

    for number, mutant in enumerate(mutants, 1):
        start = time.monotonic()
        # Else what takes long would be taken for killed.
        seconds = max(mutant.seconds, 3 * sum(durations[suite] for suite in mutant.tests))
        if mutant.tests:
            output = os.path.join(logs, mutant.name + '.log')
            found = verdict(mutant.tests, output, seconds, number)
            if found in NOTICED and unsteady & set(mutant.tests):
                found = repeated(lambda: verdict(mutant.tests, output, seconds, number))
            tell(mutant, found, start)
        for name in mutant.experiments:
            without_mutant(name, '--quick')
            start = time.monotonic()
            found = with_mutant(mutant, number, name)
            if found == 'left out':
                left_out.add(name)
            else:
                count += 1
                tell(mutant, found, start, f' by {name}')
    end = f', {len(by_time)} of them by their time: {", ".join(by_time)}' if by_time else ''
    print(f'{count - len(survivors)} of {count} killed{end}')
    # As `make faults` does, CI takes one that is left out for one that fails.
    if left_out:
        print(f'left out: {", ".join(sorted(left_out))}')
    return not survivors and not (left_out and os.environ.get('CI'))


main()
