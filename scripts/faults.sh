#!/usr/bin/env bash
# Breaks things on purpose, and prints what came of it, a line an experiment: docs/reliability.md.
# Usage: faults.sh [--quick] [EXPERIMENT …]
set -euo pipefail

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "$swift" build --product faults && "$swift" build --product repokit; } >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
"$("$swift" build --show-bin-path)/faults" "$@"
