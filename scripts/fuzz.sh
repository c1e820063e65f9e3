#!/usr/bin/env bash
# Feeds the readers of texts, JSON, files of rows, URLs and requests with inputs that libFuzzer makes up, and holds what they read
# against the contract.
# Usage: fuzz.sh MINUTES [LETTERS]
#
# LETTERS are those of Fuzz/Subject.swift that are read; all of them where there are none.
#
# The seeds are in Fuzz/Corpus; a seed's first letter says what the rest is. What is found on the way is kept in
# .build/fuzz/corpus and serves the next run; inputs that break something are kept in .build/fuzz/findings.
set -euo pipefail

minutes=${1:-}
# libFuzzer takes no minutes at all for no end.
if ! [[ $minutes =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: fuzz.sh MINUTES [LETTERS]" >&2
  exit 2
fi
cd "$(dirname "$0")/.."
build=.build/fuzz
mkdir -p "$build/corpus" "$build/findings"

# The package's own settings (Package.swift), with both sanitizers. Not in Package.swift itself, where everybody would
# build an instrumented copy of every module.
options=(-swift-version 6 -O -wmo -parse-as-library -sanitize=fuzzer,address -g -module-cache-path "$build/modules"
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
swiftc -sanitize=fuzzer,address ${linker[@]+"${linker[@]}"} "${objects[@]}" -lsqlite3 -o "$build/fuzz"

# Leaks are not looked for: what lives as long as the process is none. A backtrace of Swift's own would take the crash
# away from libFuzzer, which has to write the input down.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
if [ -n "${2:-}" ]; then export REPOKIT_FUZZ_ONLY=$2; fi
started="$build/started${2:-}" log="$build/log${2:-}"
touch "$started"
status=0
"$build/fuzz" -max_total_time=$((minutes * 60)) -timeout=10 -rss_limit_mb=2048 -max_len=1024 -dict=Fuzz/words.dict \
  -artifact_prefix="$build/findings/" -print_final_stats=1 "$build/corpus" Fuzz/Corpus 2>"$log" || status=$?
grep -E '^stat::|^law broken' "$log" || true
[ "$status" = 0 ] && exit 0

grep -E 'ERROR|Fatal error|SUMMARY' "$log" >&2 || tail -n 20 "$log" >&2
find "$build/findings" -type f -newer "$started" | while IFS= read -r finding; do
  printf '\n%s\nlet input = ' "$finding"
  REPOKIT_FUZZ_SHOW="$finding" "$build/fuzz"
done >&2
exit 1
