#!/usr/bin/env bash
# Makes sure that there is a Swift toolchain, SQLite's header and library, and for the tests Python and SQLite's shell.
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "There is no Swift toolchain on this machine: install Swift 6.2 or later from https://www.swift.org/install/" >&2
  exit 1
fi

# Apple's systems bring all of it.
[ "$(uname)" = Darwin ] && exit 0
packages=()
if ! printf '#include <sqlite3.h>\n' | clang -E -x c - >/dev/null 2>&1; then packages+=(libsqlite3-dev); fi
# Without the shell nothing is missing but the tests that need it, so that no other system is asked for it.
if ! command -v sqlite3 >/dev/null && command -v apt-get >/dev/null; then packages+=(sqlite3); fi
# The standard library alone: scripts/test.py and scripts/mutants.py.
if ! command -v python3 >/dev/null && command -v apt-get >/dev/null; then packages+=(python3); fi
[ ${#packages[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "SQLite's header sqlite3.h is missing: install SQLite's development files with your package manager" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "SQLite's files are missing: run 'apt-get install ${packages[*]}' as root" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${packages[*]}…"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "${packages[@]}" >/dev/null
