#!/usr/bin/env bash
# Compares speed with hand-written C calls, with GRDB, and the tool with SQLite's shell: docs/performance.md.
# Usage: [QUICK=1] [ONLY=WORKLOAD,…] [ROUNDS=N] [TABLE=1] bench.sh
#
# A workload may be named by how its name starts; those of the tool are import and start. TABLE=1 prints the figures as a
# table in Markdown, too.
set -euo pipefail

cd "$(dirname "$0")/../Benchmarks"
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Runs something whose output matters only where it fails.
quietly() {
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
}

# The tool as `make install` builds it, beside the sqlite3 of the system, which is installed where that can be done.
measure_tool() {
  if ! command -v sqlite3 >/dev/null && command -v apt-get >/dev/null; then
    as_root=()
    if [ "$(id -u)" != 0 ]; then as_root=(sudo -n); fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y sqlite3 >"$log" 2>&1 || true
  fi
  local options=(-c release --product repokit --disable-default-traits --scratch-path ../.build/install)
  if [ "$(uname)" = Linux ]; then options+=(--static-swift-stdlib); fi
  quietly "$swift" build --package-path .. "${options[@]}"
  local built
  built=$("$swift" build --package-path .. "${options[@]}" --show-bin-path)/repokit
  local folder
  folder=$(mktemp -d)
  install -m 755 -s "$built" "$folder/repokit"
  # What has no rivals needs none of them fetched.
  quietly env WITHOUT_PEERS=1 "$swift" build -c release --product processes --scratch-path .build/processes
  local status=0
  REPOKIT=$folder/repokit ONLY=$1 \
    "$(WITHOUT_PEERS=1 "$swift" build -c release --scratch-path .build/processes --show-bin-path)/processes" || status=$?
  rm -rf "$folder"
  return "$status"
}

# Which of the names are the tool's.
of_tool='' of_library=''
IFS=, read -r -a names <<<"${ONLY:-}"
for name in "${names[@]}"; do
  case $name in
    import | start) of_tool+="${of_tool:+,}$name" ;;
    *) of_library+="${of_library:+,}$name" ;;
  esac
done

if [ -z "${ONLY:-}" ] || [ -n "$of_library" ]; then
  quietly "$swift" build -c release --product bench
  TOOLCHAIN=$("$swift" --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
  export TOOLCHAIN
  ONLY=$of_library "$("$swift" build -c release --show-bin-path)/bench"
fi
if [ -z "${ONLY:-}" ] || [ -n "$of_tool" ]; then measure_tool "$of_tool"; fi
