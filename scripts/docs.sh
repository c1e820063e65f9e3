#!/usr/bin/env bash
# Builds the documentation of the libraries with the toolchain's DocC: a site in .build/docs. A link that leads nowhere is an
# error. https://www.swift.org/documentation/docc
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
out=.build/docs
if ! docc=$(command -v docc || xcrun --find docc 2>/dev/null); then
  echo "the toolchain has no docc" >&2
  exit 1
fi
# With the flags of the other builds, so that nothing is built anew.
"$swift" build ${FLAGS:-}
modules=$("$swift" build --show-bin-path)/Modules
target=$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -1)
rm -rf "$out"
mkdir -p "$out/symbols"
archives=() dependencies=()
# Each after those whose symbols it links to.
libraries=(
  ErrorDetails ErrorHandling Query SQL Repository RepositoryTesting WebRepositoryFormat RepositoryService WebStore SQLStore SQLiteStore
  PostgresStore CSV
)
for module in "${libraries[@]}"; do
  mkdir "$out/symbols/$module"
  "$swift" symbolgraph-extract -module-name "$module" -I "$modules" -I Sources/CSQLite -target "$target" \
    -minimum-access-level public -skip-inherited-docs -output-dir "$out/symbols/$module"
  catalog=()
  if [ -d "Sources/$module/$module.docc" ]; then catalog=("Sources/$module/$module.docc"); fi
  "$docc" convert "${catalog[@]}" --additional-symbol-graph-dir "$out/symbols/$module" \
    --output-path "$out/$module.doccarchive" --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --enable-experimental-external-link-support --disable-parameters-and-returns-validation --warnings-as-errors \
    "${dependencies[@]}"
  archives+=("$out/$module.doccarchive")
  dependencies+=(--dependency "$out/$module.doccarchive")
done
python3 scripts/docslinks.py "$out/symbols" "${libraries[@]}"
"$docc" merge "${archives[@]}" --synthesized-landing-page-name repository-kit --output-path "$out/site"
echo "the site is in $out/site"
