/**
 * Streams Markdown: parts that can no longer change are emitted once, and only the rest is parsed again. Pure. A long code
 * block and a long list are emitted in parts, so that the rest stays short.
 */
import type { Token, Tokens } from "marked"
import type { Language } from "../code/Languages.ts"
import * as Languages from "../code/Languages.ts"
import type { RowContext } from "../text/RowContext.ts"
import type { SafeText } from "../text/SafeText.ts"
import * as MarkdownRows from "./MarkdownRows.ts"

export type Piece =
  /** `joins`: the piece continues the list of the previous piece. */
  | { readonly _tag: "Markdown"; readonly source: string; readonly joins: boolean }
  /** Lines of a code block; `opens`: these lines begin the block. */
  | {
      readonly _tag: "Code"
      readonly fence: string
      readonly language: string
      readonly opens: boolean
      readonly text: string | null
      readonly closes: boolean
    }

export interface StreamState {
  /** The text that was received and not emitted yet. */
  readonly rest: string
  /** The fence of the code block that `rest` continues; null: `rest` is Markdown. */
  readonly fence: string | null
  /** The language that the fence names. */
  readonly language: string
  /** True if `rest` continues a list that was partly emitted. */
  readonly joins: boolean
  /** An incomplete character or line end, whose rest may follow. */
  readonly held: string
}

export const initial: StreamState = { rest: "", fence: null, language: "", joins: false, held: "" }

export interface StreamUpdate {
  readonly state: StreamState
  readonly pieces: ReadonlyArray<Piece>
}

const longCode = 30
const longList = 30
/**
 * The length at which an unfinished block is emitted in parts, which are parsed as separate blocks, because each frame
 * parses the rest again.
 */
const maxRestLength = 32_768

export const push = (state: StreamState, text: string): StreamState => {
  const pending = state.held + text
  const cut = /[\r\uD800-\uDBFF]$/u.test(pending) ? pending.length - 1 : pending.length
  return { ...state, rest: state.rest + lineEnds(pending.slice(0, cut)), held: pending.slice(cut) }
}

/** The lexer treats a lone carriage return as a line end; in a terminal it would hide the text before it. */
const lineEnds = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll("\r", String.raw`\r`)

/** Returns the finished rows. */
export const takeFinished = (state: StreamState): StreamUpdate => {
  const pieces: Array<Piece> = []
  let current = state
  for (;;) {
    const next = current.fence === null ? settleMarkdown(current) : settleCode(current, current.fence)
    if (next === null) return { state: current, pieces }
    pieces.push(...next.pieces)
    current = next.state
  }
}

/** Returns all remaining rows at the end of the text. */
export const end = (state: StreamState): ReadonlyArray<Piece> => {
  const rest = state.rest + lineEnds(state.held)
  const { pieces, state: finalState } = takeFinished({
    ...state,
    rest: rest.endsWith("\n") ? rest : `${rest}\n`,
    held: ""
  })
  if (finalState.fence !== null) {
    const text = finalState.rest === "" ? null : withoutLastBreak(finalState.rest)
    return [
      ...pieces,
      { _tag: "Code", fence: finalState.fence, language: finalState.language, opens: false, text, closes: true }
    ]
  }
  return finalState.rest.trim() === ""
    ? pieces
    : [...pieces, { _tag: "Markdown", source: finalState.rest, joins: finalState.joins }]
}

/** Null: no block is finished. */
const settleMarkdown = (state: StreamState): StreamUpdate | null => {
  const { rest } = state
  if (rest.length > maxRestLength) {
    const end = rest.lastIndexOf("\n", maxRestLength)
    const cut = end === -1 ? wholeCharacters(rest, maxRestLength) : end + 1
    const finished = settleFinished({ ...state, rest: rest.slice(0, cut) })
    const settled = finished ?? {
      state: { ...state, rest: "", joins: false },
      pieces: [{ _tag: "Markdown", source: rest.slice(0, cut), joins: state.joins }]
    }
    return { ...settled, state: { ...settled.state, rest: settled.state.rest + rest.slice(cut) } }
  }
  return settleFinished(state)
}

const wholeCharacters = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/u.test(text.charAt(end - 1)) ? end - 1 : end

const settleFinished = (state: StreamState): StreamUpdate | null => {
  const { rest } = state
  // No block is finished before a line is finished.
  if (!rest.includes("\n")) return null
  const tokens = MarkdownRows.lex(rest)
  const last = tokens.findLastIndex(({ type }) => type !== "space")
  if (last === -1) return null
  const before = tokens.slice(0, last)
  const opened = openCode(tokens[last])
  const source = before.map(({ raw }) => raw).join("")
  const from = source.length
  const done: ReadonlyArray<Piece> = source.trim() === "" ? [] : [{ _tag: "Markdown", source, joins: state.joins }]
  // The lexer may have replaced tabs or line ends, so that the lengths of its tokens differ from the text.
  if (!rest.startsWith(source)) return null
  const next = { ...state, joins: state.joins && done.length === 0 }
  if (opened !== null) {
    const piece: Piece = { _tag: "Code", ...opened, opens: true, text: null, closes: false }
    const after = rest.slice(from)
    const body = after.slice(after.indexOf("\n") + 1)
    return { state: { ...next, ...opened, rest: body }, pieces: [...done, piece] }
  }
  const items = finishedItems(tokens[last])
  if (items !== "" && rest.startsWith(items, from)) {
    return {
      state: { ...next, rest: rest.slice(from + items.length), joins: true },
      pieces: [...done, { _tag: "Markdown", source: items, joins: next.joins }]
    }
  }
  return done.length === 0 ? null : { state: { ...next, rest: rest.slice(from) }, pieces: done }
}

/**
 * Returns the fence and the language of a long block of code that is not finished; null: the token is of another kind.
 */
const openCode = (token: Token): { readonly fence: string; readonly language: string } | null => {
  if (token.type !== "code") return null
  const { raw } = token
  const end = raw.indexOf("\n")
  const begin = end === -1 ? null : /^(`{3,}|~{3,})(.*)\n$/u.exec(raw.slice(0, end + 1))
  if (begin === null) return null
  const [opening, fence, language] = begin
  const body = raw.slice(opening.length)
  return body.split("\n").length > longCode && !closingFence(fence).test(body)
    ? { fence, language: language.trim() }
    : null
}

/** Splits off all items of a long list except the last two. */
const finishedItems = (token: Token): string => {
  if (token.type !== "list") return ""
  const { items } = token as Tokens.List
  return items.length > longList
    ? items
        .slice(0, -2)
        .map(({ raw }) => (raw.endsWith("\n") ? raw : `${raw}\n`))
        .join("")
    : ""
}

const closingFence = (fence: string): RegExp => new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*(?:\\n|$)`, "mu")

const settleCode = (state: StreamState, fence: string): StreamUpdate | null => {
  const { language, rest } = state
  const end = closingFence(fence).exec(rest)
  // A fence in an unfinished line may continue, in which case it does not end the block.
  if (end !== null && rest.length > end.index + end[0].length - (end[0].endsWith("\n") ? 1 : 0)) {
    const text = end.index === 0 ? null : rest.slice(0, end.index - 1)
    return {
      state: { ...state, rest: rest.slice(end.index + end[0].length), fence: null },
      pieces: [{ _tag: "Code", fence, language, opens: false, text, closes: true }]
    }
  }
  const lines = rest.split("\n")
  if (lines.length <= longCode) return null
  const lastLines = lines.slice(-2).join("\n")
  const text = lines.slice(0, -2).join("\n")
  return {
    state: { ...state, rest: lastLines },
    pieces: [{ _tag: "Code", fence, language, opens: false, text, closes: false }]
  }
}

const withoutLastBreak = (text: string): string => (text.endsWith("\n") ? text.slice(0, -1) : text)

/** Formats a piece in rows. */
export const pieceRows = (piece: Piece, context: RowContext): ReadonlyArray<SafeText> => {
  if (piece._tag === "Markdown") return MarkdownRows.rows(piece.source, context)
  const { closes, fence, language, opens, text } = piece
  return [
    ...(opens ? MarkdownRows.openingRows(fence, language, context) : []),
    ...(text === null ? [] : MarkdownRows.codeLines(text, language, context)),
    ...(closes ? MarkdownRows.closingRows(fence, context) : [])
  ]
}

/** Returns the rows of the text that were not returned yet. */
export const restRows = ({ fence, language, rest }: StreamState, context: RowContext): ReadonlyArray<SafeText> => {
  if (fence !== null) return rest === "" ? [] : MarkdownRows.codeLines(withoutLastBreak(rest), language, context)
  return rest.trim() === "" ? [] : MarkdownRows.rows(rest, context)
}

const fences = /^ {0,3}(?:`{3,}|~{3,})([^\n`]*)$/gmu

/** The languages of the code in a piece. */
export const languagesOf = (piece: Piece): ReadonlyArray<Language> => {
  const named = piece._tag === "Code" ? [piece.language] : Array.from(piece.source.matchAll(fences), ([, name]) => name)
  return named.map(Languages.fromFence).filter((language) => language !== null)
}
