#!/usr/bin/env bash
# What takes a night: everything that looks for mistakes at random, breaks things on purpose or needs a build of its own.
# Usage: nightly.sh [MINUTES]
#
# MINUTES are those of the random questions and of fuzzing under Address Sanitizer: 60 where nothing is said. Four stores are asked
# at least REPOKIT_QUESTIONS, a million, however long that takes. Each reader is fuzzed with REPOKIT_RUNS inputs without Address
# Sanitizer: ten million. Each step goes on where another one failed; what failed is printed in the end, with its log in
# .build/nightly.
set -uo pipefail

minutes=${1:-60}
if ! [[ $minutes =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: nightly.sh [MINUTES]" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
logs=.build/nightly
mkdir -p "$logs"
# Elsewhere a missing PostgreSQL leaves out what needs it, which would be no failure. Apple's systems have none.
[ "$(uname)" = Darwin ] || export CI=1
failed=()
# Runs a command, with its output in the log NAME.
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$logs/$name.log" 2>&1; then
    echo "ok      $name ($((SECONDS - start)) s)"
  else
    echo "FAILED  $name ($((SECONDS - start)) s): $logs/$name.log"
    failed+=("$name")
  fi
}

# Optimised code asks more than twice as many questions in the same time, and is what programs run.
step soak env FLAGS="${FLAGS:-} -c release -Xswiftc -enable-testing" REPOKIT_QUESTIONS="${REPOKIT_QUESTIONS:-1000000}" \
  make soak MINUTES="$minutes"
step random make random
step faults make faults
step allocations env REPOKIT_FULL=1 make faults EXPERIMENTS=allocations
# Ten million operations.
step long-run env REPOKIT_OPERATIONS="${REPOKIT_OPERATIONS:-10000000}" make faults EXPERIMENTS=long-run
# As many again, spread over an hour: with pauses, as a program that waits for its users works. A day of such work at 24 times its rate.
step long-run-paced env REPOKIT_OPERATIONS="${REPOKIT_OPERATIONS:-10000000}" REPOKIT_MINUTES=60 make faults EXPERIMENTS=long-run
step mutants make mutants
# Apple's toolchain has no libFuzzer.
if [ "$(uname)" = Linux ]; then
  step fuzz bash scripts/fuzz.sh --runs "${REPOKIT_RUNS:-10000000}"
  grep ' executions in ' "$logs/fuzz.log"
  # Begins with what that has come to.
  step fuzz-address bash scripts/fuzz.sh --address "$minutes"
fi
step all-threads bash scripts/sanitize.sh all-threads
step leaks bash scripts/sanitize.sh leaks
step tool-threads bash scripts/sanitize.sh tool-threads
step tool bash scripts/sanitize.sh tool
step server make server
step load make load

if [ ${#failed[@]} -gt 0 ]; then
  echo "${#failed[@]} failed: ${failed[*]}"
  exit 1
fi
echo "all of it holds"
