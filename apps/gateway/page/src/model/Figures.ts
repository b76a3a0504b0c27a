/** Numbers, amounts and times as short text. Pure. */

/** Formats a count such as `950`, `12.3k` or `1.2M`. */
export const count = (amount: number): string => {
  if (amount < 1000) return `${amount}`
  if (amount < 1_000_000) return `${short(amount / 1000)}k`
  return `${short(amount / 1_000_000)}M`
}

const short = (amount: number): string => (amount < 100 ? amount.toFixed(1).replace(/\.0$/u, "") : amount.toFixed(0))

/** Formats an amount of money; null as `price unknown`. */
export const dollars = (amount: number | null): string => {
  if (amount === null) return "price unknown"
  if (amount === 0) return "$0"
  return amount < 0.01 ? "<$0.01" : `$${amount.toFixed(2)}`
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Formats a duration by its two largest units, such as `3 min 5 s`. */
export const duration = (millis: number): string => {
  if (millis < 1000) return `${Math.max(0, Math.round(millis))} ms`
  if (millis < minute) return `${Math.floor(millis / 1000)} s`
  if (millis < hour) return pair(millis, [minute, "min"], [1000, "s"])
  return millis < day ? pair(millis, [hour, "h"], [minute, "min"]) : pair(millis, [day, "d"], [hour, "h"])
}

type Unit = readonly [millis: number, name: string]

const pair = (millis: number, [large, largeName]: Unit, [small, smallName]: Unit): string => {
  const rest = Math.floor((millis % large) / small)
  return `${Math.floor(millis / large)} ${largeName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`
}

/** Formats the time since a moment, such as `now`, `5 min`, `3 h`, `12 d`. */
export const age = (millis: number): string => {
  if (millis < minute) return "now"
  if (millis < hour) return `${Math.floor(millis / minute)} min`
  return millis < day ? `${Math.floor(millis / hour)} h` : `${Math.floor(millis / day)} d`
}

/** Formats a moment of the past as part of a sentence, such as `just now`, `5 min ago`. */
export const ago = (millis: number): string => (millis < minute ? "just now" : `${age(millis)} ago`)

/** Returns the used share of a limit, from 0 to 1; null: there is no limit. */
export const share = (used: number, limit: number | null): number | null =>
  limit === null ? null : limit === 0 ? 1 : Math.min(1, used / limit)
