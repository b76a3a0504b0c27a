/**
 * Renders Markdown as rows of a terminal. Without colours, meaningful marks stay visible; with colours, the marks of
 * headings, code and fences are dropped. The target of a link is always shown beside its text. All text is escaped
 * here.
 */
import type { Token, Tokens } from "marked"
import { Lexer } from "marked"
import * as CodeRows from "../code/CodeRows.ts"
import * as Languages from "../code/Languages.ts"
import * as Escape from "../text/Escape.ts"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { blanks, join, repeat, type SafeText, text as safe } from "../text/SafeText.ts"
import type { Theme } from "../theme/Theme.ts"
import * as TableRows from "./TableRows.ts"

const deepest = 12
const narrowest = 12
const maxRuleColumns = 40

export const rows = (source: string, context: RowContext): ReadonlyArray<SafeText> => blocks(lex(source), context, 0)

/**
 * The number of words in a block beyond which its marks are shown literally, because the library's time grows with the
 * square of this number.
 */
const maxInlineLength = 4_096

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Array<Token> = []): Array<Token> {
    if (source.length <= maxInlineLength) return super.inlineTokens(source, tokens)
    tokens.push({ type: "text", raw: source, text: source, escaped: false })
    return tokens
  }
}

/** Matches quotes and lists that are nested deeper than in real text, on which the library's stack would overflow. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){64}/mu

const read = (source: string): ReadonlyArray<Token> =>
  tooDeep.test(source) ? [{ type: "text", raw: source, text: source }] : new BoundedLexer({ gfm: true }).lex(source)

/** Caches the last text, because a frame needs the same text twice. */
let last: { readonly source: string; readonly tokens: ReadonlyArray<Token> } = { source: "", tokens: [] }

/** Returns the blocks of a text. Only the library's lexer is used; no text becomes HTML. */
export const lex = (source: string): ReadonlyArray<Token> => {
  if (last.source !== source) last = { source, tokens: read(source) }
  return last.tokens
}

const blocks = (tokens: ReadonlyArray<Token>, context: RowContext, depth: number): ReadonlyArray<SafeText> => {
  const blockRows: Array<SafeText> = []
  for (const token of tokens) {
    const next = block(token, context, depth)
    if (next.length === 0) continue
    if (blockRows.length > 0) blockRows.push(safe``)
    blockRows.push(...next)
  }
  return blockRows
}

const block = (token: Token, context: RowContext, depth: number): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const generic = token as Tokens.Generic
  // Content that is nested too deeply, or has too little space, is shown literally.
  if (depth > deepest || columns < narrowest) return Rows.wrap(Escape.text(token.raw.trim()), columns)
  switch (generic.type) {
    case "space":
    case "def":
      return []
    case "heading": {
      const words = inline(generic.tokens ?? [], context)
      if (theme.syntax !== null) return Rows.wrap(words, columns).map((row) => theme.bold(theme.accent(row)))
      const marks = repeat(safe`#`, Number(generic["depth"]))
      return Rows.wrap(words, columns - marks.length - 1).map((row, index) =>
        theme.bold(theme.accent(safe`${index === 0 ? marks : blanks(marks.length)} ${row}`))
      )
    }
    case "code":
      return code(generic as Tokens.Code, context)
    case "list":
      return list(generic as Tokens.List, context, depth)
    case "blockquote":
      return blocks(generic.tokens ?? [], { ...context, columns: columns - 2 }, depth + 1).map(
        (row) => safe`${theme.dim(safe`▏`)} ${row}`
      )
    case "table":
      return TableRows.rows(generic as Tokens.Table, (cell) => inline(cell.tokens, context), context)
    case "hr":
      return [theme.dim(repeat(safe`─`, Math.min(columns, maxRuleColumns)))]
    case "paragraph":
    case "text":
      return Rows.wrap(generic.tokens === undefined ? plain(generic) : inline(generic.tokens, context), columns)
    default:
      return Rows.wrap(Escape.text(token.raw.trimEnd()), columns)
  }
}

const code = ({ lang, raw, text }: Tokens.Code, context: RowContext): ReadonlyArray<SafeText> => {
  const fence = /^ {0,3}(`{3,}|~{3,})/u.exec(raw)?.[1] ?? "```"
  return [
    ...openingRows(fence, lang ?? "", context),
    ...codeLines(text, lang ?? "", context),
    ...closingRows(fence, context)
  ]
}

/** The row above a code block, if fences are shown. */
export const openingRows = (fence: string, language: string, { columns, theme }: RowContext): ReadonlyArray<SafeText> =>
  theme.syntax === null ? [Rows.cut(safe`${Escape.line(fence)}${Escape.line(language)}`, columns)] : []

/** The row below a code block, if fences are shown. */
export const closingRows = (fence: string, { theme }: RowContext): ReadonlyArray<SafeText> =>
  theme.syntax === null ? [Escape.line(fence)] : []

/** Returns lines of code that begin in the first column, so that a selection can be pasted. */
export const codeLines = (text: string, language: string, context: RowContext): ReadonlyArray<SafeText> =>
  CodeRows.rows(text, Languages.fromFence(language), context)

/** Returns the marker of an item. With colours, a task has its own sign; without them, it is shown as written. */
const markerOf = (item: Tokens.ListItem, number: number | null, { theme }: RowContext): SafeText => {
  const marker = number === null ? safe`-` : safe`${number}.`
  if (!item.task) return marker
  if (theme.syntax === null) return safe`${marker} [${item.checked === true ? "x" : " "}]`
  const sign = item.checked === true ? theme.green(safe`✓`) : theme.dim(safe`○`)
  return number === null ? sign : safe`${marker} ${sign}`
}

const list = (
  { items, loose, ordered, start }: Tokens.List,
  context: RowContext,
  depth: number
): ReadonlyArray<SafeText> =>
  items.flatMap((item, index) => {
    const lead = safe`${markerOf(item, ordered ? Number(start) + index : null, context)} `
    const inner = { ...context, columns: context.columns - Rows.width(lead) }
    const body = item.tokens.filter(({ type }) => type !== "checkbox")
    const bodyRows = loose ? blocks(body, inner, depth + 1) : body.flatMap((token) => block(token, inner, depth + 1))
    const gap = loose && index > 0 ? [safe``] : []
    return [...gap, ...Rows.indent(bodyRows.length === 0 ? [safe``] : bodyRows, lead)]
  })

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " "
}

const plain = (token: Tokens.Generic): SafeText =>
  Escape.prose(
    String(token["text"] ?? token.raw).replaceAll(/&(?:lt|gt|amp|quot|#39|nbsp);/gu, (entity) => entities[entity])
  )

const inline = (tokens: ReadonlyArray<Token>, context: RowContext): SafeText =>
  join(tokens.map((token) => span(token as Tokens.Generic, context)))

const span = (token: Tokens.Generic, context: RowContext): SafeText => {
  const { theme } = context
  const inner = (): SafeText => inline(token.tokens ?? [], context)
  switch (token.type) {
    case "strong":
      return theme.bold(inner())
    case "em":
      return theme.italic(inner())
    case "del":
      return theme.strike(inner())
    case "codespan":
      return codeSpan(Escape.line(String(token["text"])), theme)
    case "br":
      return safe`\n`
    case "link":
      return link(token, inner(), theme)
    case "image": {
      const words = Escape.line(String(token["text"]))
      const target = theme.link(Escape.line(String(token["href"])))
      return safe`${theme.dim(safe`[image:`)} ${words === "" ? words : safe`${words} `}${target}${theme.dim(safe`]`)}`
    }
    case "text":
    case "escape":
      return token.tokens === undefined ? plain(token) : inner()
    default:
      return Escape.text(token.raw)
  }
}

const codeSpan = (shown: SafeText, { code, syntax }: Theme): SafeText =>
  code(syntax === null ? safe`\`${shown}\`` : shown)

const link = (token: Tokens.Generic, words: SafeText, theme: Theme): SafeText => {
  const href = String(token["href"])
  const target = theme.hyperlink(href, theme.link(Escape.line(href)))
  const label = String(token["text"])
  return label === href || `mailto:${label}` === href
    ? target
    : safe`${theme.hyperlink(href, words)} ${theme.dim(safe`(`)}${target}${theme.dim(safe`)`)}`
}
