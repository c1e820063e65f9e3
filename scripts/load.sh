#!/usr/bin/env bash
# Loads and attacks Examples/PokedexServer, over SQLite and over a private PostgreSQL server, and fails where it answers with
# an error of its own, loses a write, or takes ever more memory: docs/reliability.md.
# Usage: [SECONDS_EACH=60] [CONNECTIONS=500] [EXAMPLES=100] load.sh
#
# wrk comes from Debian's packages and schemathesis from PyPI, and each is left out where it can't be installed.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${SECONDS_EACH:-60}
connections=${CONNECTIONS:-500}
swift=${SWIFT:-swift}
folder=$(mktemp -d /tmp/repokit-load.XXXXXX)
chmod 755 "$folder"
server='' postgres=''
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  if [ -n "$postgres" ]; then bash scripts/postgres.sh stop "$postgres" >/dev/null 2>&1 || true; fi
  rm -rf "$folder"
}
trap finish EXIT

if ! command -v wrk >/dev/null && command -v apt-get >/dev/null; then
  apt-get install -qq -y wrk >/dev/null 2>&1 || sudo -n apt-get install -qq -y wrk >/dev/null 2>&1 || true
fi
schemathesis=$PWD/.build/schemathesis/bin/schemathesis
if ! [ -x "$schemathesis" ]; then
  python3 -m venv .build/schemathesis && .build/schemathesis/bin/pip install --quiet 'schemathesis>=4,<5' || true
fi

log=$folder/build.log
for product in pokedex-server handwritten; do
  if ! "$swift" build -c release --package-path Examples/PokedexServer --product "$product" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
done
programs=$("$swift" build -c release --package-path Examples/PokedexServer --show-bin-path)
# Each connection is a file.
ulimit -n 8192 2>/dev/null || true

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Starts the server over a store, tries it, and stops it.
attempt() {
  local name=$1 port
  port=$(free_port)
  PORT=$port POKEDEX_TOKEN=load POKEDEX_FILE=$folder/$name.sqlite "$programs/pokedex-server" >"$folder/$name.log" 2>&1 &
  server=$!
  local status=0
  if [ "$name" = sqlite ] && command -v wrk >/dev/null; then
    local other
    other=$(free_port)
    # It reads the file that the server has filled by then.
    until curl -sf "http://127.0.0.1:$port/pokemon/25" >/dev/null; do
      kill -0 "$server" || break
      sleep 0.1
    done
    PORT=$other POKEDEX_FILE=$folder/$name.sqlite "$programs/handwritten" >"$folder/handwritten.log" 2>&1 &
    local rival=$!
    until curl -sf "http://127.0.0.1:$other/pokemon/25" >/dev/null; do
      kill -0 "$rival" || break
      sleep 0.1
    done
    python3 scripts/load.py compare "$port" "$server" "$other" "$rival" || status=1
    kill "$rival" 2>/dev/null || true
    wait "$rival" 2>/dev/null || true
  fi
  python3 scripts/load.py "$name" "$port" "$server" "$seconds" "$connections" || status=1
  if [ -x "$schemathesis" ]; then
    # Live results don't end.
    echo "$name: schemathesis"
    (cd "$folder" && NO_COLOR=1 "$schemathesis" run "http://127.0.0.1:$port/openapi.json" --checks not_a_server_error \
      --exclude-path-regex ':changes$' --phases coverage,fuzzing --max-examples "${EXAMPLES:-100}" \
      --header 'Authorization: Bearer load' \
      >"$folder/schemathesis.log" 2>&1) ||
      { status=1; cat "$folder/schemathesis.log"; }
    sed -n 's/^ *\(.* generated, .*\)/  \1/p; s/^Seed/  seed/p' "$folder/schemathesis.log"
  fi
  if ! kill "$server" 2>/dev/null; then
    echo "$name: the server has ended by itself" >&2
    cat "$folder/$name.log" >&2
    status=1
  fi
  wait "$server" 2>/dev/null || true
  server=''
  return "$status"
}

failed=0
attempt sqlite || failed=1
postgres=$folder/pg
mkdir "$postgres"
if connection=$(bash scripts/postgres.sh start "$postgres" 2>/dev/null); then
  POKEDEX_POSTGRES=$connection attempt postgres || failed=1
else
  postgres=''
  echo "postgres is left out: no server is installed"
fi
exit "$failed"
