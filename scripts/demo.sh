#!/usr/bin/env bash
# Imports the Pokédex and asks it some questions, each shown as a person would type it.
# Usage: demo.sh REPOKIT DIRECTORY [DATABASE]    the database is p.sqlite in the directory if it is left out
set -euo pipefail

repokit=$1
directory=$2
# As it is typed.
database=p.sqlite
[ $# -lt 3 ] || database="'$3'"
csv=$PWD/Examples/Pokedex/pokedex.csv
mkdir -p "$directory"
rm -f "$directory"/p.sqlite*
cd "$directory"
# Each command runs as it is shown: `repokit` is the one that was just built.
mkdir -p bin Examples/Pokedex
ln -sf "$(cd "$(dirname "$repokit")" && pwd)/repokit" bin/repokit
ln -sf "$csv" Examples/Pokedex/pokedex.csv
export PATH=$PWD/bin:$PATH

ask() {
  printf '\n# %s\n$ %s\n' "$1" "$2"
  eval "$2"
}

ask "Import the Pokédex of the first generation" \
  "repokit import $database pokemon Examples/Pokedex/pokedex.csv --key id"
ask "What is in the table?" \
  "repokit schema $database pokemon"
ask "The five heaviest fire Pokémon of at most 100 kg, but not Charmander" \
  "repokit query $database pokemon \"type1 = 'fire' and weight between 10 and 100 and name != 'Charmander'\" --sort=-weight,name --limit 5 --columns id,name,japanese_name,weight --format table"
ask "The same, found in memory instead of by the database" \
  "repokit query $database pokemon \"type1 = 'fire' and weight between 10 and 100 and name != 'Charmander'\" --sort -weight,name --limit 5 --columns id,name,japanese_name,weight --format table --engine memory"
ask "How many attack better than they defend?" \
  "repokit count $database pokemon 'attack > defense'"
ask "Who has no second type and lives by the sea or in a cave?" \
  "repokit query $database pokemon \"type2 is null and habitat in ('sea', 'cave')\" --columns name,type1,habitat --limit 4 --format json"
ask "Whose name has 'CHAR' in it, whatever the case?" \
  "repokit query $database pokemon \"name contains 'CHAR' ignoring case\" --columns id,name --format csv"

ask "How heavy are those of the five most common types?" \
  "repokit group $database pokemon --by type1 --count --avg weight --max weight --sort=-count --limit 5 --format table"

printf '\n# A slip of the pen is an error that helps\n$ %s\n' "repokit query $database pokemon 'wieght > 90'"
if eval "repokit query $database pokemon 'wieght > 90'"; then
  echo "a misspelt column was accepted" >&2
  exit 1
fi
