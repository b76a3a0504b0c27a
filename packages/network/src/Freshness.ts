/**
 * Determines how long a response may be reused without another request, by RFC 9111, as a private cache. A
 * response without freshness information is never reused.
 */
import type { NetworkRead } from "@bough/tool"
import type { ReadNotes } from "@bough/tool/ReadNotes"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

type Answer = Pick<NetworkRead.Response, "headers" | "status">

/** Status codes whose responses may be cached if their freshness is explicit. */
const final: ReadonlySet<number> = new Set([200, 203, 204, 301, 302, 303, 307, 308, 404, 410])

/** Notes the time until which the response is fresh, on the monotonic clock. */
export const note = (reads: ReadNotes, answer: Answer): Effect.Effect<void> =>
  Clock.clockWith((clock) =>
    Effect.sync(() => {
      const seconds = freshSeconds(answer)
      if (seconds <= 0) return reads.noteUncacheable()
      const until = clock.monotonicTimeNanosUnsafe() + BigInt(Math.floor(seconds)) * 1_000_000_000n
      reads.note({ holds: Clock.clockWith((now) => Effect.sync(() => now.monotonicTimeNanosUnsafe() < until)) })
    })
  )

/** Returns the seconds from now on; 0: the response may not be reused. */
export const freshSeconds = ({ headers, status }: Answer): number => {
  const directives = directivesOf(headers["cache-control"])
  if (!final.has(status) || directives.has("no-store") || directives.has("no-cache")) return 0
  // Requests differ only in their address, so `Vary` does not matter, except "*": the response then depends on more
  // than headers.
  if ((headers["vary"] ?? "").split(",").some((name) => name.trim() === "*")) return 0
  const age = parseInteger(headers["age"]) ?? 0
  const maxAge = directives.get("max-age")
  if (maxAge !== undefined) return Math.max(0, Math.min(parseInteger(maxAge) ?? 0, maxSeconds) - age)
  const [expires, date] = [millisOf(headers["expires"]), millisOf(headers["date"])]
  return expires === null || date === null ? 0 : Math.max(0, Math.min((expires - date) / 1000, maxSeconds) - age)
}

const millisOf = (text = ""): number | null => Option.getOrNull(DateTime.make(text))?.epochMilliseconds ?? null

/** The maximum freshness, which is longer than any result is cached. */
const maxSeconds = 86_400

const parseInteger = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/u.test(text.trim()) ? Number(text) : null

/** Parses directives. A repeated directive gets the strictest value: with a second `max-age`, the value is 0. */
const directivesOf = (text = ""): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=", 2).map((piece) => piece.trim().toLowerCase())
    if (name !== "") found.set(name, found.has(name) ? "0" : value.replace(/^"|"$/gu, ""))
  }
  return found
}
