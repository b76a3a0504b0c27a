/**
 * The pause that a provider requests: Retry-After in seconds or as a date, the finer `retry-after-ms`, or Google's
 * `retryDelay`.
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Reads the headers, whose names are in lower case. Null: the response has no readable pause. */
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

/**
 * Reads the pause that Google writes into the body, among the details of the error: `"retryDelay": "7s"`. Null: there
 * is none.
 */
export const retryDelayMillis = (body: string | undefined): number | null => {
  const seconds = number(/"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body ?? "")?.[1])
  return seconds === null ? null : seconds * 1000
}

const number = (text: string | undefined): number | null =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
