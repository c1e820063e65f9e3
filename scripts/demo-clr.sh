#!/usr/bin/env bash
# Runs the session of the README of Examples/ColorLists, and compares what it prints.
# Usage: demo-clr.sh CLR
set -euo pipefail

readme=$PWD/Examples/ColorLists/README.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$(cd "$(dirname "$1")" && pwd)/clr" "$folder/clr"
export PATH=$folder:$PATH
cd "$folder"

session=$(sed -n '/^```console$/,/^```$/p' "$readme" | sed '1d;$d')
while IFS= read -r line; do
  printf '%s\n' "$line"
  eval "${line#'$ '}" 2>&1 || true
done < <(grep '^\$ ' <<<"$session") >printed
cat printed
diff <(printf '%s\n' "$session") printed
