#!/usr/bin/env bash
# Makes sure that there is a Swift toolchain and SQLite's header and library.
set -euo pipefail

if ! command -v swift >/dev/null; then
  echo "There is no Swift toolchain on this machine: install Swift 6.2 or later from https://www.swift.org/install/" >&2
  exit 1
fi

# Apple's systems bring SQLite with their SDK.
[ "$(uname)" = Darwin ] && exit 0
if printf '#include <sqlite3.h>\n' | clang -E -x c - >/dev/null 2>&1; then exit 0; fi

if ! command -v apt-get >/dev/null; then
  echo "SQLite's header sqlite3.h is missing: install SQLite's development files with your package manager" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "SQLite's header sqlite3.h is missing: run 'apt-get install libsqlite3-dev' as root" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing libsqlite3-dev…"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y libsqlite3-dev >/dev/null
