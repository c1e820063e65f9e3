#!/usr/bin/env bash
# Runs the tests under one of Clang's sanitizers; a report is a failure.
# Usage: sanitize.sh thread|address
#
# thread: all tests, but for those that work on values alone, in one task, for minutes, and those that start the compiler.
# address: those of the only module that calls C, and the experiments of `make faults`, which do so with damaged files.
set -euo pipefail

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
kind=${1:-}
case $kind in
thread)
  # One test at a time, with all threads to itself: what runs ten times slower would wait for connections too long.
  tests=(--no-parallel --skip CompileTests)
  export TSAN_OPTIONS="halt_on_error=0 exitcode=66"
  ;;
address)
  tests=(--filter "SQLiteStoreTests|FaultTests|repokitTests")
  # What lives as long as the process is no leak.
  export ASAN_OPTIONS=detect_leaks=0
  ;;
*)
  echo "usage: sanitize.sh thread|address" >&2
  exit 2
  ;;
esac
build=.build/$kind
"$swift" build --build-tests --sanitize="$kind" --scratch-path "$build"
"$swift" test --skip-build --sanitize="$kind" --scratch-path "$build" "${tests[@]}"
