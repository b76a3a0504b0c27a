/** Finds the headers of a request that could send private data. */

/** Headers that only choose a form of the response, and so can convey little. */
const common: ReadonlySet<string> = new Set([
  "*/*",
  "application/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "text/html",
  "text/plain"
])

/** Header names that many servers understand, so that sending them conveys little. */
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

/** Returns the names and values of headers that could convey private data. */
export const inHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) => [
    ...(commonNames.has(name.toLowerCase()) ? [] : [name]),
    ...(common.has(value) ? [] : [value])
  ])
