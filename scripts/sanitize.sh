#!/usr/bin/env bash
# Runs the tests under one of Clang's sanitizers; a report is a failure.
# Usage: sanitize.sh thread|address
#
# thread: the tests of stores and repositories, but for those that ask random questions in one task, for minutes. What works
# on values alone (queries, SQL, CSV), or starts other programs, has no threads to race.
# address: those of the only module that calls C, and the experiments of `make faults`, which do so with damaged files.
set -euo pipefail

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
kind=${1:-}
build=.build/$kind
case $kind in
thread)
  # One test at a time, with all threads to itself: what runs ten times slower would wait for connections too long.
  tests=(--no-parallel
    --filter '^SQLiteStoreTests|^FaultTests|^RepositoryTests\.(ConformanceTests|MemoryStoreTests|AnyRepositoryTests)'
    --skip 'DifferentialTests|DetectorTests|LimitTests|LawTests|Giant')
  export TSAN_OPTIONS=exitcode=66
  ;;
address)
  tests=(--filter 'SQLiteStoreTests|FaultTests|repokitTests')
  mkdir -p "$build"
  # Foundation's Process copies a directory entry in full, also the last one of its buffer.
  echo 'interceptor_via_lib:libFoundation.so' >"$build/address.supp"
  # What runs the tests leaks a little, and so does Foundation's Process, with which the experiments start helpers.
  printf 'leak:libXCTest.so\nleak:faults6HelperC\n' >"$build/leaks.supp"
  export ASAN_OPTIONS="suppressions=$PWD/$build/address.supp"
  export LSAN_OPTIONS="suppressions=$PWD/$build/leaks.supp:print_suppressions=0"
  ;;
*)
  echo "usage: sanitize.sh thread|address" >&2
  exit 2
  ;;
esac
"$swift" build --build-tests --sanitize="$kind" --scratch-path "$build"
"$swift" test --skip-build --sanitize="$kind" --scratch-path "$build" "${tests[@]}"
