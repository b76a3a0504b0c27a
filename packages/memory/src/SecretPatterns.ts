/** What looks like a secret: keys, tokens, private keys, passwords. By pattern, so neither complete nor free of mistakes. */
import * as HexTokens from "./HexTokens.ts"
import * as NamedSecrets from "./NamedSecrets.ts"
import * as TokenFormats from "./TokenFormats.ts"

const formats: ReadonlyArray<TokenFormats.Format> = [
  ...TokenFormats.formats,
  ...NamedSecrets.formats,
  ...HexTokens.formats
]

export interface Redacted {
  readonly text: string
  /** What was hidden, each kind once; empty: nothing. */
  readonly hidden: ReadonlyArray<string>
}

/** Every secret found is replaced by `[redacted: what it was]`. */
export const redact = (text: string): Redacted => {
  const hidden = new Set<string>()
  let left = text
  for (const { accepts, name, pattern } of formats) {
    const whole = left
    left = whole.replaceAll(pattern, (found, ...rest) => {
      const at = Number(rest.findLast((part) => typeof part === "number"))
      if (found.startsWith("[redacted") || accepts?.(found, { text: whole, at }) === false) return found
      hidden.add(name)
      return `[redacted: ${name}]`
    })
  }
  return { text: left, hidden: [...hidden] }
}
