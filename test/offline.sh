#!/bin/sh
# Runs a command whose only network is loopback, which also applies to programs that a test starts. Temporary files are in
# memory, so no test waits for a disk. If the machine supports neither, the command runs without them, and one line reports
# this.
alone="--dev-bind / / --unshare-net"
# As root, the tests may run a database as another user, and trace a program.
[ "$(id -u)" -ne 0 ] || alone="$alone --cap-add ALL"

# The folder is mounted only for this command, and is empty for other processes.
temporary="${TMPDIR:-/tmp}/bough-tests"
mkdir -p "$temporary" 2>/dev/null
inMemory="$alone --perms 1777 --tmpfs $temporary --setenv TMPDIR $temporary"

# The sandbox that tests start must work inside this one.
# shellcheck disable=SC2086 # options, separated by spaces
for options in "$inMemory" "$alone"; do
  if bwrap $options bwrap --unshare-all --ro-bind / / true 2>/dev/null; then exec bwrap $options -- "$@"; fi
done
echo "no network namespace of its own for the tests here: programs that they start could reach the network" >&2
exec "$@"
