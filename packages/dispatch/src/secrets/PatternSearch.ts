/**
 * Finds secrets by their form. One pass over the text finds the words that every match of a rule must contain; the
 * rule's regular expression is tried on a window around them. Windows of a rule overlap by at most its longest match,
 * and every repetition in a rule is bounded, so that the work is linear in the text.
 */
import * as AnchorSearch from "./AnchorSearch.ts"
import { isPlaceholder } from "./Placeholder.ts"
import type { SecretRule } from "./SecretRule.ts"
import type { Span } from "./Span.ts"

export interface PatternSearch {
  readonly find: (text: string, found: (span: Span) => void) => void
  /** Returns the position where an incomplete match at the end of the text may begin. */
  readonly incompleteFrom: (text: string) => number
  /** The length of the longest match. */
  readonly maxLength: number
}

/** The number of characters before an anchor that may belong to the match, or that a lookbehind of a rule reads. */
const before = 80
/** The number of characters after a match that a rule reads. */
const after = 4
/** The length of a window on which a rule is tried at once, in addition to the rule's longest match. */
const step = 4_096

interface CompiledRule extends SecretRule {
  /** Compiled when an anchor of the rule is found: most texts contain none. */
  readonly pattern: () => RegExp
  readonly marker: string
}

const compile = (rule: SecretRule): CompiledRule => {
  let pattern: RegExp | null = null
  return {
    ...rule,
    pattern: () => (pattern ??= new RegExp(rule.source, rule.flags)),
    marker: `[hidden: ${rule.name}]`
  }
}

export const make = (rules: ReadonlyArray<SecretRule>): PatternSearch => {
  const compiled = rules.map(compile)
  const owners = new Map<string, Array<CompiledRule>>()
  for (const rule of compiled) {
    for (const anchor of rule.anchors) {
      const others = owners.get(anchor)
      if (others === undefined) owners.set(anchor, [rule])
      else others.push(rule)
    }
  }
  const anchors = AnchorSearch.make(owners.keys())
  const maxLength = Math.max(...compiled.map(({ length }) => length))
  return {
    maxLength,
    find: (text, found) => {
      let ends: Map<CompiledRule, number> | null = null
      anchors.each(text, 0, (at, anchor) => {
        ends ??= new Map()
        for (const rule of owners.get(anchor) ?? []) {
          if ((ends.get(rule) ?? -1) >= at) continue
          ends.set(rule, at + step)
          tryRule(rule, { text, start: Math.max(0, at - before), end: at + step + rule.length + after }, found)
        }
      })
    },
    incompleteFrom: (text) => {
      let first = anchors.incompleteFrom(text)
      anchors.each(text, Math.max(0, text.length - maxLength), (at, anchor) => {
        if (at < first && owners.get(anchor)?.some((rule) => mayGrow(rule, text, at)) === true) first = at
      })
      return first === text.length ? first : startOfWord(text, first)
    }
  }
}

const tryRule = (
  { marker, pattern }: CompiledRule,
  { end, start, text }: { readonly text: string; readonly start: number; readonly end: number },
  found: (span: Span) => void
): void => {
  // An escaped line feed in JSON is not a letter before a token.
  const part = text.slice(start, end)
  const window = part.includes("\\") ? part.replaceAll(/\\[nrtbf]/gu, "  ") : part
  for (const match of window.matchAll(pattern())) {
    const [matchedText] = match
    const hidden = hiddenOf(match)
    if (hidden === "" || isPlaceholder(hidden)) continue
    const at = start + match.index + matchedText.lastIndexOf(hidden)
    found({ start: at, end: at + hidden.length, marker })
  }
}

/** Returns the part of a match to hide. A rule with a group for a password hides nothing if the group is empty. */
const hiddenOf = ({ 0: matchedText, groups = {} }: RegExpMatchArray): string =>
  "password" in groups ? (groups["password"] ?? "") : (groups["secret"] ?? matchedText)

/**
 * True if the match may continue: a token continues to the end of its word, a value after a name to the end of its
 * line, a private key to its last line.
 */
const mayGrow = ({ length, source }: CompiledRule, text: string, at: number): boolean => {
  if (text.length - at > length) return false
  const ending = source.includes("PRIVATE KEY") ? endOfKey : source.includes("\\s{") ? endOfLine : endOfWord
  return !ending.test(text.slice(at))
}

const endOfKey = /-----END[^-]{0,60}-----/u
const endOfLine = /[\r\n]/u
const endOfWord = /\s/u

const startOfWord = (text: string, at: number): number => {
  let start = at
  while (start > 0 && at - start < before && !/\s/u.test(text.charAt(start - 1))) start--
  return start
}
