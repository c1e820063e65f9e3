#!/usr/bin/env bash
# Compares speed with hand-written C calls and with GRDB: docs/performance.md.
# Usage: [QUICK=1] [ONLY=WORKLOAD,…] [ROUNDS=N] [TABLE=1] bench.sh
#
# A workload may be named by how its name starts. TABLE=1 prints the figures as a table in Markdown, too.
set -euo pipefail

cd "$(dirname "$0")/../Benchmarks"
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$swift" build -c release --product bench >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
TOOLCHAIN=$("$swift" --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
export TOOLCHAIN
"$("$swift" build -c release --show-bin-path)/bench"
