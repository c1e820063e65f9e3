#!/usr/bin/env bash
# Builds repokit as one file that needs nothing of Swift's, and installs it with its manual page and its completions.
# Usage: [PREFIX=/usr/local] [DESTDIR=] install.sh [remove]
#
# DESTDIR is put before everything, for those who make a package of it.
set -euo pipefail

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
root=${DESTDIR:-}${PREFIX:-/usr/local}

program=$root/bin/repokit
manual=$root/share/man/man1/repokit.1
bash=$root/share/bash-completion/completions/repokit
zsh=$root/share/zsh/site-functions/_repokit
fish=$root/share/fish/vendor_completions.d/repokit.fish

if [ "${1:-}" = remove ]; then
  rm -f "$program" "$manual" "$bash" "$zsh" "$fish"
  exit
fi

# Without what needs all of Foundation, the file is half as large and starts faster: see Package.swift.
options=(-c release --product repokit --disable-default-traits --scratch-path .build/install)
# Apple's systems have Swift's libraries, and none to link statically.
if [ "$(uname)" = Linux ]; then options+=(--static-swift-stdlib); fi
"$swift" build "${options[@]}"
built=$("$swift" build "${options[@]}" --show-bin-path)/repokit

# Made before anything is put in place, so that nothing is installed by halves.
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
"$built" help --man > "$pages/repokit.1"
for shell in bash zsh fish; do "$built" completions "$shell" > "$pages/$shell"; done

install -d "${program%/*}" "${manual%/*}" "${bash%/*}" "${zsh%/*}" "${fish%/*}"
install -m 755 -s "$built" "$program"
install -m 644 "$pages/repokit.1" "$manual"
install -m 644 "$pages/bash" "$bash"
install -m 644 "$pages/zsh" "$zsh"
install -m 644 "$pages/fish" "$fish"
echo "installed $program, its manual page and its completions"
