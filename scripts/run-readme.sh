#!/usr/bin/env bash
# Runs the README's commands word for word, but for those of make, which CI runs itself.
set -euo pipefail

commands=$(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md | grep -v '^make ')
[ -n "$commands" ] || { echo "there are no commands in the README" >&2; exit 1; }
trap 'rm -f p.sqlite' EXIT
rm -f p.sqlite
while IFS= read -r command; do
  printf '$ %s\n' "$command"
  # Not from this loop's own input, which a command would swallow.
  eval "$command" </dev/null
done <<<"$commands"
