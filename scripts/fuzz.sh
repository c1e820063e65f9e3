#!/usr/bin/env bash
# Feeds the readers of texts, JSON, files of rows, URLs and requests with inputs that libFuzzer makes up, and holds what they read
# against the contract.
# Usage: fuzz.sh [--address] MINUTES [LETTERS]
#        fuzz.sh [--address] --runs NUMBER [LETTERS]
#
# LETTERS are those of Fuzz/Subject.swift that are read; all of them where there are none. Each reader has a process of its own,
# and as many of them run at a time as there are processors. All of them together take MINUTES, or each reads NUMBER inputs.
#
# With --address, under Address Sanitizer, with which an input takes two to five times as long. It has no part in most of what
# is looked for, which are broken laws, and Swift itself ends a process that leaves the bounds of an array. What it notices
# besides is in the few places that hold pointers, and in C, and depends on the path that an input takes rather than on its
# values. So the many inputs are read without it, and then those that are kept, each of which took a path of its own, with it.
#
# The seeds are in Fuzz/Corpus; a seed's first letter says what the rest is. What is found on the way is kept in
# .build/fuzz/corpus and serves the next run; inputs that break something are kept in .build/fuzz/findings.
set -euo pipefail

usage() {
  echo "usage: fuzz.sh [--address] MINUTES [LETTERS], or fuzz.sh [--address] --runs NUMBER [LETTERS]" >&2
  exit 2
}
sanitizers=fuzzer variant=plain runs=
if [ "${1:-}" = --address ]; then
  sanitizers=fuzzer,address variant=address
  shift
fi
if [ "${1:-}" = --runs ]; then
  runs=${2:-}
  shift
fi
# libFuzzer takes none at all for no end.
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || usage
minutes=$1
cd "$(dirname "$0")/.."
all=$(sed -n 's/^  case .* = "\([a-z]\)"$/\1/p' Fuzz/Subject.swift | tr -d '\n')
letters=${2:-$all}
[[ $letters =~ ^[$all]+$ ]] || usage
export fuzz=.build/fuzz
export build="$fuzz/$variant"
mkdir -p "$build" "$fuzz/findings"

# The package's own settings (Package.swift), with sanitizers. Not in Package.swift itself, where everybody would build an
# instrumented copy of every module.
options=(-swift-version 6 -O -wmo -parse-as-library "-sanitize=$sanitizers" -D FUZZING -g -module-cache-path "$build/modules"
  -package-name repository_kit -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature NonisolatedNonsendingByDefault
  -I "$build" -Xcc -fmodule-map-file=Sources/CSQLite/module.modulemap)

objects=()
rebuilt=no
# Compiles one module unless nothing that it was made of has changed.
compile() {
  local module=$1 folder=$2 object="$build/$1.o"
  objects+=("$object")
  if [ "$rebuilt" = no ] && [ -e "$object" ] && [ -z "$(find "$folder" scripts/fuzz.sh -newer "$object" -print -quit)" ]; then
    return
  fi
  rebuilt=yes
  echo "building $module…"
  local sources=()
  while IFS= read -r -d '' source; do sources+=("$source"); done < <(find "$folder" -name '*.swift' -not -path '*/Tests/*' -print0 | sort -z)
  swiftc "${options[@]}" -module-name "$module" -emit-module -emit-module-path "$build/$module.swiftmodule" \
    -emit-object -o "$object" "${sources[@]}"
  # The compiler leaves an object alone that is as it was.
  touch "$object"
}

for module in ErrorDetails ErrorHandling Query CSV SQL Repository SQLStore SQLiteStore SQLInspection RowImport \
  WebRepositoryFormat RepositoryService; do compile "$module" "Sources/$module"; done
compile Fuzz Fuzz
# Not by gold, which warns of each of the sanitizer's symbols.
linker=()
[ "$(uname)" = Darwin ] || linker=(-use-ld=lld)
swiftc "-sanitize=$sanitizers" ${linker[@]+"${linker[@]}"} "${objects[@]}" -lsqlite3 -o "$build/fuzz"

# Leaks are not looked for: what lives as long as the process is none. A backtrace of Swift's own would take the crash
# away from libFuzzer, which has to write the input down.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

processors=$(getconf _NPROCESSORS_ONLN)
rounds=$(((${#letters} + processors - 1) / processors))
export limit="-max_total_time=$((minutes * 60 / rounds))"
[ -z "$runs" ] || limit="-runs=$runs"

# Reads inputs of one letter, and says in one line how many.
fuzz_reader() {
  local letter=$1 start=$SECONDS status=0 seed finding count
  local log="$build/log-$letter" corpus="$fuzz/corpus/$letter" seeds="$build/seeds/$letter" started="$build/started-$letter"
  rm -rf "$seeds"
  mkdir -p "$corpus" "$seeds"
  for seed in Fuzz/Corpus/*; do
    [ "$(head -c 1 "$seed")" != "$letter" ] || cp "$seed" "$seeds"
  done
  touch "$started"
  REPOKIT_FUZZ_ONLY=$letter "$build/fuzz" "$limit" -timeout=10 -rss_limit_mb=2048 -max_len=1024 -dict=Fuzz/words.dict \
    -artifact_prefix="$fuzz/findings/$letter-" -print_final_stats=1 "$corpus" "$seeds" >"$log" 2>&1 || status=$?
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  local seconds=$((SECONDS - start))
  echo "$letter: ${count:-0} executions in $seconds s, $((${count:-0} / (seconds > 0 ? seconds : 1))) a second," \
    "$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | grep -oE '[0-9]+' || echo 0) places reached"
  [ "$status" != 0 ] || return 0

  {
    grep -E '^law broken|ERROR|Fatal error|SUMMARY' "$log" || tail -n 20 "$log"
    find "$fuzz/findings" -name "$letter-*" -newer "$started" | while IFS= read -r finding; do
      printf '\n%s\nlet input = ' "$finding"
      REPOKIT_FUZZ_SHOW="$finding" "$build/fuzz"
    done
  } >&2
  return 1
}
export -f fuzz_reader
# The status of xargs is that one of its commands failed.
fold -w 1 <<<"$letters" | xargs -n 1 -P "$processors" bash -c 'set -uo pipefail; fuzz_reader "$1"' fuzz || exit 1
