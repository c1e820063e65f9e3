#!/usr/bin/env bash
# Runs the tests under one of Clang's sanitizers; a report is a failure.
# Usage: sanitize.sh thread|all-threads|tool-threads|address|tool|leaks
#
# thread: the tests of stores in memory and in files, of repositories and of error handlers, but for those that ask random
# questions in one task, for minutes. What works on values alone (queries, SQL, CSV) has no threads to race; left out are
# also pools and live results by themselves, what needs a server (PostgreSQL, HTTP), and what starts other programs.
# all-threads: all tests but those of the tool, of the terminal and of texts of gigabytes, with PostgreSQL and HTTP, which takes an hour or more.
# tool-threads: the tests of the tool, which is built so, too, and of the terminal, but for full disks, under Thread Sanitizer.
# address: the tests of the only module that calls C.
# leaks: the same tests, under Address Sanitizer with its search for leaks, which takes an hour.
# tool: the same tests as tool-threads, under Address Sanitizer.
set -euo pipefail

cd "$(dirname "$0")/.."
kind=${1:-}
case $kind in
thread)
  # One test at a time, with all threads to itself: what runs ten times slower would wait for connections too long.
  tests=(--no-parallel
    --filter '^SQLiteStoreTests|^SQLStoreTests|^FaultTests|^ErrorHandlingTests|^RepositoryTests\.(ConformanceTests|MemoryStoreTests|AnyRepositoryTests)'
    --skip 'DifferentialTests|DetectorTests|LimitTests|LawTests|Giant')
  export TSAN_OPTIONS="exitcode=66 suppressions=$PWD/scripts/thread-sanitizer.txt"
  ;;
all-threads)
  tests=(--no-parallel --skip '^repokitTests|^LineEditorTests|Giant')
  export REPOKIT_TEST_MINUTES=240
  export TSAN_OPTIONS="exitcode=66 suppressions=$PWD/scripts/thread-sanitizer.txt"
  kind=thread
  ;;
tool-threads)
  # Thread Sanitizer needs files of its own, which a limit of their size takes from it, and with them the program.
  tests=(--filter '^repokitTests|^LineEditorTests' --skip 'Giant|ImportFaultTests/fullDisk|ExportTests/(fullDisk|unfinished)')
  export REPOKIT_TEST_MINUTES=120
  export TSAN_OPTIONS="exitcode=66 suppressions=$PWD/scripts/thread-sanitizer.txt"
  kind=thread
  ;;
address)
  tests=(--filter '^SQLiteStoreTests' --skip 'DifferentialTests|DetectorTests|LawTests|Giant')
  # Leaks are not looked for: what lives as long as the process is none.
  export ASAN_OPTIONS=detect_leaks=0
  ;;
tool)
  tests=(--filter '^repokitTests|^LineEditorTests' --skip Giant)
  # The tool ends after one command, and gives nothing back.
  export REPOKIT_TEST_MINUTES=120
  export ASAN_OPTIONS=detect_leaks=0
  kind=address
  ;;
leaks)
  # Of the tool, leaks are not looked for.
  tests=(--skip '^repokitTests|^LineEditorTests|Giant')
  export REPOKIT_TEST_MINUTES=120
  export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS="suppressions=$PWD/scripts/leak-sanitizer.txt"
  kind=address
  ;;
*)
  echo "usage: sanitize.sh thread|all-threads|tool-threads|address|tool|leaks" >&2
  exit 2
  ;;
esac
export FLAGS="${FLAGS:-} --sanitize=$kind --scratch-path .build/$kind"
exec python3 scripts/test.py "${tests[@]}"
