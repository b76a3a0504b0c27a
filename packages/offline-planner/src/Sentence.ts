/** Splits a text into several requests, joined by "then" or "and", or each on its own line or in its own sentence. */
import * as Clause from "./Clause.ts"
import { mask, type QuotedText, unmask } from "./Quoting.ts"
import type { Request } from "./Request.ts"

/** The requests; or `part`, which is not a request: then no request of the text is carried out. */
export type ParsedSentence =
  | { readonly _tag: "Requests"; readonly requests: ReadonlyArray<Request> }
  | { readonly _tag: "NotUnderstood"; readonly part: string }

interface Separator {
  readonly from: number
  readonly to: number
  readonly kind: "then" | "line" | "weak"
}

const bullet = "(?:(?:[-*•]|\\d+[.)])\\s+)?"
const words = "(?:and\\s+)?(?:then|afterwards|after that|finally),?\\s+(?:also\\s+)?"
const separators = new RegExp(
  `(?<then>(?:\\s*[,.]|\\s*(?<!;)\\n)?\\s+${words})|(?<line>\\s*\\n\\s*${bullet})|(?<weak>[.!?;,]\\s+(?:and\\s+)?|\\s+and\\s+(?:also\\s+)?)`,
  "gi"
)

/**
 * The maximum number of separators; a text with more is not a list of requests. Every form is tried at every possible
 * cut.
 */
const maxSeparators = 40
const maxLength = 8000
const widestGap = /\s{200}/

export const parse = (text: string): ParsedSentence => {
  const quoted = mask(text)
  if (quoted === null) return { _tag: "NotUnderstood", part: text.trim() }
  const masked = quoted.masked.replace(new RegExp(`^\\s*${bullet}`), "").trimEnd()
  if (masked.length > maxLength || widestGap.test(masked)) return { _tag: "NotUnderstood", part: text.trim() }
  const cuts = [...masked.matchAll(separators)].map(({ 0: found, groups, index }): Separator => ({
    from: index,
    to: index + found.length,
    kind: groups?.["then"] !== undefined ? "then" : groups?.["line"] !== undefined ? "line" : "weak"
  }))
  if (cuts.length > maxSeparators) return { _tag: "NotUnderstood", part: text.trim() }
  const requests = split(masked, cuts, quoted)
  return requests === null
    ? { _tag: "NotUnderstood", part: unmask(faultyPiece(masked, cuts, quoted), quoted).trim() }
    : { _tag: "Requests", requests }
}

/** Finds the first way to cut the text such that every piece is a request. */
const split = (masked: string, cuts: ReadonlyArray<Separator>, quoted: QuotedText): ReadonlyArray<Request> | null => {
  /** Positions, with the state there, from which the rest is known not to be a list of requests. */
  const hopeless = new Set<string>()
  const from = (start: number, before: Request | null, it: string | null): ReadonlyArray<Request> | null => {
    const positionKey = `${start} ${before?._tag} ${it === null}`
    if (hopeless.has(positionKey)) return null
    const request = (piece: string) =>
      Clause.parse(piece, { quoted, it }) ?? Clause.repeatPrevious(piece, before, { quoted, it })
    for (const cut of cuts) {
      if (cut.from <= start) continue
      const piece = masked.slice(start, cut.from)
      const first = request(piece)
      // A command always extends to the end, because "and" or a full stop may be part of it.
      if (first === null || (cut.kind === "weak" && first._tag === "Run" && !endsQuoted(piece))) continue
      const rest = from(cut.to, first, Clause.subject(first) ?? it)
      if (rest !== null) return [first, ...rest]
    }
    const last = request(masked.slice(start))
    if (last === null) hopeless.add(positionKey)
    return last === null ? null : [last]
  }
  return from(0, null, null)
}

const endsQuoted = (piece: string): boolean => piece.trimEnd().endsWith("\uE001")

/** Returns the piece to name in the error: the first piece between two "then" or lines that is not a request. */
const faultyPiece = (masked: string, cuts: ReadonlyArray<Separator>, quoted: QuotedText): string => {
  const strong = cuts.filter((cut) => cut.kind !== "weak")
  const pieces = [...strong, { from: masked.length, to: masked.length }].map((cut, index) =>
    masked.slice(index === 0 ? 0 : strong[index - 1].to, cut.from)
  )
  return pieces.find((piece) => Clause.parse(piece, { quoted, it: "it" }) === null) ?? masked
}
