#!/bin/sh
# Runs a command with loopback as the only network, so that no program which a test starts reaches further either, and with
# temporary files in memory, so that no test waits for a disk. Where that cannot be had the command runs all the same, and
# one line says so.
alone="--dev-bind / / --unshare-net"
# What root may do the tests may do: run a database as another user, trace a program.
[ "$(id -u)" -ne 0 ] || alone="$alone --cap-add ALL"

# The folder is empty for everybody else: it is mounted for this command alone.
temporary="${TMPDIR:-/tmp}/bough-tests"
mkdir -p "$temporary" 2>/dev/null
inMemory="$alone --perms 1777 --tmpfs $temporary --setenv TMPDIR $temporary"

# The sandbox that tests start must work within.
# shellcheck disable=SC2086 # options, separated by spaces
for options in "$inMemory" "$alone"; do
  if bwrap $options bwrap --unshare-all --ro-bind / / true 2>/dev/null; then exec bwrap $options -- "$@"; fi
done
echo "no network namespace of its own for the tests here: programs that they start could reach the network" >&2
exec "$@"
