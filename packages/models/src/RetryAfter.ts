/** How long a provider wants us to wait: Retry-After in seconds or as a date, or the finer `retry-after-ms`. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Null: it did not say, or not readably. Header names are lower case. */
export const retryAfterMillis = (headers: Readonly<Record<string, string>>, nowMillis: number): number | null => {
  const millis = number(headers["retry-after-ms"])
  if (millis !== null) return millis
  const after = headers["retry-after"]?.trim()
  if (after === undefined) return null
  const seconds = number(after)
  if (seconds !== null) return seconds * 1000
  return Option.match(DateTime.make(after), {
    onNone: () => null,
    onSome: (date) => Math.max(0, DateTime.toEpochMillis(date) - nowMillis)
  })
}

const number = (text: string | undefined): number | null =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
