#!/usr/bin/env bash
# Type-checks the predicates of Foundation that Query makes on Apple's systems, against declarations that were written by hand, so
# that this code does not rot where there is no Objective-C runtime. The package has to be built.
# Usage: check-predicates.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" = Darwin ]; then exit 0; fi
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=$(dirname "$(command -v "$swift")")/swiftc
# An empty module makes `canImport(ObjectiveC)` true.
"$compiler" -emit-module -module-name ObjectiveC -emit-module-path "$folder/ObjectiveC.swiftmodule" -parse-as-library - </dev/null
# With the settings of Package.swift.
features=(ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault)
options=(-swift-version 6 -parse-as-library -warnings-as-errors -package-name repository_kit -I "$folder")
for feature in "${features[@]}"; do options+=(-enable-upcoming-feature "$feature"); done
"$compiler" -emit-module -module-name ErrorDetails -emit-module-path "$folder/ErrorDetails.swiftmodule" "${options[@]}" \
  Sources/ErrorDetails/*.swift
find Sources/Query -name '*.swift' -print0 |
  xargs -0 "$compiler" -typecheck -module-name Query "${options[@]}" Tests/ObjectiveCStub/*.swift
echo "what is for the Objective-C runtime type-checks"
