#!/usr/bin/env bash
# Makes sure that there is a Swift toolchain, with SQLite's header and library, and what the tests need besides: Python,
# SQLite's shell and, where they are asked for, the server of PostgreSQL and PgBouncer.
# Usage: setup.sh [tests]
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "There is no Swift toolchain on this machine: install Swift 6.2 or later from https://www.swift.org/install/" >&2
  exit 1
fi

# Apple's systems bring all of it but the server, whose tests are left out there unless it is installed.
[ "$(uname)" = Darwin ] && exit 0
packages=()
if ! printf '#include <sqlite3.h>\n' | clang -E -x c - >/dev/null 2>&1; then packages+=(libsqlite3-dev); fi
# Without the shell nothing is missing but the tests that need it, so that no other system is asked for it.
if ! command -v sqlite3 >/dev/null && command -v apt-get >/dev/null; then packages+=(sqlite3); fi
# The standard library alone: scripts/test.py and scripts/mutants.py.
if ! command -v python3 >/dev/null && command -v apt-get >/dev/null; then packages+=(python3); fi
# As the shell: without a server its tests are left out. It brings libpq, too.
server=()
if [ "${1:-}" = tests ] && command -v apt-get >/dev/null && ! bash "$(dirname "$0")/postgres.sh" find >/dev/null 2>&1; then
  server=(postgresql)
fi
pooler=()
if [ "${1:-}" = tests ] && command -v apt-get >/dev/null && ! [ -x /usr/sbin/pgbouncer ]; then pooler=(pgbouncer); fi
missing=("${packages[@]}" "${server[@]}" "${pooler[@]}")
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "SQLite's header sqlite3.h is missing: install SQLite's development files with your package manager" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    [ ${#packages[@]} -gt 0 ] || exit 0
    echo "SQLite's files are missing: run 'apt-get install ${packages[*]}' as root" >&2
    exit 1
  fi
  as_root=(sudo)
fi

install_packages() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$@" >/dev/null
}

# Installs the server alone: Debian's package would make a database too, and start it with the machine, unless its settings
# say otherwise, as they do for the time of the installation.
# https://manpages.debian.org/bookworm/postgresql-common/pg_createcluster.1.en.html
install_server() {
  local settings=/etc/postgresql-common/createcluster.conf status=0
  install_packages --no-install-recommends postgresql-common || return 1
  "${as_root[@]}" cp -p "$settings" "$settings.repokit" || return 1
  echo "create_main_cluster = false" | "${as_root[@]}" tee -a "$settings" >/dev/null
  install_packages --no-install-recommends "${server[@]}" || status=1
  "${as_root[@]}" mv "$settings.repokit" "$settings"
  return $status
}

# Installs PgBouncer, whose package would run it all the time.
install_pooler() {
  install_packages --no-install-recommends "${pooler[@]}" || return 1
  if command -v systemctl >/dev/null; then "${as_root[@]}" systemctl disable --now pgbouncer >/dev/null 2>&1 || true; fi
}

echo "Installing ${missing[*]}…"
if ! "${as_root[@]}" apt-get update -qq && [ ${#packages[@]} -gt 0 ]; then exit 1; fi
if [ ${#packages[@]} -gt 0 ]; then install_packages "${packages[@]}"; fi
if [ ${#server[@]} -gt 0 ] && ! install_server; then
  echo "PostgreSQL's server was not installed: its tests are left out" >&2
fi
if [ ${#pooler[@]} -gt 0 ] && ! install_pooler; then echo "PgBouncer was not installed: its tests are left out" >&2; fi
