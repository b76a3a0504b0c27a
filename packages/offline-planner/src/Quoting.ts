/**
 * Replaces quoted text by marks without white space, so the grammar sees only the rest, and restores the content
 * afterwards. Quotes are "…" '…' `…` “…” ‘…’ and fenced blocks.
 */

export interface QuotedText {
  /** The text with a mark for every quoted span. */
  readonly masked: string
  /** The spans by the numbers of their marks. */
  readonly spans: ReadonlyArray<Span>
}

export interface Span {
  readonly content: string
  /** The text, including its quotes. */
  readonly source: string
}

const open = "\uE000"
const close = "\uE001"

/** Matches one mark. */
export const mark = `${open}\\d+${close}`
const everyMark = new RegExp(mark, "g")
const onlyMark = new RegExp(`^${mark}$`)

const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’" }

/** Replaces each quoted text by a mark; null: the text contains the characters that marks consist of. */
export const mask = (text: string): QuotedText | null => {
  const spans: Array<Span> = []
  /** Quotes that are not closed in the rest of the text. */
  const unclosed = new Set<string>()
  let masked = ""
  for (let at = 0; at < text.length;) {
    const span = spanAt(text, at, unclosed)
    if (span === null) {
      if (text[at] === open || text[at] === close) return null
      masked += text[at++]
    } else {
      masked += `${open}${spans.push(span) - 1}${close}`
      at += span.source.length
    }
  }
  return { masked, spans }
}

/** Restores a piece of masked text. */
export const unmask = (piece: string, { spans }: QuotedText): string =>
  piece.replaceAll(everyMark, (mark) => spans[numberOf(mark)].source)

/** Returns the content if the piece consists of one quoted span, else null. */
export const content = (piece: string, { spans }: QuotedText): string | null =>
  onlyMark.test(piece) ? spans[numberOf(piece)].content : null

const numberOf = (mark: string): number => Number(mark.slice(1, -1))

/**
 * Returns the span that opens here. A quote opens after white space or an opening bracket, and closes before white
 * space, punctuation or the end.
 */
const spanAt = (text: string, at: number, unclosed: Set<string>): Span | null => {
  const quote = closing[text[at]]
  if (quote === undefined || unclosed.has(quote) || (at > 0 && !/[\s([:=]/.test(text[at - 1]))) return null
  if (text.startsWith("```", at)) return fenceAt(text, at)
  for (let end = text.indexOf(quote, at + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    if (end + 1 === text.length || /[\s.,;:!?)\]]/.test(text[end + 1])) {
      return { content: text.slice(at + 1, end), source: text.slice(at, end + 1) }
    }
  }
  unclosed.add(quote)
  return null
}

/** Returns the lines of a fenced block, without the language beside the fence. */
const fenceAt = (text: string, at: number): Span | null => {
  const end = text.indexOf("```", at + 3)
  if (end < 0) return null
  const inside = text.slice(at + 3, end)
  const firstLine = inside.indexOf("\n")
  return { content: firstLine < 0 ? inside : inside.slice(firstLine + 1), source: text.slice(at, end + 3) }
}
