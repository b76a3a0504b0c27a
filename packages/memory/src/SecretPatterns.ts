/**
 * Finds text that looks like a secret: keys, tokens, private keys, passwords, PINs, numbers of accounts and cards. It
 * works by pattern, so it is neither complete nor free of mistakes.
 */
import * as Effect from "effect/Effect"
import * as AccessCodes from "./AccessCodes.ts"
import * as AccountNumbers from "./AccountNumbers.ts"
import * as HexTokens from "./HexTokens.ts"
import * as NamedSecrets from "./NamedSecrets.ts"
import * as TokenFormats from "./TokenFormats.ts"

const formats: ReadonlyArray<TokenFormats.Format> = [
  ...TokenFormats.formats,
  ...AccountNumbers.formats,
  ...NamedSecrets.formats,
  ...AccessCodes.formats,
  ...HexTokens.formats
]

export interface RedactedText {
  readonly text: string
  /** The kinds of secret that were hidden, each once; empty: none. */
  readonly hidden: ReadonlyArray<string>
}

/** Replaces every secret by `[redacted: …]` with its kind. */
export const redact = (text: string): RedactedText => {
  const hidden = new Set<string>()
  let redacted = text
  for (const format of formats) redacted = removeTokens(format, redacted, hidden)
  return { text: redacted, hidden: [...hidden] }
}

/** Redacts a text as long as a file, and yields to other fibers after each kind of secret. */
export const redactLong = Effect.fnUntraced(function* (text: string): Effect.fn.Return<RedactedText> {
  const hidden = new Set<string>()
  let redacted = text
  for (const format of formats) {
    redacted = removeTokens(format, redacted, hidden)
    yield* Effect.yieldNow
  }
  return { text: redacted, hidden: [...hidden] }
})

const removeTokens = ({ accepts, name, pattern }: TokenFormats.Format, text: string, hidden: Set<string>): string =>
  text.replaceAll(pattern, (found, ...rest) => {
    const at = Number(rest.findLast((part) => typeof part === "number"))
    if (found.startsWith("[redacted") || accepts?.(found, { text, at }) === false) return found
    hidden.add(name)
    return `[redacted: ${name}]`
  })
