#!/usr/bin/env bash
# Type-checks what Examples/ColorLists does by AppKit, against declarations of it that were written by hand, so that this code does
# not rot where there is no AppKit. The package has to be built.
# Usage: check-appkit.sh
set -euo pipefail
cd "$(dirname "$0")/../Examples/ColorLists"

if [ "$(uname)" = Darwin ]; then exit 0; fi
swift=${SWIFT:-swift}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
modules=$("$swift" build --show-bin-path)/Modules
compiler=$(dirname "$(command -v "$swift")")/swiftc
"$compiler" -emit-module -module-name AppKit -emit-module-path "$folder/AppKit.swiftmodule" AppKitStub/AppKit.swift
# With the settings of Package.swift.
features=(ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault)
options=(-swift-version 6 -parse-as-library -warnings-as-errors -module-name clr -I "$folder" -I "$modules")
for feature in "${features[@]}"; do options+=(-enable-upcoming-feature "$feature"); done
"$compiler" -typecheck "${options[@]}" Sources/Files/*.swift Sources/Domain/Color.swift
echo "what is for AppKit type-checks"
