/**
 * A text with its escapes decoded: `%73`, `\u0073`, `\x73`, `&#115;`. A secret is found in the decoded text and redacted
 * in the original. Nested escapes are decoded up to three times.
 */
import { Buffer } from "node:buffer"

export interface DecodedView {
  readonly text: string
  /**
   * Returns the position in the source where the character at a position of the view begins; for the view's length, the
   * end of the source.
   */
  readonly sourceOf: (at: number) => number
}

const escapes =
  /(?:%[0-9a-f]{2})+|\\{1,8}u[0-9a-f]{4}|\\{1,8}u\{[0-9a-f]{1,6}\}|\\{1,8}x[0-9a-f]{2}|&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});/gi

/** The length of the longest escape of one character, decoded once. */
export const longestEscape = 16

/** The number of times that nested escapes are decoded. */
export const maxDepth = 3

/**
 * Returns the views of a text, each decoded from the one before; empty: the text has no escape. `hasSpaces`: a known value
 * contains a space.
 */
export const viewsOf = (source: string, hasSpaces: boolean): ReadonlyArray<DecodedView> => {
  const views: Array<DecodedView> = []
  let before: DecodedView = { text: source, sourceOf: (at) => at }
  for (let depth = 0; depth < maxDepth; depth++) {
    const next = nextView(before, hasSpaces)
    if (next === null) break
    views.push(next)
    before = next
  }
  return views
}

/** A character of which bytes may be missing, in escapes of bytes. */
const incompleteBytes = "%[cd][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f])?|%f[0-7](?:%[89ab][0-9a-f]){0,2}"
const incompleteEscape = new RegExp(
  `(?:(?:${incompleteBytes})?(?:%[0-9a-f]?)?|\\\\+(?:u\\{?|x)?[0-9a-f]{0,6}|&#?x?[0-9a-f]{0,7})$`,
  "iu"
)

/** Returns the position where an incomplete escape at the end of the text begins, or the text's length. */
export const beginningOfEscape = (text: string): number => {
  const [found] = incompleteEscape.exec(text.slice(-longestEscape * maxDepth)) ?? [""]
  return text.length - found.length
}

/** The escape of a space is everywhere in addresses. It hides part of a secret only if a known value contains a space. */
const hidesWithoutSpaces = /%(?!20)[0-9a-f]{2}|\\[ux]|&#/iu

/** A fast check: most texts contain none of these. */
const mayEscape = (text: string, hasSpaces: boolean): boolean =>
  (text.includes("%") || text.includes("\\u") || text.includes("\\x") || text.includes("&#")) &&
  (hasSpaces || hidesWithoutSpaces.test(text))

/** A part of a view that comes from one part of the source: plain characters, or one escape. */
interface ViewPart {
  readonly at: number
  readonly source: number
  readonly isEscape: boolean
}

/** Decodes the escapes of a view once; null: it has none. */
export const nextView = ({ sourceOf, text }: DecodedView, hasSpaces: boolean): DecodedView | null => {
  if (!mayEscape(text, hasSpaces)) return null
  const parts: Array<string> = []
  const stretches: Array<ViewPart> = []
  let size = 0
  let from = 0
  const add = (part: string, stretch: Omit<ViewPart, "at">): void => {
    stretches.push({ ...stretch, at: size })
    parts.push(part)
    size += part.length
  }
  for (const { 0: found, index } of text.matchAll(escapes)) {
    const read = characters(found)
    if (read === null) continue
    if (index > from) add(text.slice(from, index), { source: from, isEscape: false })
    let at = index
    for (const { source, text: character } of read) {
      add(character, { source: at, isEscape: true })
      at += source
    }
    from = index + found.length
  }
  if (from === 0) return null
  add(text.slice(from), { source: from, isEscape: false })
  return { text: parts.join(""), sourceOf: (at) => sourceOf(placeIn(stretches, at)) }
}

const placeIn = (stretches: ReadonlyArray<ViewPart>, at: number): number => {
  let low = 0
  let high = stretches.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (stretches[middle].at <= at) low = middle
    else high = middle - 1
  }
  const { at: begins, isEscape, source } = stretches[low]
  return isEscape ? source : source + at - begins
}

interface ReadCharacter {
  readonly text: string
  /** The number of characters of the escape. */
  readonly source: number
}

/** Returns the decoded character; null: the text is not an escape. */
const characters = (escape: string): ReadonlyArray<ReadCharacter> | null => {
  if (escape.startsWith("%")) return percent(escape)
  const digits = /[0-9a-f]+(?=[};]?$)/iu.exec(escape.replace(/^(?:\\+[ux]\{?|&#x?)/iu, ""))?.[0] ?? ""
  const code = Number.parseInt(digits, escape.startsWith("&") && !/^&#x/iu.test(escape) ? 10 : 16)
  return code <= 0x10ffff ? [{ text: String.fromCodePoint(code), source: escape.length }] : null
}

/** Decodes UTF-8; each byte that is not part of a valid character counts as a character. */
const percent = (escape: string): ReadonlyArray<ReadCharacter> => {
  const bytes = Buffer.from(escape.replaceAll("%", ""), "hex")
  const text = bytes.toString("utf8")
  if (!text.includes("\uFFFD")) return Array.from(text, (character) => readCharacter(character))
  const read: Array<ReadCharacter> = []
  for (let at = 0; at < bytes.length; at += read[read.length - 1].source / 3) read.push(characterAt(bytes, at))
  return read
}

const readCharacter = (text: string): ReadCharacter => ({ text, source: 3 * Buffer.byteLength(text) })

/** The bytes around an invalid one are decoded as without it, so that it hides no character beside it. */
const characterAt = (bytes: Buffer, at: number): ReadCharacter => {
  const lead = bytes[at]
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const text = bytes.toString("utf8", at, at + length)
  return length > 1 && !text.includes("\uFFFD") ? readCharacter(text) : { text: String.fromCharCode(lead), source: 3 }
}
