#!/usr/bin/env bash
# Compares speed with hand-written C calls, with GRDB, the tool with SQLite's shell, and a PostgreSQL server of its own with
# libpq: docs/performance.md.
# Usage: [QUICK=1] [ONLY=WORKLOAD,…] [ROUNDS=N] [TABLE=1] bench.sh
#
# A workload may be named by how its name starts; those of the tool are import and start. TABLE=1 prints the figures as a
# table in Markdown, too.
set -euo pipefail

cd "$(dirname "$0")/../Benchmarks"
swift=${SWIFT:-swift}
log=$(mktemp)
server=''
finish() {
  if [ -n "$server" ]; then bash ../scripts/postgres.sh stop "$server" && rmdir "$server"; fi
  rm -f "$log"
}
trap finish EXIT

# Runs something whose output matters only where it fails.
quietly() {
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
}

# Installs a package of Debian's, if that can be done.
try_install() {
  command -v apt-get >/dev/null || return 0
  local as_root=()
  if [ "$(id -u)" != 0 ]; then as_root=(sudo -n); fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$1" >"$log" 2>&1 || true
}

has_libpq_headers() { [ -e "$(pg_config --includedir 2>/dev/null)/libpq-fe.h" ]; }

# Starts a private server, whose connection string goes to the benchmarks as POSTGRES; without one they leave PostgreSQL out.
start_postgres() {
  export POSTGRES='' WITHOUT_POSTGRES=1
  has_libpq_headers || try_install libpq-dev
  if ! has_libpq_headers; then
    echo "postgres is left out: libpq's headers are not installed"
    return
  fi
  unset WITHOUT_POSTGRES
  local programs
  # Its path has to be short, and open to the server's user.
  server=$(mktemp -d /tmp/repokit-bench.XXXXXX)
  if programs=$(bash ../scripts/postgres.sh find 2>"$log") &&
    POSTGRES=$(bash ../scripts/postgres.sh start "$server" 2>"$log"); then
    PATH=$programs:$PATH
    return
  fi
  rmdir "$server"
  server=''
  echo "postgres is left out: $(tail -n 1 "$log")"
}

# The tool as `make install` builds it, beside the sqlite3 of the system, which is installed where that can be done.
measure_tool() {
  command -v sqlite3 >/dev/null || try_install sqlite3
  local options=(-c release --product repokit --disable-default-traits --scratch-path ../.build/install)
  if [ "$(uname)" = Linux ]; then options+=(--static-swift-stdlib); fi
  quietly "$swift" build --package-path .. "${options[@]}"
  local built
  built=$("$swift" build --package-path .. "${options[@]}" --show-bin-path)/repokit
  local folder
  folder=$(mktemp -d)
  install -m 755 -s "$built" "$folder/repokit"
  # What has no rivals needs none of them fetched.
  quietly env WITHOUT_PEERS=1 "$swift" build -c release --product processes --scratch-path .build/processes
  local status=0
  REPOKIT=$folder/repokit ONLY=$1 \
    "$(WITHOUT_PEERS=1 "$swift" build -c release --scratch-path .build/processes --show-bin-path)/processes" || status=$?
  rm -rf "$folder"
  return "$status"
}

# Which of the names are the tool's, and whether some are PostgreSQL's.
of_tool='' of_library='' wants_postgres=no
IFS=, read -r -a names <<<"${ONLY:-}"
for name in "${names[@]}"; do
  if [[ postgres == "$name"* || $name == postgres* ]]; then wants_postgres=yes; fi
  case $name in
    import | start) of_tool+="${of_tool:+,}$name" ;;
    *) of_library+="${of_library:+,}$name" ;;
  esac
done

if [ -z "${ONLY:-}" ] || [ -n "$of_library" ]; then
  if [ -z "${ONLY:-}" ] || [ $wants_postgres = yes ]; then start_postgres; fi
  quietly "$swift" build -c release --product bench
  TOOLCHAIN=$("$swift" --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
  export TOOLCHAIN
  ONLY=$of_library "$("$swift" build -c release --show-bin-path)/bench"
fi
if [ -z "${ONLY:-}" ] || [ -n "$of_tool" ]; then measure_tool "$of_tool"; fi
