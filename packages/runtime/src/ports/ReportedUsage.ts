/**
 * Reads a provider's report of a reply's usage: counts are natural numbers that a journal can store, and a cost is
 * never negative. Any other value counts as unknown, for every protocol and program.
 */

/** A count of tokens; null: not known. */
export const tokens = (reported: unknown): number | null =>
  typeof reported === "number" && Number.isSafeInteger(reported) && reported >= 0 ? reported : null

/** A cost in US dollars; null: not known. */
export const costUsd = (reported: unknown): number | null =>
  typeof reported === "number" && Number.isFinite(reported) && reported >= 0 ? reported : null

/** Describes reported values that are impossible, such as `-5 input tokens`; null: there are none. */
export const impossibleValues = (reported: Readonly<Record<string, unknown>>): string | null => {
  const odd = Object.entries(reported).flatMap(([name, value]) =>
    value === undefined || value === null || isRead(name, value) ? [] : [`${formatValue(value)} as ${name}`]
  )
  return odd.length === 0 ? null : odd.join(", ")
}

const isRead = (name: string, value: unknown): boolean =>
  (name.startsWith("cost") ? costUsd(value) : tokens(value)) !== null

const formatValue = (value: unknown): string => (typeof value === "number" ? String(value) : `a ${typeof value}`)

/** A token of prose has half as many characters, and no language, code or table has more. */
const charactersPerToken = 8

/** A shorter text can be a run of one character, which tokenizers may count as a single token. */
const shortCharacters = 256

/** True if a text of this length can have so few tokens: a much lower count is wrong. */
export const canHave = (characters: number, tokenCount: number): boolean =>
  tokenCount >= (characters - shortCharacters) / charactersPerToken
