/** Finished blocks in rows. Pure: whatever a model, a tool or a person wrote is escaped here. */
import { type Entry, ToolError } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import * as DiffPaint from "../../format/DiffPaint.ts"
import * as EventText from "../../format/EventText.ts"
import * as MessageText from "../../format/MessageText.ts"
import type { Paint } from "@bough/tui/theme/Style"
import { blanks, type SafeText, text } from "@bough/tui/text/SafeText"
import type { Block } from "./Block.ts"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import type { RowContext } from "@bough/tui/text/RowContext"
import * as OutputText from "../../format/OutputText.ts"
import * as PlanView from "./PlanView.ts"
import * as Rows from "@bough/tui/text/Rows"

const mostRowsSaid = 20
const mostRowsOfSentence = 3
/** Cells of a call's arguments in its sentence. */
const longestCall = 120
/** Lines at the end of what a command printed: the agent's, and a person's own. */
const lastLines = 5
const lastLinesOfOwn = 30
/** Lines of what a call has to show, such as a diff. */
const mostDetails = 16

/** `before` is what was printed last: a blank row parts what does not belong together. */
export const rows = (block: Block, before: Block | null, place: RowContext): ReadonlyArray<SafeText> => {
  const made = of(block, place)
  return made.length > 0 && before !== null && !belongs(block, before) ? [text``, ...made] : made
}

const belongs = (block: Block, before: Block): boolean => {
  switch (block._tag) {
    case "Answer":
      return block.piece._tag === "Code" ? block.piece.language === null : block.piece.joins
    case "Call":
    case "ChildEnded":
      return before._tag === "Call" || before._tag === "ChildEnded"
    case "Note":
      return before._tag === "Note"
    case "Listing":
    case "Said":
    case "Reasoning":
    case "Decided":
    case "Unfolded":
    case "Plan":
    case "Command":
    case "Message":
    case "Ended":
      return false
  }
}

const of = (block: Block, place: RowContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = place
  switch (block._tag) {
    case "Listing":
      return listing(block.entries, place)
    case "Decided":
      return block.rows
    case "Said":
      return said(block, place)
    case "Answer":
      return MarkdownStream.pieceRows(block.piece, place)
    case "Reasoning":
      return Rows.wrap(Escape.text(block.text.trim()), columns - 2).map((row) => theme.dim(text`  ${row}`))
    case "Call":
      return call(block, place)
    case "ChildEnded":
      return childEnded(block, place)
    case "Unfolded":
      return unfolded(block, place)
    case "Plan":
      return PlanView.rows(block.plan, columns, theme)
    case "Command":
      return command(block, place)
    case "Message":
      return MessageText.rows(block, columns)
    case "Note": {
      const wrapped = Rows.wrap(Escape.line(block.text), columns)
      const details = block.details === undefined ? [] : barred(block.details, place)
      return [...wrapped.map(block.tone === "error" ? theme.red : theme.dim), ...details]
    }
    case "Ended":
      return [theme.dim(Rows.cut(Escape.line(block.text), columns))]
  }
}

const widestName = 32

const listing = (
  entries: Extract<Block, { readonly _tag: "Listing" }>["entries"],
  { columns, theme }: RowContext
): ReadonlyArray<SafeText> => {
  const names = entries.map(([name]) => Escape.line(name))
  const width = Math.min(widestName, Math.floor(columns / 2), Math.max(0, ...names.map(Rows.width)))
  return entries.flatMap(([name, about], index) => {
    if (name === "") return Rows.wrap(Escape.line(about), columns)
    const said = Rows.wrap(Escape.line(about), columns - width - 2)
    const label = Rows.cut(names[index], width)
    return Rows.indent(said, text`${theme.accent(Rows.pad(label, width))}  `, blanks(width + 2))
  })
}

/** Rows behind a bar: words of tools, which cannot be taken for the program's. */
const barred = (words: string, { columns, theme }: RowContext, paint: Paint = (row) => row): ReadonlyArray<SafeText> =>
  Rows.breakHard(Escape.text(words.replace(/\n+$/u, "")), columns - 2).map(
    (row) => text`${theme.dim(text`│`)} ${paint(row)}`
  )

const unfolded = (
  { isDetails, text: whole, title }: Extract<Block, { readonly _tag: "Unfolded" }>,
  place: RowContext
): ReadonlyArray<SafeText> => {
  const head = place.theme.bold(Rows.cut(text`┌ ${Escape.line(title)}`, place.columns))
  return [head, ...(isDetails ? painted(linesIn(whole), place) : barred(whole, place))]
}

const said = (
  { note, text: words }: Extract<Block, { readonly _tag: "Said" }>,
  place: RowContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = place
  const all = Rows.wrapIndented(Escape.text(words.trim()), columns - 2)
  const shown = all.length <= mostRowsSaid ? all : all.slice(0, mostRowsSaid - 1)
  const more = all.length - shown.length
  return [
    ...Rows.indent(shown.map(theme.bold), theme.accent(text`› `)),
    ...(more === 0 ? [] : [theme.dim(text`  … ${more} more rows`)]),
    ...(note === "" ? [] : [theme.dim(text`  ${Escape.line(note)}`)])
  ]
}

const call = (block: Extract<Block, { readonly _tag: "Call" }>, place: RowContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = place
  const [sign, sentence] = sentenceOf(block, place)
  const most = linesOf(block)
  const alone = Rows.wrap(sentence, columns - 2)
  const hinted =
    most === 0 && isFolded(block) && !hasDetails(block)
      ? Rows.wrap(text`${sentence}${theme.dim(unfolding)}`, columns - 2)
      : alone
  // The hint is not worth a row of its own.
  const shown = hinted.length === alone.length ? hinted : alone
  const narrower = { columns: columns - 2, theme }
  const below = hasDetails(block) ? details(block, narrower) : most === 0 ? [] : output(block, most, narrower)
  return [...Rows.indent(shown, text`${sign} `), ...below.map((row) => text`  ${row}`)]
}

/** Details that no question has shown. */
const hasDetails = ({ outcome, wasAsked }: CallBlock): boolean =>
  outcome._tag === "Succeeded" && outcome.details !== undefined && !wasAsked

/** Their beginning, coloured as a diff is, and how much follows. */
const details = (block: CallBlock, place: RowContext): ReadonlyArray<SafeText> => {
  if (block.outcome._tag !== "Succeeded") return []
  const lines = linesIn(OutputText.formatOutput(block.outcome).text)
  const first = lines.length <= mostDetails ? lines : lines.slice(0, mostDetails - 1)
  const shown = painted(first, place)
  return [...shown.slice(0, 2 * mostDetails), ...moreLines(lines.length - first.length, place)]
}

const linesIn = (whole: string): ReadonlyArray<string> => whole.replace(/\n+$/u, "").split("\n")

const painted = (lines: ReadonlyArray<string>, place: RowContext): ReadonlyArray<SafeText> =>
  lines.flatMap((line) => barred(line, place, DiffPaint.diffPaint(line, place.theme)))

const childEnded = (
  { kind, result }: Extract<Block, { readonly _tag: "ChildEnded" }>,
  { columns, theme }: RowContext
): ReadonlyArray<SafeText> => {
  const sign = EventText.childSign(result)
  const paint = sign === "✓" ? theme.green : theme.red
  const said = Rows.cut(Escape.line(EventText.childEnded(kind, result)), columns * mostRowsOfSentence)
  return Rows.indent(Rows.wrap(said, columns - 2), text`${paint(text`${sign}`)} `)
}

/** Shows the end of what a command prints; what a tool read is for the agent. */
const linesOf = ({ role, tier }: CallBlock): number =>
  tier === "System" || tier === "Elevated" || role === "Command" ? lastLines : 0

type CallBlock = Extract<Block, { readonly _tag: "Call" }>

const sentenceOf = (block: CallBlock, { columns, theme }: RowContext): readonly [SafeText, SafeText] => {
  const { arguments: given, outcome, tool } = block
  const arguments_ = given === "" ? text`` : text` ${Escape.line(EventText.shortArguments(given))}`
  const called = Rows.cut(text`${Escape.line(tool)}${arguments_}`, longestCall)
  const said = Rows.cut(textOf(outcome), columns * mostRowsOfSentence)
  switch (outcome._tag) {
    case "Succeeded": {
      const sign = EventText.succeededSign(outcome)
      return [sign === "✓" ? theme.green(text`✓`) : theme.red(text`✗`), said === "" ? called : said]
    }
    case "Failed":
    case "Rejected":
      return [theme.red(text`✗`), text`${called}: ${theme.red(said)}`]
    case "Unknown":
      return [theme.red(text`?`), text`${called}: ${theme.red(said)}`]
    case "NotRun":
      return [theme.dim(text`-`), theme.dim(text`${called}: ${said}`)]
  }
}

const textOf = (outcome: Entry.Outcome): SafeText => {
  switch (outcome._tag) {
    case "Succeeded":
      return Escape.line(outcome.display)
    case "Failed":
    case "Rejected":
      return Escape.line(ToolError.describe(outcome.error))
    case "Unknown":
      return Escape.line(outcome.message)
    case "NotRun":
      return Escape.line(outcome.reason)
  }
}

const command = (block: Extract<Block, { readonly _tag: "Command" }>, place: RowContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = place
  const { outcome } = block
  const failed = outcome._tag !== "Succeeded"
  return [
    Rows.cut(text`${theme.accent(text`!`)} ${theme.bold(Escape.line(block.command))}`, columns),
    ...Rows.wrap(failed ? theme.red(textOf(outcome)) : theme.dim(textOf(outcome)), columns - 2).map(
      (row) => text`  ${row}`
    ),
    ...output(block, lastLinesOfOwn, { columns: columns - 2, theme }).map((row) => text`  ${row}`)
  ]
}

const unfolding = text` · Ctrl-O shows it`

/** True if there is text that is not shown. */
const isFolded = ({ fold, outcome }: CallBlock): boolean =>
  fold !== null && outcome._tag === "Succeeded" && OutputText.formatOutput(outcome).isText

/** The end of what was printed, and how much there is before it. */
const output = (
  { fold, outcome }: Pick<CallBlock, "fold" | "outcome">,
  most: number,
  place: RowContext
): ReadonlyArray<SafeText> => {
  if (outcome._tag !== "Succeeded" || fold === null) return []
  const { isText, text: whole } = OutputText.formatOutput(outcome)
  if (!isText) return []
  const lines = linesIn(whole)
  const shown = lines.slice(-most)
  return [...moreLines(lines.length - shown.length, place), ...barred(shown.join("\n"), place).slice(-2 * most)]
}

const moreLines = (hidden: number, { columns, theme }: RowContext): ReadonlyArray<SafeText> =>
  hidden === 0
    ? []
    : [theme.dim(Rows.cut(text`│ … ${hidden} more ${hidden === 1 ? "line" : "lines"} · Ctrl-O shows all`, columns))]
