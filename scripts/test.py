#!/usr/bin/env python3
"""Builds and runs the tests, and prints what one needs to know: the failures, the slowest ten and the counts.

Usage: test.py [--postgres] [--quick | --slow] [ARGUMENT …] [--only NAME …]     arguments of `swift test`, such as --no-parallel

With --quick, without the slow tests: those in folders `Slow`, of targets that Package.swift calls extras, and those whose source
says `.tags(.slow)`. The first two are not even built. With --slow, those alone. With --only, the suites and tests that a name (a
regular expression) is found in, such as CommitTests or SQLTests.SelectTests/joins, and the suites of a file of that name: their
test targets alone are built, with what these need. Else all tests. What the compiler and the tests print in full is in .build/logs. FLAGS are added to each call of Swift. Tests of PostgreSQL use the server of the
connection string REPOKIT_POSTGRES, or else a private one; where none is installed they are left out, but for CI and with
--postgres, where that is a failure.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import time

import private_server
import processes

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(ROOT, '.build', 'logs')
SWIFT = os.environ.get('SWIFT', 'swift')
FLAGS = shlex.split(os.environ.get('FLAGS', ''))
# Lines that one failure may take, and failures that are shown: the rest is in the log.
LINES, FAILURES = 12, 20
# The minutes that one run may take, several times what it needs on two processors: a test that hangs is a failure with a name.
LIMIT = int(os.environ.get('REPOKIT_TEST_MINUTES', 40))
# The minutes without any test that begins or ends after which the threads' calls are told.
STILLNESS = 3


def run(name, *arguments, events=None):
    """The exit status, or None where it took too long, and the path of the log.

    `events` is the path of the event stream of the tests.
    """
    log = os.path.join(LOGS, name + '.log')
    with open(log, 'wb') as output:
        process = processes.start(
            [SWIFT, *arguments, *FLAGS], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            return wait(process, name, events), log
        finally:
            processes.kill_all(process)


def wait(process, name, events):
    """The exit status; None where it took too long. Where no test begins or ends for minutes, tells what the threads do."""
    start = last = time.monotonic()
    size, has_told = 0, False
    while time.monotonic() - start < LIMIT * 60:
        try:
            return process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        if events and os.path.getsize(events) != size:
            size, last = os.path.getsize(events), time.monotonic()
        if events and not has_told and time.monotonic() - last > STILLNESS * 60:
            has_told = True
            path = os.path.join(LOGS, f'calls-{name}.log')
            with open(path, 'w') as output:
                output.write(processes.calls(process))
            print(f'no test has begun or ended for {STILLNESS} minutes: {os.path.relpath(path, ROOT)}', flush=True)
            own = [line.replace(ROOT + '/', '').strip()[-160:] for line in open(path) if re.search(r' at \S+\.swift:\d+', line)]
            print('\n'.join(f'  {line}' for line in list(dict.fromkeys(own))[:2 * FAILURES]), flush=True)
    return None


def build():
    start = time.monotonic()
    status, log = run('build', 'build', '--build-tests')
    print(f'built in {time.monotonic() - start:.0f} s', flush=True)
    if status == 0:
        return
    lines = open(log, errors='replace').read().splitlines()
    errors = list(dict.fromkeys(line for line in lines if re.search(r'\b(error|fatal)\b.*:', line)))
    print('\n'.join(errors[:2 * FAILURES] or lines[-2 * FAILURES:]))
    sys.exit(f'the build failed: {log}')


def sources():
    """The files of all test targets: the module, the path and the text of each."""
    manifest = open(os.path.join(ROOT, 'Package.swift')).read()
    return [
        (module(path), path, open(os.path.join(ROOT, path)).read())
        for path in sorted(glob.glob('**/Tests/**/*.swift', root_dir=ROOT, recursive=True))
        if f'name: "{module(path)}"' in manifest]


def module(path):
    """The test target of a file: Tests/QueryTests/… or Faults/Tests/…"""
    before, after = path.split('Tests/', 1)
    return os.path.basename(before.rstrip('/')).removesuffix('s') + 'Tests' if before else after.split('/')[0]


def extras():
    """The test targets that are a part of the package with REPOKIT_ALL alone."""
    manifest = open(os.path.join(ROOT, 'Package.swift')).read()
    return re.findall(r'"(\w+Tests)"', re.search(r'\nlet extras: Set = \[(.*?)\]', manifest, re.S).group(1))


def names(path, source):
    """The suites of a file, and its tests: `MODULE.SUITE` and `MODULE.SUITE/test(`."""
    suite = None
    declaration = r'^(@Suite.*\n)?( *)(?:@\w+ |final |private |static )*(struct|class|extension|func) (\w+)'
    for attribute, indentation, kind, name in re.findall(declaration, re.sub(r'^ +@Suite', '@Suite', source, flags=re.M), re.M):
        if kind == 'func' and suite:
            yield f'{suite}/{name}('
        elif kind != 'func' and (attribute or not indentation):
            suite = f'{module(path)}.{name}'
            yield suite


def is_left_out(path):
    """Whether a file is built with REPOKIT_ALL alone."""
    return '/Slow/' in path or module(path) in extras()


def slow():
    """A regular expression for the identifiers of the suites and tests that are slow.

    As of Swift 6.4, `--skip tag:slow` finds those with a tag: https://github.com/swiftlang/swift-evolution, testing/0025.
    """
    found = [name + r'\.' for name in extras()]
    for name, path, source in sources():
        if name in extras():
            continue
        if is_left_out(path):
            found += [re.escape(suite) + r'\b' for suite in names(path, source) if '/' not in suite]
        for tag in re.finditer(r'\.tags\(\.slow\)', source):
            kind, test = re.compile(r'\b(struct|class|func) (\w+)').search(source, tag.end()).groups()
            suite = test
            if kind == 'func':
                suite = re.findall(r'^(?:final |private )*(?:struct|class|extension) (\w+)', source[:tag.start()], re.M)[-1]
            found.append(f'{name}\\.{suite}' + (f'/{test}\\(' if kind == 'func' else '\\b'))
    return f'^({"|".join(dict.fromkeys(found))})'


def choose(patterns):
    """The filters for all suites and tests in which a pattern is found, and for the suites of a file that is called so. Sets
    what Package.swift builds: their test targets."""
    try:
        search = re.compile('|'.join(patterns)).search
    except re.error as error:
        sys.exit(f'{" ".join(patterns)}: no regular expression: {error}')
    found, filters = [], list(patterns)
    for _, path, source in sources():
        all_names = list(names(path, source))
        if '@Test' in source and os.path.basename(path).removesuffix('.swift') in patterns:
            filters += [f'^{re.escape(suite)}\\b' for suite in all_names if '/' not in suite]
            found.append(path)
        elif '@Test' in source and any(map(search, all_names)):
            found.append(path)
    if not found:
        sys.exit(f'no suite, no test and no file of tests has {" or ".join(patterns)} in its name')
    modules = sorted({module(path) for path in found})
    os.environ['REPOKIT_TESTS'] = ','.join(modules)
    if any(map(is_left_out, found)):
        os.environ['REPOKIT_ALL'] = '1'
    print(f'building {", ".join(modules)}', flush=True)
    return filters


class Report:
    """What the event streams of the runs tell: https://github.com/swiftlang/swift-testing, Documentation/ABI."""

    def __init__(self):
        self.names, self.suites, self.cases = {}, set(), 0
        self.started, self.seconds, self.failures, self.skipped = {}, {}, {}, set()
        self.case_starts, self.case_seconds = {}, {}

    def read(self, path):
        ended = False
        for line in open(path):
            # One that was killed may have written half a line.
            if not line.endswith('\n'):
                break
            record = json.loads(line)
            payload = record['payload']
            if record['kind'] == 'test':
                self.names[payload['id']] = payload.get('displayName') or payload['name']
                if payload['kind'] == 'suite':
                    self.suites.add(payload['id'])
                continue
            kind, test = payload['kind'], payload.get('testID')
            at = payload['instant']['absolute']
            if kind == 'testStarted':
                self.started[test] = at
            elif kind == 'testCaseStarted':
                self.cases += 1
                self.case_starts.setdefault(test, []).append(at)
            elif kind == 'testCaseEnded' and self.case_starts.get(test):
                # Of cases of one test that run beside each other, the starts and the ends add up to the same in any pairing.
                self.case_seconds[test] = self.case_seconds.get(test, 0) + at - self.case_starts[test].pop()
            elif kind == 'testEnded':
                self.seconds[test] = at - self.started.pop(test, at)
            elif kind == 'testSkipped':
                self.skipped.add(test)
            elif kind == 'issueRecorded' and not payload['issue'].get('isKnown'):
                where = payload['issue'].get('sourceLocation', {})
                text = '\n'.join(message['text'] for message in payload['messages'])
                place = f'{where.get("_filePath", "?")}:{where.get("line", "?")}'
                self.failures.setdefault(test, []).append(f'{os.path.relpath(place, ROOT)}: {text}')
            elif kind == 'runEnded':
                ended = True
        return ended

    def name(self, test):
        """The suite's type and the test's name in words."""
        suite = (test or '').split('/')[0].split('.', 1)[-1]
        return f'{suite}: {self.names.get(test, test)}' if test not in self.suites else self.names[test]

    def failed(self):
        for shown, (test, texts) in enumerate(self.failures.items()):
            if shown == FAILURES:
                print(f'\n… and {len(self.failures) - shown} more')
                return
            print(f'\n✘ {self.name(test)}')
            lines = '\n'.join(texts).splitlines()
            print('\n'.join(f'  {line[:300]}' for line in lines[:LINES]))
            if len(lines) > LINES:
                print(f'  … {len(lines) - LINES} lines more')

    def slowest(self):
        """Tests with arguments alone: another one's start and end are those of its wait for its turn, too."""
        tests = sorted((seconds, test) for test, seconds in self.case_seconds.items())
        if len(tests) < 20:
            return
        print('\nthe slowest of those with arguments, in seconds of their cases, beside others:')
        for seconds, test in tests[:-11:-1]:
            print(f'  {seconds:6.1f}  {self.name(test)}')


def main(arguments):
    os.makedirs(LOGS, exist_ok=True)
    # Apple's systems have no server, and CI installs none there.
    is_needed = '--postgres' in arguments or bool(os.environ.get('CI')) and sys.platform != 'darwin'
    with private_server.server(is_needed):
        test([argument for argument in arguments if argument != '--postgres'])


def chosen(arguments):
    """The arguments of `swift test` for all tests that are asked for. Sets what Package.swift is to build for them."""
    if '--quick' in arguments:
        # No library, example or program but those that the tests need.
        os.environ['REPOKIT_TESTS'] = ','.join(sorted({name for name, _, _ in sources()} - set(extras())))
        return [*(argument for argument in arguments if argument != '--quick'), '--skip', slow()]
    if '--only' in arguments:
        at = arguments.index('--only')
        patterns = arguments[at + 1:]
        return arguments[:at] + [word for pattern in choose(patterns) for word in ('--filter', pattern)]
    os.environ['REPOKIT_ALL'] = '1'
    if '--slow' in arguments:
        return [*(argument for argument in arguments if argument != '--slow'), '--filter', slow()]
    return arguments


def shown(arguments):
    """The arguments without the names of all slow tests."""
    return ['(the slow ones)' if argument == slow() else argument for argument in arguments]


def width(arguments):
    """How many tests run at a time: as many at once as there are, by default, cost memory and switches of threads, and one that
    waits for little would wait minutes for a processor, behind hundreds that need it."""
    if '--no-parallel' in arguments:
        return []
    return ['--experimental-maximum-parallelization-width', str(4 * (os.cpu_count() or 2))]


def test(arguments):
    arguments = chosen(arguments)
    build()
    start = time.monotonic()
    events = os.path.join(LOGS, 'events.jsonl')
    open(events, 'w').close()
    status, log = run(
        'tests', 'test', '--skip-build', '--event-stream-output-path', events, '--event-stream-version', '0',
        *width(arguments), *arguments, events=events)
    report = Report()
    ended = report.read(events)
    what = ' '.join(['tests', *shown(arguments)])
    print(f'ran {what} in {time.monotonic() - start:.0f} s: {os.path.relpath(log, ROOT)}', flush=True)
    if not ended:
        print(''.join(open(log, errors='replace').readlines()[-30:]))
        end = f'ended before its time, with status {status},' if status is not None else f'took {LIMIT} minutes'
        print(f'the run {end} in the midst of:')
        print('\n'.join(f'  {report.name(test)}' for test in list(report.started)[:FAILURES]))
    elif status and not report.failures:
        # What a sanitizer complains of is no test's failure.
        lines = open(log, errors='replace').read().splitlines()
        first = next((number for number, line in enumerate(lines) if 'Sanitizer' in line), -FAILURES)
        print('\n'.join(lines[first:][:5 * FAILURES]))
    report.failed()
    report.slowest()
    tests = [test for test in report.seconds if test not in report.suites]
    broken = len([test for test in report.failures if test not in report.suites])
    print(f'\n{len(tests)} tests with {report.cases} cases, {broken} failed, {len(report.skipped)} skipped')
    if not tests:
        print('no test ran')
    sys.exit(1 if status != 0 or not tests else 0)


main(sys.argv[1:])
