/** Finished blocks as rows. Pure: all text by models, tools and users is escaped here. */
import { Entry } from "@bough/protocol"
import * as ArgumentText from "@bough/text/ArgumentText"
import type { Language } from "@bough/tui/code/Languages"
import * as DiffRows from "@bough/tui/diff/DiffRows"
import * as UnifiedDiff from "@bough/tui/diff/UnifiedDiff"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as Escape from "@bough/tui/text/Escape"
import * as Rows from "@bough/tui/text/Rows"
import { blanks, empty, type SafeText, text } from "@bough/tui/text/SafeText"
import * as CallText from "../../format/CallText.ts"
import * as ChildText from "../../format/ChildText.ts"
import { failureLines } from "../../format/FailureLines.ts"
import * as MessageText from "../../format/MessageText.ts"
import * as OutputText from "../../format/OutputText.ts"
import type { Block } from "./Block.ts"
import type { BlockContext } from "./BlockContext.ts"
import { languageOf } from "./BlockLanguages.ts"
import * as PlanView from "./PlanView.ts"
import * as Question from "./Question.ts"

const maxMessageRows = 20
const maxSentenceRows = 3
/** The maximum width of a call's arguments in its sentence, in cells. */
const maxCallLength = 120
/**
 * The number of lines that are shown from the end of a command's output: for the agent's commands and for the user's
 * own.
 */
const lastLines = 5
const ownCommandLines = 30
const maxFailureLines = 14
/** The maximum number of lines of a call's details, such as a diff. */
const maxDetails = 16

/** `before` is the block that was printed last: a blank row separates unrelated blocks. */
export const rows = (block: Block, before: Block | null, context: BlockContext): ReadonlyArray<SafeText> => {
  const blockRows = rowsOfBlock(block, context)
  return blockRows.length > 0 && before !== null && !belongs(block, before) ? [text``, ...blockRows] : blockRows
}

const belongs = (block: Block, before: Block): boolean => {
  switch (block._tag) {
    case "Answer":
      return block.piece._tag === "Code" ? isCode(before) && !block.piece.opens : block.piece.joins
    case "Call":
    case "ChildEnded":
      return before._tag === "Call" || before._tag === "ChildEnded"
    case "Note":
      return before._tag === "Note"
    case "Listing":
    case "Said":
    case "Reasoning":
    case "Approval":
    case "ApprovalDetails":
    case "Plan":
    case "Command":
    case "Message":
    case "Ended":
      return false
  }
}

const isCode = (block: Block): boolean => block._tag === "Answer" && block.piece._tag === "Code"

const rowsOfBlock = (block: Block, context: BlockContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  switch (block._tag) {
    case "Listing":
      return listing(block.entries, context)
    case "Approval":
      return [...Question.record(block.asked, context), ...Question.outcome(block, context)]
    case "ApprovalDetails":
      return block.rows
    case "Said":
      return messageRows(block, context)
    case "Answer":
      return MarkdownStream.pieceRows(block.piece, context)
    case "Reasoning":
      return reasoning(block, context)
    case "Call":
      return call(block, context)
    case "ChildEnded":
      return childEnded(block, context)
    case "Plan":
      return PlanView.rows(block.plan, columns, theme)
    case "Command":
      return command(block, context)
    case "Message":
      return MessageText.rows(block, columns)
    case "Note": {
      const wrapped = Rows.wrap(Escape.line(block.text), columns)
      const details = block.details === undefined ? [] : behindBar(block.details, context)
      return [...wrapped.map(block.tone === "error" ? theme.red : theme.dim), ...details]
    }
    case "Ended":
      return [theme.dim(Rows.cut(Escape.line(block.text), columns))]
  }
}

const widestName = 32

const listing = (
  entries: Extract<Block, { readonly _tag: "Listing" }>["entries"],
  context: BlockContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const names = entries.map(([name]) => Escape.line(name))
  const width = Math.min(widestName, Math.floor(columns / 2), Math.max(0, ...names.map(Rows.width)))
  return entries.flatMap(([name, about], index) => {
    if (name === "") return Rows.wrap(Escape.line(about), columns)
    const rows = Rows.wrap(Escape.line(about), columns - width - 2)
    const label = Rows.cut(names[index], width)
    return Rows.indent(rows, text`${theme.accent(Rows.pad(label, width))}  `, blanks(width + 2))
  })
}

/** Formats rows behind a bar: they show text of tools, which cannot be mistaken for the program's own text. */
const behindBar = (words: string, { columns, theme }: BlockContext): ReadonlyArray<SafeText> =>
  Rows.breakHard(Escape.text(words.replace(/(?<!\n)\n+$/u, "")), columns - 2).map(
    (row) => text`${theme.dim(text`│`)} ${row}`
  )

/** Renders a block with all details: arguments, output, reasoning. Blocks without details are unchanged. */
export const unfoldedRows = (block: Block, before: Block | null, context: BlockContext): ReadonlyArray<SafeText> => {
  const blockRows = wholeRows(block, context)
  return before !== null && !belongs(block, before) ? [text``, ...blockRows] : blockRows
}

const wholeRows = (block: Block, context: BlockContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const narrower = { ...context, columns: columns - 2 }
  if (block._tag === "Reasoning") return reasoning({ ...block, isFolded: false }, context)
  if (block._tag === "Call") {
    const [sign, sentence] = sentenceOf(block, context)
    const below = [...argumentRows(block.arguments, narrower), ...wholeOutput(block.outcome, block.arguments, narrower)]
    return [...Rows.indent(Rows.wrap(sentence, columns - 2), text`${sign} `), ...below.map((row) => text`  ${row}`)]
  }
  if (block._tag !== "Command") return rowsOfBlock(block, context)
  const head = Rows.wrap(text`${theme.accent(text`!`)} ${theme.bold(Escape.line(block.command))}`, columns)
  const ending = Rows.wrap(theme.dim(endOf(block.outcome)), columns - 2)
  return [...head, ...[...ending, ...wholeOutput(block.outcome, "", narrower)].map((row) => text`  ${row}`)]
}

/** A row for each argument; a list has a row for each item below the name. */
const argumentRows = (callArguments: string, { columns, theme }: BlockContext): ReadonlyArray<SafeText> =>
  ArgumentText.parse(callArguments).flatMap(({ isBelow, name, text: value }) => {
    const label = text`${Rows.cut(Escape.line(name), Math.floor(columns / 2) - 2)}:`
    if (isBelow) {
      const below = Rows.breakHard(Escape.text(value), columns - 2)
      return [theme.dim(label), ...below.map((row) => text`  ${row}`)]
    }
    const broken = Rows.breakHard(Escape.text(value), columns - Rows.width(label) - 1)
    return Rows.indent(broken, text`${theme.dim(label)} `)
  })

const wholeOutput = (outcome: Entry.Outcome, callArguments: string, context: BlockContext): ReadonlyArray<SafeText> => {
  if (outcome._tag !== "Succeeded") {
    const [, below] = splitSentence(outcome)
    return below.length === 0 ? [] : behindBar(below.join("\n"), context)
  }
  const output = OutputText.formatOutput(outcome).text
  if (output.trim() === "") return []
  return outcome.details === undefined
    ? behindBar(output, context)
    : detailLines(output, languageOf(callArguments), context).flat()
}

const messageRows = (
  { note, text: words }: Extract<Block, { readonly _tag: "Said" }>,
  context: BlockContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const all = Rows.wrapIndented(Escape.text(words.trim()), columns - 2)
  const shown = all.length <= maxMessageRows ? all : all.slice(0, maxMessageRows - 1)
  const more = all.length - shown.length
  return [
    ...Rows.indent(shown.map(theme.bold), theme.accent(text`› `)),
    ...(more === 0 ? [] : [theme.dim(text`  … ${more} more rows`)]),
    ...(note === "" ? [] : [theme.dim(text`  ${Escape.line(note)}`)])
  ]
}

const call = (block: Extract<Block, { readonly _tag: "Call" }>, context: BlockContext): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const [sign, sentence] = sentenceOf(block, context)
  const maxRows = linesOf(block)
  const sentenceRows = Rows.wrap(sentence, columns - 2)
  const hinted =
    maxRows === 0 && isFolded(block) && !hasDetails(block)
      ? Rows.wrap(text`${sentence}${theme.dim(transcriptHint(context))}`, columns - 2)
      : sentenceRows
  // The hint is omitted if it would need another row.
  const shown = hinted.length === sentenceRows.length ? hinted : sentenceRows
  const narrower = { ...context, columns: columns - 2 }
  const below = detailsOf(block, maxRows, narrower)
  return [...Rows.indent(shown, text`${sign} `), ...below.map((row) => text`  ${row}`)]
}

const detailsOf = (block: CallBlock, maxRows: number, context: BlockContext): ReadonlyArray<SafeText> => {
  const { outcome } = block
  if (outcome._tag !== "Succeeded") return belowFailure(block, context)
  if (outcome.details === undefined) return maxRows === 0 ? [] : output(block, maxRows, context)
  return hasDetails(block) ? details(block, context) : []
}

/** Renders reasoning as one row that can be unfolded, or in full. */
const reasoning = (
  { isFolded, text: words }: Extract<Block, { readonly _tag: "Reasoning" }>,
  context: BlockContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const reasoningText = words.trim()
  if (!isFolded) {
    return Rows.wrap(Escape.text(reasoningText), columns - 2).map((row) => theme.dim(theme.italic(text`  ${row}`)))
  }
  const first = Rows.cut(
    text`Thought: ${Escape.line(reasoningText.split("\n", 1)[0])}`,
    Math.max(8, columns - 2 - transcriptHint(context).length)
  )
  return [theme.dim(Rows.cut(text`∴ ${theme.italic(first)}${transcriptHint(context)}`, columns))]
}

/** Details that no approval question has shown. */
const hasDetails = ({ outcome, wasAsked }: CallBlock): boolean =>
  outcome._tag === "Succeeded" && outcome.details !== undefined && !wasAsked

/** Returns the beginning of the details, coloured like a diff, and the number of further rows. */
const details = (block: CallBlock, context: BlockContext): ReadonlyArray<SafeText> => {
  if (block.outcome._tag !== "Succeeded") return []
  const lines = detailLines(OutputText.formatOutput(block.outcome).text, languageOf(block.arguments), context)
  const first = lines.length <= maxDetails ? lines : lines.slice(0, maxDetails - 1)
  return [...first.flat().slice(0, 2 * maxDetails), ...moreLines(lines.length - first.length, context)]
}

const linesIn = (output: string): ReadonlyArray<string> => output.replace(/(?<!\n)\n+$/u, "").split("\n")

/** Renders details line by line; a diff gets line numbers and marked words. */
const detailLines = (
  details: string,
  language: Language | null,
  context: BlockContext
): ReadonlyArray<ReadonlyArray<SafeText>> => {
  if (!UnifiedDiff.isDiff(details)) return linesIn(details).map((line) => behindBar(line, context))
  const { columns, theme } = context
  return DiffRows.rows(details, language, { columns: columns - 2, theme }).map((rows) =>
    rows.map((row) => text`${theme.dim(text`│`)} ${row}`)
  )
}

const childEnded = (
  { kind, result, task }: Extract<Block, { readonly _tag: "ChildEnded" }>,
  context: BlockContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const sign = ChildText.childSign(result)
  const paint = sign === "✓" ? theme.green : theme.red
  const sentence = Rows.cut(Escape.line(ChildText.childEnded({ kind, task }, result)), columns * maxSentenceRows)
  return Rows.indent(Rows.wrap(sentence, columns - 2), text`${paint(text`${sign}`)} `)
}

/** Shows the last lines of a command's output; the result of a reading tool is only for the agent. */
const linesOf = ({ role, tier }: CallBlock): number =>
  tier === "System" || tier === "Elevated" || role === "Command" ? lastLines : 0

type CallBlock = Extract<Block, { readonly _tag: "Call" }>

const sentenceOf = (block: CallBlock, { columns, theme }: BlockContext): readonly [SafeText, SafeText] => {
  const { arguments: callArguments, outcome, role, tool } = block
  const called = Rows.cut(Escape.line(CallText.callLine(tool, callArguments, role)), maxCallLength)
  const sentence = Rows.cut(
    Escape.line(CallText.withoutName(splitSentence(outcome)[0], tool)),
    columns * maxSentenceRows
  )
  switch (outcome._tag) {
    case "Succeeded": {
      const sign = CallText.succeededSign(outcome)
      return [sign === "✓" ? theme.green(text`✓`) : theme.red(text`✗`), sentence === "" ? called : sentence]
    }
    case "Failed":
    case "Rejected":
      return [theme.red(text`✗`), text`${called}: ${theme.red(sentence)}`]
    case "Unknown":
      return [theme.red(text`?`), text`${called}: ${theme.red(sentence)}`]
    case "NotRun":
      return [theme.dim(text`-`), theme.dim(text`${called}: ${sentence}`)]
  }
}

/** Splits the text of an outcome into its sentence and the lines below it, such as the output of a stopped command. */
const splitSentence = (outcome: Entry.Outcome): readonly [sentence: string, below: ReadonlyArray<string>] => {
  if (outcome._tag === "Succeeded") return [outcome.display, []]
  const [sentence, ...below] = linesIn(Entry.failureText(outcome))
  return [sentence, below]
}

/** Returns the end of the text below the sentence of a failure. */
const belowFailure = ({ outcome }: CallBlock, context: BlockContext): ReadonlyArray<SafeText> => {
  const [, below] = splitSentence(outcome)
  const shown = below.slice(-lastLines)
  return below.length === 0
    ? []
    : [
        ...moreLines(below.length - shown.length, context),
        ...behindBar(shown.join("\n"), context).slice(-2 * lastLines)
      ]
}

const textOf = (outcome: Entry.Outcome): SafeText =>
  Escape.line(outcome._tag === "Succeeded" ? outcome.display : Entry.failureText(outcome))

/**
 * Returns the last parts of the sentence of a user's command. The command is omitted, because the row above shows it.
 */
const endOf = (outcome: Entry.Outcome): SafeText =>
  outcome._tag === "Succeeded" && outcome.display.startsWith("$ ")
    ? Escape.line(outcome.display.split(" · ").slice(-2).join(" · "))
    : textOf(outcome)

const command = (
  block: Extract<Block, { readonly _tag: "Command" }>,
  context: BlockContext
): ReadonlyArray<SafeText> => {
  const { columns, theme } = context
  const { outcome } = block
  const failed = outcome._tag !== "Succeeded"
  return [
    Rows.cut(text`${theme.accent(text`!`)} ${theme.bold(Escape.line(block.command))}`, columns),
    ...Rows.wrap(failed ? theme.red(textOf(outcome)) : theme.dim(endOf(outcome)), columns - 2).map(
      (row) => text`  ${row}`
    ),
    ...output(block, ownCommandLines, { ...context, columns: columns - 2 }).map((row) => text`  ${row}`)
  ]
}

/** Names the key that opens the transcript. */
const transcriptHint = ({ transcriptKey = "Ctrl-O" }: BlockContext): SafeText =>
  transcriptKey === "" ? empty : text` · ${Escape.line(transcriptKey)} opens it`

/** True if some text is not shown. */
const isFolded = ({ hasOutput, outcome }: CallBlock): boolean =>
  hasOutput && outcome._tag === "Succeeded" && OutputText.formatOutput(outcome).isText

/** Returns the end of the output, and the number of lines before it. */
const output = (
  { hasOutput, outcome }: Pick<CallBlock, "hasOutput" | "outcome">,
  maxRows: number,
  context: BlockContext
): ReadonlyArray<SafeText> => {
  if (outcome._tag !== "Succeeded" || !hasOutput) return []
  const { isText, text: output } = OutputText.formatOutput(outcome)
  if (!isText) return []
  const lines = linesIn(output)
  if (CallText.succeededSign(outcome) === "✗" && lines.length > maxRows) return failure(lines, context)
  const shown = lines.slice(-maxRows)
  return [
    ...moreLines(lines.length - shown.length, context),
    ...behindBar(shown.join("\n"), context).slice(-2 * maxRows)
  ]
}

/** Renders the lines that show why a command failed. */
const failure = (lines: ReadonlyArray<string>, context: BlockContext): ReadonlyArray<SafeText> => {
  const shown = failureLines(lines, maxFailureLines)
  return shown.flatMap((line, at) => {
    if (line._tag === "Line") return behindBar(line.text, context).slice(0, maxSentenceRows)
    const isFirst = shown.findIndex(({ _tag }) => _tag === "Skipped") === at
    return moreLines(line.lines, context, isFirst ? transcriptHint(context) : text``)
  })
}

const moreLines = (
  hidden: number,
  context: BlockContext,
  hint: SafeText = transcriptHint(context)
): ReadonlyArray<SafeText> => {
  if (hidden === 0) return []
  const row = text`│ … ${hidden} more ${hidden === 1 ? "line" : "lines"}${hint}`
  return [context.theme.dim(Rows.cut(row, context.columns))]
}
