#!/bin/sh
# `pnpm gateway`: builds the changed page without output unless the build fails, then executes the program. Only the
# program reads stdin.
log=$(TURBO_TELEMETRY_DISABLED=1 turbo run build --filter=@bough/gateway-page --output-logs=errors-only </dev/null 2>&1) || {
  printf '%s\n' "$log" >&2
  exit 1
}
[ "${1-}" = "--" ] && shift
exec node apps/gateway/src/bin/bough-gateway.ts "$@"
