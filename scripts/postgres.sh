#!/usr/bin/env bash
# Runs a private PostgreSQL server in a folder, which holds its data, its log and its Unix socket. It is for tests alone: it
# asks for no password, and loses data with the power, and what it has just acknowledged when it is killed.
# Usage: postgres.sh start FOLDER [--tcp]    starts it, and prints its connection string, in one line
#        postgres.sh follow FOLDER OTHER     the same with a copy of the server in the folder OTHER, which follows that one
#        postgres.sh again FOLDER            starts one again that was killed
#        postgres.sh stop FOLDER             stops it, and removes what start made
#        postgres.sh find                    prints where the programs of the server are
#
# After start or follow, --while-input has the server stopped as soon as the standard input ends, however this script and its
# caller end: of a pipe to it, the caller keeps the other end, and nothing is left running by one that is killed.
#
# The caller alone can use its socket. With --tcp there is a port of 127.0.0.1 too, for every user of the machine, and the
# connection string names that. PostgreSQL does not run as root: for root it runs as postgres, or else as nobody, to whom the
# folder is given. The exit status is 3 where no server is installed.
set -euo pipefail

# What the server and its programs take from the environment would lead to another port, or to other data.
# shellcheck disable=SC2086 # Each is a word.
unset ${!PG@} CDPATH
# Messages in English, and no language of the caller's that the server's user may not have.
export LC_ALL=C

# The server outlives this script and gets none of the caller's open files: it would hold pipes open that someone waits for.
for descriptor in /dev/fd/*; do
  # This script's own text is read while it runs.
  if [ "$descriptor" -ef "${BASH_SOURCE[0]}" ]; then continue; fi
  if [ "${descriptor##*/}" -gt 2 ]; then eval "exec ${descriptor##*/}>&-"; fi
done

is_watched=no
if [ $# -gt 2 ] && [ "${*: -1}" = --while-input ]; then
  is_watched=yes
  set -- "${@:1:$#-1}"
fi
command=${1:-}
folder=${2:-}
tcp=''
other=''
if [ "$command" = follow ]; then other=${3:-}; else tcp=${3:-}; fi

usage() {
  sed -n 's/^# Usage: /usage: /p; s/^#        postgres/       postgres/p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

fail() {
  echo "postgres.sh: $*" >&2
  exit 1
}

case $command:$#:$tcp in
find:1: | start:2: | start:3:--tcp | follow:3: | again:2: | stop:2:) ;;
*) usage ;;
esac

# MARK: The programs

has_server() {
  [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ] && [ -x "$1/postgres" ]
}

# Prints the folder of the programs: the ones in PATH, else those of the greatest version.
find_server() {
  local folder version best='' greatest=-1
  if folder=$(command -v initdb) && folder=$(cd "${folder%/*}" && pwd) && has_server "$folder"; then
    echo "$folder"
    return
  fi
  if folder=$(pg_config --bindir 2>/dev/null) && has_server "$folder"; then
    echo "$folder"
    return
  fi
  # Debian, Red Hat, Homebrew on either processor, and Postgres.app.
  for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin {/opt/homebrew,/usr/local}/opt/postgresql*/bin \
    /Applications/Postgres.app/Contents/Versions/latest/bin; do
    has_server "$folder" || continue
    version=${folder%/bin}
    version=${version##*[!0-9.]}
    version=${version%%.*}
    if [ "${version:-0}" -gt "$greatest" ]; then best=$folder greatest=${version:-0}; fi
  done
  [ -n "$best" ] && echo "$best"
}

if ! programs=$(find_server); then
  echo "postgres.sh: no PostgreSQL server is installed: apt-get install postgresql, or brew install postgresql" >&2
  exit 3
fi
if [ "$command" = find ]; then
  echo "$programs"
  exit
fi

# MARK: The server's user

server_user=''
if [ "$(id -u)" = 0 ]; then
  server_user=nobody
  if id -u postgres >/dev/null 2>&1; then server_user=postgres; fi
fi

# Runs a program as the server's user.
as_server() {
  if [ -z "$server_user" ]; then
    "$@"
  elif command -v runuser >/dev/null; then
    runuser -u "$server_user" -- "$@"
  else
    sudo -n -u "$server_user" -- "$@"
  fi
}

# Who owns a file: GNU's stat, or BSD's.
owner_of() {
  stat -c %u:%g "$1" 2>/dev/null || stat -f %u:%g "$1"
}

# The port by which a server of this script names its socket.
port_of() {
  sed -n 's/^port = //p' "$1/data/postgresql.conf" | tail -n 1
}

# MARK: Stopping

# Stops the server of $folder, if it runs, and removes what start made.
stop_server() {
  local made owner mode lock
  read -r made owner <"$folder/data/repokit"
  for mode in fast immediate; do
    if ! as_server "$programs/pg_ctl" status --pgdata "$folder/data" >/dev/null 2>&1; then break; fi
    as_server "$programs/pg_ctl" stop --pgdata "$folder/data" --mode "$mode" --wait --timeout 60 >/dev/null 2>&1 || true
  done
  # What a server leaves that was killed; another one may have a socket in the folder, too.
  for lock in "$folder"/.s.PGSQL.*.lock; do
    if grep -qsxF "$folder/data" "$lock"; then rm -f "$lock" "${lock%.lock}"; fi
  done
  rm -rf "$folder/data" "$folder/log"
  if [ "$made" = yes ]; then
    rmdir "$folder"
  elif [ -n "$server_user" ]; then
    chown "$owner" "$folder"
  fi
}

if [ "$command" = again ]; then
  [ -e "$folder/data/repokit" ] || fail "there is no server of this script in $folder"
  folder=$(cd "$folder" && pwd -P)
  cd /
  as_server "$programs/pg_ctl" start --wait --timeout 60 --pgdata "$folder/data" --log "$folder/log"
  exit
fi
if [ "$command" = stop ]; then
  [ -e "$folder/data/repokit" ] || fail "there is no server of this script in $folder"
  folder=$(cd "$folder" && pwd -P)
  # The server's user may not be allowed to see where this was called.
  cd /
  stop_server
  exit
fi
if [ -n "$other" ]; then
  [ -e "$other/data/repokit" ] || fail "there is no server of this script in $other"
  other=$(cd "$other" && pwd -P)
fi

# MARK: The folder

made=no
if ! [ -e "$folder" ]; then
  mkdir -- "$folder"
  made=yes
fi
[ -d "$folder" ] || fail "$folder is no folder"
folder=$(cd "$folder" && pwd -P)
cd /

# Refuses the folder.
refuse() {
  if [ $made = yes ]; then rmdir "$folder"; fi
  fail "$*"
}

# A host may be one of several: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
case $folder in
*,* | *$'\n'*) refuse "no connection string can name a folder with a comma or a line feed in its path: $folder" ;;
esac
port=5432
if [ -n "$tcp" ]; then port=20000; fi
# In bytes: the locale is C. https://man7.org/linux/man-pages/man7/unix.7.html
longest=107
if [ "$(uname)" = Darwin ]; then longest=103; fi
socket=$folder/.s.PGSQL.$port
if [ ${#socket} -gt $longest ]; then
  refuse "the folder's path is too long for a socket in it: it has ${#folder} bytes, and" \
    "$((longest - ${#socket} + ${#folder})) are the most: $folder"
fi
if [ -e "$folder/data" ] || [ -e "$folder/log" ]; then
  fail "there is a server in $folder already, or something else that is called data or log"
fi
[ -w "$folder" ] || fail "$folder can't be written"

is_ready=no
owner=$(owner_of "$folder")
# Whatever goes wrong, or interrupts it, leaves nothing behind.
finish() {
  [ $is_ready = no ] || return 0
  trap '' INT TERM HUP
  mkdir -p "$folder/data"
  echo "$made $owner" >"$folder/data/repokit"
  stop_server
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ -n "$server_user" ]; then
  chown "$server_user" "$folder"
  # Each folder above it has to let the server through.
  above=$folder locked=''
  while [ "$above" != / ]; do
    above=$(dirname "$above")
    as_server test -x "$above" || locked=$above
  done
  [ -z "$locked" ] || fail "the server runs as $server_user, who may not pass through $locked: choose another folder"
fi

# Stops the server where the input ends, which is where the caller does. Neither a child of this script nor of its group, so that
# the end of one of those is not its own.
watch_input() {
  (
    set -m
    (
      trap '' INT TERM HUP
      exec >/dev/null 2>&1
      while read -r _; do :; done
      # It may still be about to start the server.
      while kill -0 $$; do sleep 0.1; done
      if [ -e "$folder/data/repokit" ]; then stop_server; fi
      # The folder was made for the server, by a caller that can no longer remove it.
      rmdir "$folder"
    ) <&0 &
  )
}

# MARK: Starting

if [ $is_watched = yes ]; then watch_input; fi

# Shows why something failed: the end of what was written down.
explain() {
  tail -n 15 "$folder/log" >&2
  fail "$*"
}

# A text between quotes as the server's settings have it, and as a connection string has it.
setting() { printf '%s' "$1" | sed "s/\\\\/\\\\\\\\/g; s/'/''/g; s/^/'/; s/$/'/"; }
parameter() { printf '%s' "$1" | sed "s/[\\\\']/\\\\&/g; s/^/'/; s/$/'/"; }

# Texts are in the order of their bytes in both; in C.UTF-8 all letters have a case.
locale=C
if locale -a 2>/dev/null | grep -qix 'C\.utf-\{0,1\}8'; then locale=C.UTF-8; fi

: >"$folder/log"
if [ -n "$server_user" ]; then chown "$server_user" "$folder/log"; fi
if [ -n "$other" ]; then
  # https://www.postgresql.org/docs/current/app-pgbasebackup.html
  backup=$programs/pg_basebackup
  [ -x "$backup" ] || backup=pg_basebackup
  as_server "$backup" --pgdata "$folder/data" --dbname "host=$(parameter "$other") port=$(port_of "$other") user=repokit" --write-recovery-conf \
    --checkpoint fast --no-sync >>"$folder/log" 2>&1 </dev/null || explain "the server in $other could not be copied"
else
  as_server "$programs/initdb" --pgdata "$folder/data" --username repokit --auth trust --encoding UTF8 --locale "$locale" \
    --no-sync >>"$folder/log" 2>&1 </dev/null || explain "the data could not be made"
fi
echo "$made $owner" >"$folder/data/repokit"

# The first line that fits decides. The role is for tests of passwords, which make it.
rules=$(cat "$folder/data/pg_hba.conf")
cat >"$folder/data/pg_hba.conf" <<RULES
local all repokit_password scram-sha-256
host all repokit_password all scram-sha-256
$rules
RULES

defaults=$(cat "$folder/data/postgresql.conf")
# A list of folders, each of which may stand between double quotes.
sockets=$(setting "\"$(printf '%s' "$folder" | sed 's/"/""/g')\"")

# Starts the server at a port: start_server ADDRESSES
#
# Without the compiler of expressions, which it uses for statements that it takes for long ones: it took fifteen times as long
# as the rest of random requests about related rows. https://www.postgresql.org/docs/15/jit-decision.html
start_server() {
  cat >"$folder/data/postgresql.conf" <<SETTINGS
$defaults
listen_addresses = '$1'
port = $port
unix_socket_directories = $sockets
unix_socket_permissions = 0700
max_connections = 400
max_prepared_transactions = 10
checkpoint_timeout = 1h
shared_buffers = 64MB
jit = off
fsync = off
synchronous_commit = off
full_page_writes = off
log_line_prefix = '%m [%p] %a '
SETTINGS
  # By relative paths: pg_ctl writes them into a command of the shell as they are.
  (cd "$folder" && as_server "$programs/pg_ctl" start --pgdata data --log log --wait --timeout 60) >/dev/null 2>&1 \
    </dev/null
}

if [ -z "$tcp" ]; then
  start_server '' || explain "the server did not start"
  case $folder in
  *[[:space:]\'\\]*) connection="host=$(parameter "$folder")" ;;
  *) connection="host=$folder" ;;
  esac
else
  # Which port is free shows in trying: below those that the system hands out by itself.
  for ((attempts = 1; ; attempts++)); do
    port=$((20000 + RANDOM % 10000))
    : >"$folder/log"
    if start_server 127.0.0.1; then break; fi
    if [ $attempts = 10 ] || ! grep -q 'could not bind' "$folder/log"; then explain "the server did not start"; fi
  done
  connection="host=127.0.0.1 port=$port"
fi
is_ready=yes
echo "$connection user=repokit dbname=postgres"
