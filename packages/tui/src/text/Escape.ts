/**
 * Escapes untrusted text for a terminal. Characters that could move a cursor, start a sequence, reorder or hide text are
 * written as `\u{…}`: control, format, bidi, zero-width and tag characters, variation selectors, fillers, lone surrogates.
 * Pure.
 */
import { graphemes } from "./graphemes.ts"
import { type SafeText, unchecked } from "./SafeText.ts"

const unsafe = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
/** A faster check for the most common text, without Unicode's tables. */
const plain = /^[\n\t -~]*$/
const unsafeAll = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
const pictograph = (): RegExp => /\p{Extended_Pictographic}$/u

/** True if a code point must not reach a terminal. Line feed and tab count as unsafe here; `text` allows them. */
export const isUnsafe = (character: string): boolean => unsafe().test(character)

const visible = (character: string): string =>
  character === "\r" ? String.raw`\r` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/**
 * True for U+FE0F after a pictograph. It only selects the coloured form, so it is removed.
 */
const isPresentation = (character: string, before: string): boolean =>
  character === "\uFE0F" && pictograph().test(before)

/** Escapes several lines: line feeds and tabs stay. */
export const text = (untrusted: string): SafeText => escapeAfter(untrusted, "")

const escapeAfter = (untrusted: string, before: string): SafeText =>
  unchecked(
    !plain.test(untrusted) && unsafe().test(untrusted)
      ? untrusted.replace(unsafeAll(), (character, offset: number) => {
          if (character === "\n" || character === "\t") return character
          const preceding = offset === 0 ? before : untrusted.slice(Math.max(0, offset - 2), offset)
          return isPresentation(character, preceding) ? "" : visible(character)
        })
      : untrusted
  )

/** Matches a joiner between two pictographs, as in families and flags of professions. */
const joiner = (): RegExp =>
  /(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?)\u200D(?=\p{Extended_Pictographic})/gu

/**
 * Escapes prose on which no decision depends: the parts of joined emoji are shown separately, without the joiner.
 */
export const prose = (untrusted: string): SafeText =>
  text(plain.test(untrusted) ? untrusted : untrusted.replaceAll(joiner(), ""))

/** Escapes one line: line feeds and tabs are written as `\n` and `\t`. */
export const line = (untrusted: string): SafeText =>
  unchecked(
    text(untrusted)
      .replaceAll("\n", String.raw`\n`)
      .replaceAll("\t", String.raw`\t`)
  )

const mark = (): RegExp => /^\p{M}$/u
/** Matches text without clusters other than marks on unmarked letters: Latin, Greek, Cyrillic, kana, Han, and signs. */
const simple =
  /^[\n\t -~\u00A0-\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2030-\u205E\u2190-\u23FF\u2500-\u25FF\u3001-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3]*$/u
const maxMarks = 2
const maxPoints = 6

/**
 * Escapes text on which a decision is based: in a cluster, marks from the third on and characters from the seventh on
 * are written as escapes. Terminals draw longer clusters in unpredictable widths, and users cannot read them.
 */
export const clusters = (shown: SafeText): SafeText =>
  simple.test(shown) ? shown : unchecked(graphemes(shown).map(shorten).join(""))

const shorten = (cluster: string): string => {
  if (cluster.length <= maxMarks + 1) return cluster
  let marks = 0
  return Array.from(cluster, (character, at) => {
    if (mark().test(character)) marks += 1
    return marks > maxMarks || at >= maxPoints ? visible(character) : character
  }).join("")
}

/** Returns JSON text with the same code points as `\uXXXX` inside its strings, which is still the same JSON. */
export const json = (jsonText: string): SafeText =>
  unchecked(
    jsonText.replace(unsafeAll(), (character) =>
      character === "\n"
        ? character
        : Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join("")
    )
  )

const unit = (code: number): string => String.raw`\u` + code.toString(16).padStart(4, "0")

export interface StreamEscaper {
  /** Escapes the next piece; an incomplete character is kept for the next call. */
  readonly push: (piece: string) => SafeText
  /** Returns the text that was kept. */
  readonly end: () => SafeText
}

/** Escapes like `text`, for text that arrives in arbitrary pieces. */
export const makeStreamEscaper = (): StreamEscaper => {
  let undecided = ""
  let before = ""
  const escape = (piece: string): SafeText => {
    const escaped = escapeAfter(piece, before)
    if (piece !== "") before = piece.slice(-2)
    return escaped
  }
  return {
    push: (piece) => {
      const pending = undecided + piece
      const last = pending.charCodeAt(pending.length - 1)
      const cut = last >= 0xd800 && last <= 0xdbff ? pending.length - 1 : pending.length
      undecided = pending.slice(cut)
      return escape(pending.slice(0, cut))
    },
    end: () => {
      const rest = undecided
      undecided = ""
      return escape(rest)
    }
  }
}

const words = (): RegExp => /[\p{L}\p{M}\p{N}]+/gu
const latin = (): RegExp => /\p{Script=Latin}/u
const lookalike = (): RegExp => /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}/u

/** Escapes words that mix Latin letters with similar letters of other scripts: the latter are written as `\u{…}`. */
export const mixedScripts = (untrusted: string): ReadonlyArray<SafeText> =>
  [...new Set(untrusted.match(words()) ?? [])]
    .filter((word) => latin().test(word) && lookalike().test(word))
    .map((word) => Array.from(word, (letter) => (lookalike().test(letter) ? visible(letter) : letter)).join(""))
    .map(unchecked)
