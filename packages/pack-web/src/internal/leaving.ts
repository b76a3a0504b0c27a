/** The parts of a request that leave with it, beside its address. */

/** Headers that say no more than which form is wanted: to choose among them tells little. */
const common: ReadonlySet<string> = new Set([
  "*/*",
  "application/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "text/html",
  "text/plain"
])

/** Names that mean something to many servers: which of them are sent tells little. */
const commonNames: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-language",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "origin",
  "prefer",
  "range",
  "referer",
  "user-agent",
  "x-requested-with"
])

/** Names and values of headers that could tell something. */
export const inHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) => [
    ...(commonNames.has(name.toLowerCase()) ? [] : [name]),
    ...(common.has(value) ? [] : [value])
  ])
