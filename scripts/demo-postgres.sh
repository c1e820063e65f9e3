#!/usr/bin/env bash
# Asks the questions of the demo on a private PostgreSQL server, and fails where its answers are not those of SQLite: the same
# rows in the same order, and the same messages.
# Usage: demo-postgres.sh REPOKIT DIRECTORY
set -euo pipefail

scripts=$(cd "$(dirname "$0")" && pwd)
repokit=$1
directory=$2
# A short path: that of a socket has to fit into a hundred bytes.
folder=$(mktemp -d /tmp/repokit.XXXXXX)
trap 'bash "$scripts/postgres.sh" stop "$folder"; rmdir "$folder"' EXIT
connection=$(bash "$scripts/postgres.sh" start "$folder") || { trap 'rmdir "$folder"' EXIT; exit 1; }
# "host=/tmp/repokit.abc user=repokit dbname=postgres" as a URI.
uri="postgresql:///?$(printf '%s' "$connection" | tr ' ' '&')"

mkdir -p "$directory"
bash "$scripts/demo.sh" "$repokit" "$directory" >"$directory/sqlite.txt" 2>&1 || {
  cat "$directory/sqlite.txt" >&2
  echo "SQLite does not answer the questions" >&2
  exit 1
}
bash "$scripts/demo.sh" "$repokit" "$directory" "$uri" >"$directory/postgres.txt" 2>&1 || true
cat "$directory/postgres.txt"
echo
diff -u --label "by SQLite" "$directory/sqlite.txt" --label "by PostgreSQL" - \
  < <(sed "s|'$uri'|p.sqlite|g" "$directory/postgres.txt") || { echo "the answers differ" >&2; exit 1; }
echo "All of this is what SQLite answers."
