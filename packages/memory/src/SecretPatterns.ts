/** What looks like a secret: keys, tokens, private keys, passwords. By pattern, so neither complete nor free of mistakes. */

interface Pattern {
  readonly name: string
  readonly pattern: RegExp
}

const patterns: ReadonlyArray<Pattern> = [
  {
    name: "private key",
    pattern:
      /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g
  },
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g },
  { name: "GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{16,}/g },
  { name: "Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: "API key", pattern: /\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}/g },
  { name: "Google API key", pattern: /\bAIza[A-Za-z0-9_-]{30,}/g },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: "JSON web token", pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g },
  { name: "bearer token", pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/gi },
  { name: "password in a URL", pattern: /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]{0,64}:)[^\s@/]{3,128}(?=@)/gi },
  {
    name: "password",
    pattern:
      /(?<=\b(?:password|passwd|passphrase|passcode|secret|api[-_ ]?key|access[-_ ]?token|auth[-_ ]?token|client[-_ ]?secret)["'`]?\s{0,4}(?:[:=]|\bis\b)\s{0,4}["'`]?)(?!(?:not|no|in|on|a|an|the|stored|kept|unknown|none|null|required|optional|rotated|managed|set)\b)[^\s"'`,;]{4,}/gi
  }
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
  for (const { name, pattern } of patterns) {
    left = left.replaceAll(pattern, (found) => {
      if (found.startsWith("[redacted")) return found
      hidden.add(name)
      return `[redacted: ${name}]`
    })
  }
  return { text: left, hidden: [...hidden] }
}
