/**
 * The rules of .gitignore files. Matching never backtracks further than the last star of a pattern, so its time is
 * bounded by the pattern's length times the path's length; every step is counted, because many rules may meet many
 * names.
 */
import { Buffer } from "node:buffer"
import { hash } from "node:crypto"

/** Rules of one file; `base` contains the names of its directory, relative to the base directory of all paths. */
export interface RuleFile {
  readonly base: ReadonlyArray<string>
  readonly rules: ReadonlyArray<Rule>
  /** The size of the text that the rules were read from. */
  readonly bytes: number
  /** A digest of that text. */
  readonly digest: string
}

/** The steps of comparisons so far. */
export interface StepCount {
  steps: number
}

interface Rule {
  /** Null: any number of directories matches. */
  readonly segments: ReadonlyArray<Segment | null>
  readonly isNegated: boolean
  readonly isDirectoryOnly: boolean
}

/** A plain name, a star and the end of names, or tokens. */
type Segment = string | { readonly end: string } | ReadonlyArray<Token>

type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "byte"; readonly byte: string }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: ReadonlyArray<readonly [string, string]> }

/** The maximum size of a file with rules. */
export const maxBytes = 256 * 1024
const maxRules = 5_000

/** The steps that one token of a pattern counts for. */
const tokenSteps = 8

/** Parses the rules of a file; a file that is too long has none. */
export const parse = (base: ReadonlyArray<string>, content: Uint8Array): RuleFile => ({
  base,
  bytes: content.length,
  digest: hash("sha256", content, "base64url"),
  rules:
    content.length > maxBytes
      ? []
      : Buffer.from(content)
          .toString("latin1")
          .replace(/^\u00ef\u00bb\u00bf/u, "")
          .split("\n")
          .slice(0, maxRules)
          .flatMap((line) => ruleOf(line))
})

const ruleOf = (text: string): ReadonlyArray<Rule> => {
  const line = withoutTrailingSpace(text.replace(/\r$/u, ""))
  if (line === "" || line.startsWith("#")) return []
  const isNegated = line.startsWith("!")
  const body = isNegated ? line.slice(1) : line
  const isDirectoryOnly = body.endsWith("/")
  const path = isDirectoryOnly ? body.slice(0, -1) : body
  if (path === "" || path.length > 4096) return []
  const names = path.replace(/^\//u, "").split("/")
  const isAnchored = path.includes("/")
  const segments = names.map((name) => (name === "**" ? null : segmentOf(name)))
  // A pattern that ends in "/**" matches the content of a directory, never the directory itself.
  if (segments.length > 1 && segments.at(-1) === null) segments.push([star])
  return [{ segments: isAnchored ? segments : [null, ...segments], isNegated, isDirectoryOnly }]
}

const withoutTrailingSpace = (line: string): string => {
  let end = line.length
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--
  return line.slice(0, end)
}

const segmentOf = (text: string): Segment => {
  if (!/[*?[\\]/u.test(text)) return text
  return /^\*[^*?[\\]+$/u.test(text) ? { end: text.slice(1) } : tokensOf(text)
}

const star: Token = { kind: "star" }
const anyByte: Token = { kind: "any" }
/** One token for each byte, which all patterns share. */
const plainBytes = new Map<string, Token>()

const byteToken = (byte: string): Token => {
  const known = plainBytes.get(byte)
  if (known !== undefined) return known
  const token: Token = { kind: "byte", byte }
  plainBytes.set(byte, token)
  return token
}

const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (byte === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push(star)
    } else if (byte === "?") tokens.push(anyByte)
    else if (byte === "[") {
      const found = classAt(text, at)
      tokens.push(found === null ? byteToken(byte) : found.token)
      at = found === null ? at : found.end
    } else if (byte === "\\" && at + 1 < text.length) tokens.push(byteToken(text[++at]))
    else tokens.push(byteToken(byte))
  }
  return tokens
}

const named: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  alnum: [
    ["0", "9"],
    ["A", "Z"],
    ["a", "z"]
  ],
  alpha: [
    ["A", "Z"],
    ["a", "z"]
  ],
  digit: [["0", "9"]],
  lower: [["a", "z"]],
  upper: [["A", "Z"]],
  space: [
    ["\t", "\r"],
    [" ", " "]
  ],
  xdigit: [
    ["0", "9"],
    ["A", "F"],
    ["a", "f"]
  ]
}

/** The class that begins at `start`; null: the class has no end, so its bracket is a plain character. */
const classAt = (text: string, start: number): { readonly token: Token; readonly end: number } | null => {
  const isNegated = text[start + 1] === "!" || text[start + 1] === "^"
  const first = start + (isNegated ? 2 : 1)
  const ranges: Array<readonly [string, string]> = []
  for (let at = first; at < text.length; at++) {
    if (text[at] === "]" && at > first) return { token: { kind: "class", isNegated, ranges }, end: at }
    const name = text[at] === "[" && text[at + 1] === ":" ? /^\[:([a-z]+):\]/u.exec(text.slice(at, at + 12)) : null
    if (name !== null) {
      ranges.push(...(named[name[1]] ?? []))
      at += name[0].length - 1
      continue
    }
    if (text[at] === "\\" && at + 1 < text.length) at++
    const low = text[at]
    if (text[at + 1] === "-" && at + 2 < text.length && text[at + 2] !== "]") {
      at += text[at + 2] === "\\" && at + 3 < text.length ? 3 : 2
      ranges.push([low, text[at]])
    } else ranges.push([low, low])
  }
  return null
}

const fitsToken = (token: Token, byte: string): boolean => {
  if (token.kind === "any") return true
  if (token.kind === "byte") return token.byte === byte
  return token.kind === "class" && token.ranges.some(([low, high]) => low <= byte && byte <= high) !== token.isNegated
}

interface Comparison<Pattern, Item> {
  readonly isWild: (pattern: Pattern) => boolean
  readonly fits: (pattern: Pattern, item: Item) => boolean
  readonly onStep: () => void
}

/**
 * Returns true if a list of patterns matches a list of items; some patterns are wildcards for any number of items. If a
 * match fails after a wildcard, only the last wildcard is extended.
 */
const matches = <Pattern, Item>(
  patterns: ReadonlyArray<Pattern>,
  items: ArrayLike<Item>,
  { fits, isWild, onStep }: Comparison<Pattern, Item>
): boolean => {
  let at = 0
  let item = 0
  let wild = -1
  let wildEnd = 0
  while (item < items.length) {
    onStep()
    if (at < patterns.length && isWild(patterns[at])) {
      wild = at++
      wildEnd = item
    } else if (at < patterns.length && fits(patterns[at], items[item])) {
      at++
      item++
    } else if (wild >= 0) {
      at = wild + 1
      item = ++wildEnd
    } else return false
  }
  while (at < patterns.length && isWild(patterns[at])) at++
  return at === patterns.length
}

const isStar = ({ kind }: Token): boolean => kind === "star"
const isAnyDirectories = (segment: Segment | null): boolean => segment === null

const comparisonOf = (count: StepCount): Comparison<Segment | null, string> => {
  const bytes = { fits: fitsToken, isWild: isStar, onStep: () => void (count.steps += tokenSteps) }
  const fits = (segment: Segment | null, name: string): boolean => {
    if (segment === null) return false
    if (typeof segment === "string") return segment === name
    return "end" in segment ? name.endsWith(segment.end) : matches(segment, name, bytes)
  }
  return { fits, isWild: isAnyDirectories, onStep: () => void (count.steps += 1) }
}

/** A rule without a slash is about the last name alone. */
const isAbout = (
  { segments }: Rule,
  below: ReadonlyArray<string>,
  names: Comparison<Segment | null, string>
): boolean => {
  if (segments.length !== 2 || segments[0] !== null) return matches(segments, below, names)
  names.onStep()
  return names.fits(segments[1], below[below.length - 1] ?? "")
}

/**
 * Returns true if the last rule that matches the path ignores it. `files`: from the outermost directory inwards. The
 * caller must check whether a directory above the path is ignored.
 */
export const isIgnored = (
  files: ReadonlyArray<RuleFile>,
  path: { readonly segments: ReadonlyArray<string>; readonly isDirectory: boolean },
  count: StepCount = { steps: 0 }
): boolean => {
  const { isDirectory, segments } = path
  const names = comparisonOf(count)
  for (const { base, rules } of files.toReversed()) {
    const below = segments.slice(base.length)
    const rule = rules.findLast(
      (candidate) => (isDirectory || !candidate.isDirectoryOnly) && isAbout(candidate, below, names)
    )
    if (rule !== undefined) return !rule.isNegated
  }
  return false
}
