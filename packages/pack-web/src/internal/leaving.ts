/** What of a request leaves with it, beside its address. */

/** Headers that say no more than which form is wanted: to choose among them tells little. */
const common: ReadonlySet<string> = new Set([
  "*/*",
  "application/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "text/html",
  "text/plain"
])

/** Values of headers that could tell something. */
export const inHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.values(headers).filter((value) => !common.has(value))
