/**
 * What a provider reports of a reply, read at the edge: counts are natural numbers that a journal can hold and a cost is
 * never negative. Anything else is not known, whichever protocol or program it comes through.
 */

/** A count of tokens; null: it is not known. */
export const tokens = (reported: unknown): number | null =>
  typeof reported === "number" && Number.isSafeInteger(reported) && reported >= 0 ? reported : null

/** US dollars; null: they are not known. */
export const costUsd = (reported: unknown): number | null =>
  typeof reported === "number" && Number.isFinite(reported) && reported >= 0 ? reported : null

/** What of it was reported and cannot be: `-5 input tokens`; null: nothing. */
export const oddity = (reported: Readonly<Record<string, unknown>>): string | null => {
  const odd = Object.entries(reported).flatMap(([name, value]) =>
    value === undefined || value === null || isRead(name, value) ? [] : [`${shown(value)} as ${name}`]
  )
  return odd.length === 0 ? null : odd.join(", ")
}

const isRead = (name: string, value: unknown): boolean =>
  (name.startsWith("cost") ? costUsd(value) : tokens(value)) !== null

const shown = (value: unknown): string => (typeof value === "number" ? String(value) : `a ${typeof value}`)
