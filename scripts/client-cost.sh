#!/usr/bin/env bash
# What a program of one model that depends on SQLiteStore costs: the time of the processors for its build from nothing, debug and
# release, and the files of the library that its `findAll` enters, the first time and later. Prints a table, on Linux alone.
# Usage: client-cost.sh
#
# A file is entered where a function of its text, none that the compiler makes, has more instructions with one call more: the
# program runs under callgrind with no call, one, 100 and 101. It is built without assertions for that, since a debug build
# compiles each statement anew to compare it.
set -euo pipefail

cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "Valgrind is missing: make counts installs it" >&2; exit 1; }
swift=${SWIFT:-swift}
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/client"
cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "repository-kit", path: "$root")],
  targets: [
    .executableTarget(name: "client", dependencies: [.product(name: "SQLiteStore", package: "repository-kit")])
  ]
)
SWIFT
cat >"$folder/Sources/client/main.swift" <<'SWIFT'
import Foundation
import SQLiteStore

struct Pokemon: Entity {
  let id: Int
  var name: String
  var level: Int

  static let schema = Schema("pokemon", Pokemon.init, Column("id", \.id), Column("name", \.name), Column("level", \.level))
}

let calls = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
let done = DispatchSemaphore(value: 0)
// Callgrind does not survive an asynchronous `main`.
Task.detached {
  do {
    let pokemon: AnyRepository<Pokemon> = try SQLiteStore.inMemory().repository()
    try await pokemon.save(Pokemon(id: 25, name: "Pikachu", level: 12))
    for _ in 0..<calls {
      _ = try await pokemon.findAll(where: { $0.level > 10 }, sortedBy: .ascending(\.name), limit: 10)
    }
  } catch {
    print(error)
    exit(1)
  }
  done.signal()
}
done.wait()
SWIFT

# Builds the program in the folder NAME, and prints the time of the processors in seconds.
build() {
  local name=$1
  shift
  (cd "$folder" && TIMEFORMAT=%U && time "$swift" build --scratch-path "$folder/$name" "$@" >"$folder/$name.log" 2>&1) 2>&1 ||
    { grep error: "$folder/$name.log" >&2; exit 1; }
}

debug=$(build debug)
echo "swift build: $debug s of the processors"
release=$(build release -c release)
echo "swift build -c release: $release s"
build plain -Xswiftc -assert-config -Xswiftc Release >/dev/null
for calls in 0 1 100 101; do
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$folder/out.$calls" --dump-line=no \
    "$folder/plain/debug/client" "$calls" >"$folder/run.log" 2>&1 || { cat "$folder/run.log" >&2; exit 1; }
done
python3 - "$folder" "$root" <<'PYTHON'
import collections
import re
import sys

folder, root = sys.argv[1:]
# What the compiler makes, by the end of its mangled name: copies and destructions, caches of witness tables, accessors of
# metadata, thunks, value witnesses, and arguments by default.
# https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
MADE = re.compile(r"(WO[a-z]|W[lL]|M[a-z]|T[WRrmi]|w[a-z]{2}|fA\d*_)('\d+)?$")


def files(calls):
    """The instructions of the functions of each file: https://valgrind.org/docs/manual/cl-format.html"""
    names, cost = {}, collections.Counter()
    file = function = None
    is_call = False

    def name(kind, text):
        number, _, given = text.partition(' ')
        if given:
            names[kind, number] = given
        return names.get((kind, number), text)

    for line in open(f'{folder}/out.{calls}', errors='replace'):
        line = line.rstrip('\n')
        key, _, value = line.partition('=')
        if key in ('fl', 'fi', 'fe'):
            file = name('file', value)
        elif key == 'fn':
            function = name('function', value)
        elif key in ('cfi', 'cfl'):
            name('file', value)
        elif key == 'cfn':
            name('function', value)
        elif key == 'calls':
            is_call = True
        elif re.match(r'[0-9+*-]', line):
            # The line after a call has the instructions of what is called.
            if not is_call and file and file.startswith(root + '/Sources/') and not MADE.search(function):
                cost[file.removeprefix(root + '/Sources/'), function] += int(line.split()[1])
            is_call = False
    return cost


def entered(fewer, more):
    fewer, more = files(fewer), files(more)
    return sorted({file for (file, function), count in more.items() if count > fewer[file, function]})


first, later = entered(0, 1), entered(100, 101)
print(f'files that the first findAll enters: {len(first)}')
print('\n'.join(f'  {"  " if file in later else "* "}{file}' for file in first))
print(f'files that a later one enters: {len(later)} (those without a star)')
PYTHON
