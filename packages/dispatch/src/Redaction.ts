/**
 * Keeps secrets out of everything stored, shown and sent: known values in every spelling, and texts that look like a
 * secret. The placeholder names the secret: adr/0066-hidden-secrets.md.
 */
import {
  beginningOfEscape,
  type DecodedView,
  longestEscape,
  maxDepth,
  nextView,
  viewsOf
} from "./secrets/DecodedView.ts"
import { furtherRules } from "./secrets/FurtherRules.ts"
import * as KnownValues from "./secrets/KnownValues.ts"
import * as PatternSearch from "./secrets/PatternSearch.ts"
import { secretlintRules } from "./secrets/SecretlintRules.ts"
import * as Spans from "./secrets/Span.ts"
import { minHeld, joinWrappedLines } from "./secrets/Unwrapped.ts"

export interface Redaction {
  /** Returns the text with every secret replaced. */
  readonly redact: (text: string) => string
  /** True if the text contains a secret. */
  readonly holdsSecret: (text: string) => boolean
  /** The length of the text's beginning that contains no unfinished secret; absent: the whole text. */
  readonly settledLength?: (text: string) => number
}

/** A redactor that knows no secret. */
export const none: Redaction = { redact: (text) => text, holdsSecret: () => false }

/** A secret, alone or with a name for users, such as its variable. */
export type Secret = string | KnownValues.KnownValue

let patterns: PatternSearch.PatternSearch | null = null

const allPatterns = (): PatternSearch.PatternSearch =>
  (patterns ??= PatternSearch.make([...secretlintRules, ...furtherRules]))

/**
 * Finds known secrets and texts that look like one. A secret of fewer than 8 characters counts only as a whole word;
 * one of fewer than 4 characters is ignored.
 */
export const make = (secrets: Iterable<Secret>): Redaction =>
  searching(
    KnownValues.make(
      Array.from(secrets, (secret) => (typeof secret === "string" ? { value: secret, name: null } : secret))
    )
  )

/** A redaction that learns further secrets while it is in use. */
export interface GrowingRedaction extends Redaction {
  /** Adds secrets; known ones change nothing. */
  readonly add: (secrets: Iterable<KnownValues.KnownValue>) => void
  /** True if secrets were added since the redaction was made. */
  readonly hasGrown: () => boolean
}

/** `first` is an existing redaction of the same secrets, if the caller has one. */
export const makeGrowing = (secrets: Iterable<Secret>, first?: Redaction): GrowingRedaction => {
  const known = [...secrets]
  const added = new Map<string, KnownValues.KnownValue>()
  let current = first ?? make(known)
  return {
    redact: (text) => current.redact(text),
    holdsSecret: (text) => current.holdsSecret(text),
    settledLength: (text) => current.settledLength?.(text) ?? text.length,
    hasGrown: () => added.size > 0,
    add: (secrets) => {
      const before = added.size
      for (const secret of secrets) if (!added.has(secret.value)) added.set(secret.value, secret)
      if (added.size > before) current = make([...added.values(), ...known])
    }
  }
}

/** The minimum length of a secret or anchor. */
const minSearched = 3

/**
 * The number and maximum length of the cached texts in which no secret was found. A call's arguments, names and
 * description are searched several times.
 */
const [remembered, maxRemembered] = [64, 1024]

const searching = (values: KnownValues.KnownValues | null): Redaction => {
  const eachSpan = (text: string, found: (span: Spans.Span) => void): void => {
    values?.find(text, found)
    allPatterns().find(text, found)
  }
  const clean = new Set<string>()
  const spansOf = (text: string): ReadonlyArray<Spans.Span> => {
    if (text.length < minSearched || clean.has(text)) return []
    const spans = searchAll(text)
    if (spans.length === 0 && text.length <= maxRemembered) {
      if (clean.size === remembered) clean.clear()
      clean.add(text)
    }
    return spans
  }
  const searchAll = (text: string): ReadonlyArray<Spans.Span> => {
    const spans: Array<Spans.Span> = []
    eachSpan(text, (span) => spans.push(span))
    const views = viewsOf(text, values?.hasSpaces === true)
    for (const view of views) {
      eachSpan(view.text, ({ end, marker, start }) => {
        spans.push({ start: view.sourceOf(start), end: view.sourceOf(end), marker })
      })
    }
    if (values === null) return spans
    for (const view of [{ text, sourceOf: (at: number) => at }, ...views]) {
      const line = joinWrappedLines(view.text)
      if (line === null) continue
      values.findWithin(line.text, ({ end, marker, start }) => {
        // The line break after a secret does not belong to it.
        const last = line.sourceOf(end - 1)
        spans.push({ start: view.sourceOf(line.sourceOf(start)), end: view.sourceOf(last + 1), marker })
      })
    }
    return spans
  }
  return {
    redact: (text) => Spans.replaceAll(text, spansOf(text)),
    holdsSecret: (text) => spansOf(text).length > 0,
    settledLength: (text) => settledEnd(text, values, spansOf)
  }
}

const settledEnd = (
  text: string,
  values: KnownValues.KnownValues | null,
  spansOf: (text: string) => ReadonlyArray<Spans.Span>
): number => {
  const beginningIn = (part: string): number =>
    Math.min(allPatterns().incompleteFrom(part), values?.incompleteFrom(part) ?? part.length)
  let first = beginningIn(text)
  // Only the end of the text matters, up to the length of the longest spelling with its escapes.
  const longest = Math.max(values?.maxLength ?? 0, allPatterns().maxLength)
  const from = Math.max(0, beginningOfEscape(text) - (longest + 1) * longestEscape)
  let view: DecodedView | null = { text: text.slice(from), sourceOf: (at) => from + at }
  for (let depth = 0; view !== null && depth <= maxDepth; depth++) {
    // A spelling may continue after an incomplete escape, so the text before the escape counts as the end.
    const escape = beginningOfEscape(view.text)
    const complete: DecodedView = { text: view.text.slice(0, escape), sourceOf: view.sourceOf }
    if (depth > 0 || escape < view.text.length) first = Math.min(first, view.sourceOf(beginningIn(complete.text)))
    if (values !== null) first = Math.min(first, view.sourceOf(beginningInLine(complete.text, values)))
    view = nextView(complete, values?.hasSpaces === true)
  }
  // A complete secret that crosses that position is not split.
  for (const { end, start } of Spans.merge(spansOf(text))) if (start < first && end > first) first = start
  return first
}

/** Returns the position where an incomplete value that is broken into lines begins, or the text's length. */
const beginningInLine = (text: string, values: KnownValues.KnownValues): number => {
  const line = joinWrappedLines(text, true)
  if (line === null || line.sourceOf(line.text.length) !== text.length) return text.length
  const at = values.incompleteFrom(line.text)
  const isDelayed = at < line.text.length && (!/[\r\n]$/u.test(text) || line.text.length - at >= minHeld)
  return isDelayed ? line.sourceOf(at) : text.length
}

/** Returns the kinds that were hidden in a redacted text, each once. */
export const namesIn = (redacted: string): ReadonlyArray<string> => [
  ...new Set(Array.from(redacted.matchAll(/\[hidden: ([\w.-]+)\]|\[redacted\]/gu), ([, name]) => name ?? "a secret"))
]

/** Redacts text that arrives in pieces. */
export interface Streaming {
  /**
   * Returns the part of the text so far that can be shown; the end is delayed while it may be the beginning of a
   * secret.
   */
  readonly push: (piece: string) => string
  /** Returns the delayed part. */
  readonly end: () => string
}

/** Redacts text that arrives in pieces, including secrets that are split between pieces. */
export const streaming = ({ redact, settledLength }: Redaction): Streaming => {
  if (settledLength === undefined) return { push: redact, end: () => "" }
  let held = ""
  return {
    push: (piece) => {
      const text = held + piece
      const settled = settledLength(text)
      held = text.slice(settled)
      return redact(text.slice(0, settled))
    },
    end: () => {
      const rest = redact(held)
      held = ""
      return rest
    }
  }
}
