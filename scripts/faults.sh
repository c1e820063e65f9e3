#!/usr/bin/env bash
# Breaks things on purpose, and prints what came of it, a line an experiment: docs/reliability.md.
# Usage: faults.sh [--quick] [EXPERIMENT …]
#
# FLAGS are added to each call of Swift. What can't be tried here is left out, which is a failure for an experiment that is named,
# and for CI.
set -euo pipefail

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
export REPOKIT_ALL=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # Each is a word.
build() { "$swift" build ${FLAGS:-} "$@"; }
if ! { build --product faults && build --product repokit; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
"$(build --show-bin-path)/faults" "$@"
