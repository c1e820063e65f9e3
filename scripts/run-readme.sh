#!/usr/bin/env bash
# Runs the README's commands word for word, but for those of make, which CI runs itself.
set -euo pipefail

commands=$(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md | grep -v '^make ')
[ -n "$commands" ] || { echo "there are no commands in the README" >&2; exit 1; }
trap 'rm -f p.sqlite' EXIT
rm -f p.sqlite
# With the flags of the builds before, so that nothing is built again.
swift() { command swift "$1" ${FLAGS:-} "${@:2}"; }
while IFS= read -r command; do
  printf '$ %s\n' "$command"
  # Not from this loop's own input, which a command would swallow.
  eval "$command" </dev/null
done <<<"$commands"
