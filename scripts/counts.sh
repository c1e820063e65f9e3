#!/usr/bin/env bash
# Counts the instructions and the allocations of the main workloads, which are the same in each run where times are not, and
# compares them with Benchmarks/thresholds.txt.
# Usage: [RECORD=1] [ONLY=WORKLOAD,…] counts.sh
#
# RECORD=1 writes the file anew. Each workload runs twice, the second time with more repetitions: what a run needs to start
# is in both, and drops out.
set -euo pipefail

if [ "${RECORD:-}" = 1 ] && [ -n "${ONLY:-}" ]; then
  echo "RECORD=1 records all workloads: leave ONLY out" >&2
  exit 2
fi

cd "$(dirname "$0")/../Benchmarks"
if [ "$(uname)" != Linux ]; then
  echo "instructions and allocations are counted on Linux alone"
  exit 0
fi
if ! command -v valgrind >/dev/null; then
  if ! command -v apt-get >/dev/null; then
    echo "Valgrind is missing: install it with your package manager" >&2
    exit 1
  fi
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  echo "Installing valgrind…"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y valgrind >/dev/null
fi

swift=${SWIFT:-swift}
thresholds=thresholds.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# In a folder of its own: without the peers it is another package. Swift seeds its hashes anew in each run unless it is told
# not to: https://developer.apple.com/documentation/swift/hasher
export WITHOUT_PEERS=1 SWIFT_DETERMINISTIC_HASHING=1
build=(-c release --scratch-path .build/counts --product counts)
# shellcheck disable=SC2086 # Several flags are several words.
if ! "$swift" build "${build[@]}" ${FLAGS:-} >"$folder/log" 2>&1; then
  cat "$folder/log" >&2
  exit 1
fi
# shellcheck disable=SC2086
counts=$("$swift" build "${build[@]}" ${FLAGS:-} --show-bin-path)/counts
"$counts" prepare "$folder/prepared.sqlite"

# Prints the instructions and the allocations of a run: count WORKLOAD TIMES
count() {
  rm -rf "$folder/run" && mkdir "$folder/run"
  cp "$folder/prepared.sqlite" "$folder/run/a.sqlite"
  local output
  # Where the workload makes databases, it does so beside its own.
  if ! output=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$counts" "$1" "$2" "$folder/run/a.sqlite" 2>&1)
  then
    printf '%s\n' "$output" >&2
    return 1
  fi
  awk '$2 == "Collected" { instructions = $4 } $1 == "allocations" { allocations = $2 }
    END { if (!instructions) exit 1; print instructions, allocations }' <<<"$output"
}

"$counts" list >"$folder/list"
while read -r workload repetitions operations; do
  if [ -n "${ONLY:-}" ] && [[ ",$ONLY," != *",$workload,"* ]]; then continue; fi
  first=$(count "$workload" 0)
  second=$(count "$workload" 1)
  awk -v name="$workload" -v operations=$((repetitions * operations)) \
    '{ printf "%s %.0f %.2f\n", name, ($3 - $1) / operations, ($4 - $2) / operations }' <<<"$first $second"
done <"$folder/list" >"$folder/measured"

if [ "${RECORD:-}" = 1 ]; then
  {
    echo "# What one operation takes: instructions, allocations. A change may take a tenth more: make counts RECORD=1"
    cat "$folder/measured"
  } >"$thresholds"
  cat "$thresholds"
  exit 0
fi
awk '
  BEGIN { room = 1.1 }
  FILENAME == ARGV[1] { if (!/^#/) { instructions[$1] = $2 * room; allocations[$1] = $3 * room + 0.05 } next }
  {
    verdict = ""
    if (!($1 in instructions)) verdict = ", no threshold"
    else if ($2 > instructions[$1]) verdict = sprintf(", %.0f instructions are the most", instructions[$1])
    # Beside the tenth a share of one allocation, which comes and goes with the growth of an array.
    if ($1 in allocations && $3 > allocations[$1]) verdict = verdict sprintf(", %.2f allocations are the most", allocations[$1])
    if (verdict != "") failed = 1
    print "counts", $1, $2, "instructions,", $3, "allocations:", verdict == "" ? "ok" : substr(verdict, 3)
  }
  END { exit failed }' "$thresholds" "$folder/measured"
