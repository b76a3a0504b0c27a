/**
 * Secrets that are known by what they look like. One pass over the text finds the words that every match of a rule must hold; the
 * rule's expression is tried on a window around them. Windows of a rule overlap by no more than its longest match, and each
 * repetition in a rule is bounded, so that the work is linear in the text whatever the text is.
 */
import { isPlaceholder } from "./Placeholder.ts"
import type { SecretRule } from "./SecretRule.ts"
import type { Span } from "./Span.ts"

export interface PatternSearch {
  readonly find: (text: string, found: (span: Span) => void) => void
  /** Where the end of the text may begin a match that is not whole yet. */
  readonly beginning: (text: string) => number
}

/** Characters before an anchor that may belong to the match, or that a lookbehind of a rule reads. */
const before = 80
/** Characters behind a match that a rule looks at. */
const after = 4
/** How much of a text a rule is tried on at once, beyond its longest match. */
const step = 4_096

interface Compiled extends SecretRule {
  readonly pattern: RegExp
  readonly marker: string
}

export const make = (rules: ReadonlyArray<SecretRule>): PatternSearch => {
  const compiled = rules.map((rule): Compiled => ({
    ...rule,
    pattern: new RegExp(rule.source, rule.flags),
    marker: `[hidden: ${rule.name}]`
  }))
  const anchors = anchorsOf(compiled)
  return {
    find: (text, found) => {
      let ends: Map<Compiled, number> | null = null
      anchors.each(text, 0, (at, owners) => {
        ends ??= new Map()
        for (const rule of owners) {
          if ((ends.get(rule) ?? -1) >= at) continue
          ends.set(rule, at + step)
          tryRule(rule, { text, start: Math.max(0, at - before), end: at + step + rule.length + after }, found)
        }
      })
    },
    beginning: (text) => {
      const from = Math.max(0, text.length - maxLengthOf(compiled))
      let first = anchors.beginning(text)
      anchors.each(text, from, (at, owners) => {
        if (at >= first) return
        if (owners.some((rule) => mayGrow(rule, text, at))) first = at
      })
      return first === text.length ? first : startOfWord(text, first)
    }
  }
}

const maxLengthOf = (rules: ReadonlyArray<SecretRule>): number => Math.max(...rules.map(({ length }) => length))

const tryRule = (
  { marker, pattern }: Compiled,
  { end, start, text }: { readonly text: string; readonly start: number; readonly end: number },
  found: (span: Span) => void
): void => {
  // An escaped line feed in JSON is no letter before a token.
  const part = text.slice(start, end)
  const window = part.includes("\\") ? part.replaceAll(/\\[nrtbf]/gu, "  ") : part
  for (const match of window.matchAll(pattern)) {
    const [whole] = match
    const hidden = hiddenOf(match)
    if (hidden === "" || isPlaceholder(hidden)) continue
    const at = start + match.index + whole.lastIndexOf(hidden)
    found({ start: at, end: at + hidden.length, marker })
  }
}

/** A pattern with a place for a password, which does not have one, found none. */
const hiddenOf = ({ 0: whole, groups = {} }: RegExpMatchArray): string =>
  "password" in groups ? (groups["password"] ?? "") : (groups["secret"] ?? whole)

/** A token ends with its word, a value behind its name with its line, a private key with its last line. */
const mayGrow = ({ length, pattern: { source } }: Compiled, text: string, at: number): boolean => {
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

interface Anchors {
  readonly each: (text: string, from: number, visit: (at: number, owners: ReadonlyArray<Compiled>) => void) => void
  readonly beginning: (text: string) => number
}

/** The anchors by their first three characters: most places of a text are passed with one look at a table. */
const anchorsOf = (rules: ReadonlyArray<Compiled>): Anchors => {
  const owners = new Map<string, Array<Compiled>>()
  for (const rule of rules) {
    for (const anchor of rule.anchors) owners.set(anchor, [...(owners.get(anchor) ?? []), rule])
  }
  const table = new Uint8Array(keyMask + 1)
  const byKey = new Map<number, Array<string>>()
  for (const anchor of owners.keys()) {
    const key = Array.from(anchor.slice(0, 3)).reduce((key, character) => nextKey(key, character.charCodeAt(0)), 0)
    table[key] = 1
    byKey.set(key, [...(byKey.get(key) ?? []), anchor])
  }
  const longest = Math.max(...Array.from(owners.keys(), ({ length }) => length))
  return {
    each: (text, from, visit) => {
      const each = (at: number, key: number): void => {
        for (const anchor of byKey.get(key) ?? []) if (text.startsWith(anchor, at)) visit(at, owners.get(anchor) ?? [])
      }
      let key = 0
      for (let end = from; end < text.length; end++) {
        key = nextKey(key, text.charCodeAt(end))
        if (table[key] === 1 && end >= from + 2) each(end - 2, key)
      }
    },
    beginning: (text) => {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
        const rest = text.slice(at)
        // A token begins with its word: the end of "thinking" is no beginning of "ghp_".
        const inWord = /^[\p{L}\p{N}]/u.test(rest) && /[\p{L}\p{N}]$/u.test(text.slice(0, at))
        if (inWord) continue
        for (const anchor of owners.keys()) if (anchor.length > rest.length && anchor.startsWith(rest)) return at
      }
      return text.length
    }
  }
}

/** Hashes the last three characters, five bits of each: the table stays in the processor's nearest cache. */
const keyMask = 2 ** 15 - 1
const nextKey = (key: number, code: number): number => ((key << 5) | (code & 31)) & keyMask
