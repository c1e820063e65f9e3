#!/usr/bin/env python3
"""Asks all stores random questions, and writes the same to them, for as long as it is told: soak.py MINUTES

PostgreSQL is asked, too, where a server is named by REPOKIT_POSTGRES or can be started. How much was asked is printed, and the
seeds by which a disagreement is found again. FLAGS are added to each call of Swift.
"""
import os
import re
import shlex
import subprocess
import sys

import private_server

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWIFT = os.environ.get('SWIFT', 'swift')
FLAGS = shlex.split(os.environ.get('FLAGS', ''))


def main():
    if len(sys.argv) != 2 or not re.fullmatch('[1-9][0-9]*', sys.argv[1]):
        sys.exit('usage: soak.py MINUTES')
    os.environ |= {'REPOKIT_SOAK_MINUTES': sys.argv[1], 'REPOKIT_ALL': '1'}
    built = subprocess.run([SWIFT, 'build', '--build-tests', *FLAGS], cwd=ROOT)
    if built.returncode:
        sys.exit(built.returncode)
    with private_server.server(is_needed=bool(os.environ.get('CI')) and sys.platform != 'darwin'):
        # Names of suites that end so: of requests in SQLite, PostgreSQL and over HTTP, and of writes.
        tests = subprocess.run([SWIFT, 'test', '--skip-build', '--filter', r'DifferentialTests/soak', *FLAGS], cwd=ROOT)
    sys.exit(tests.returncode)


main()
