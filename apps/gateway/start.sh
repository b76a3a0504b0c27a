#!/bin/sh
# `pnpm gateway`: builds the changed parts without output unless the build fails, then executes the program. Only the
# program reads stdin.
log=$(TURBO_TELEMETRY_DISABLED=1 turbo run build --filter=@bough/gateway --output-logs=errors-only </dev/null 2>&1) || {
  printf '%s\n' "$log" >&2
  exit 1
}
[ "${1-}" = "--" ] && shift
exec node apps/gateway/dist/bin/bough-gateway.js "$@"
