/**
 * One call that a user decides about: its rows, and the meaning of its keys. Pure. A call can only be approved after all
 * rows were shown, and a key only counts when pressed alone.
 */
import type { Approval } from "@bough/protocol"
import type { Key } from "@bough/tui/keys/Key"
import * as Escape from "@bough/tui/text/Escape"
import type { RowContext } from "@bough/tui/text/RowContext"
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import type { Theme } from "@bough/tui/theme/Theme"
import * as ApprovalText from "../../format/ApprovalText.ts"
import * as DecisionText from "../../format/DecisionText.ts"
import * as Pager from "../plain/Pager.ts"
import type { Block } from "./Block.ts"
import * as QuestionDiff from "./QuestionDiff.ts"

export interface Question {
  readonly asked: ApprovalText.PrintedApproval
  /** The rule of "always"; null: none fits this call. */
  readonly rule: string | null
  /** True if the whole question was printed, even if it was long. */
  readonly wasPrintedWhole: boolean
  /** The part of the question that is on the screen, and the rows that were. */
  readonly position: Pager.PagerState
  /**
   * `waiting`: keys belong to the editor until Tab. `scope`: the user chooses the scope of "always". `words`: the user
   * writes the reason of a denial.
   */
  readonly stage: "waiting" | "asking" | "scope" | "words"
}

export interface Size {
  readonly columns: number
  /** The rows for the question with its keys. */
  readonly rows: number
  readonly theme: Theme
}

/**
 * `Decide`: answer the question. `Everything`: print all of it. `More`, `Back`: show another page. `Words`: ask for the
 * reason of a denial. `Scope`: ask for the scope of "always". `Ask`: show the keys of the question again. `Wait`: leave
 * the question open for later.
 */
export type KeyMeaning =
  | { readonly _tag: "Decide"; readonly decision: Approval.Decision }
  | { readonly _tag: "Everything" }
  | { readonly _tag: "More" }
  | { readonly _tag: "Back" }
  | { readonly _tag: "Words" }
  | { readonly _tag: "Scope" }
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Wait" }

export const make = (asked: ApprovalText.PrintedApproval, rule: string | null, isWriting: boolean): Question => ({
  asked,
  rule,
  wasPrintedWhole: false,
  position: Pager.unread,
  stage: isWriting ? "waiting" : "asking"
})

const screenOf = ({ columns, rows, theme }: Size): ApprovalText.ApprovalScreen => ({
  columns,
  rows,
  style: theme,
  paintDiff: (request) => QuestionDiff.paint(request, theme)
})

const sheet = (question: Question, size: Size): Pager.Sheet => ({
  rows: ApprovalText.question(question.asked, question.rule, screenOf(size)),
  columns: size.columns,
  room: size.rows - maxKeyRows(question, size)
})

/** The maximum number of rows that the keys take, enabled or not. */
const maxKeyRows = ({ rule }: Question, size: Size): number => {
  const screen = screenOf(size)
  const rows = [true, false].map(
    (isShownWhole) => ApprovalText.keys({ always: rule !== null, whole: isShownWhole, more: extraKeys }, screen).length
  )
  return Math.max(...rows, ApprovalText.scopes(screen).length)
}

/** True once the whole question has been on the screen. */
const isWhole = (question: Question, size: Size): boolean =>
  question.wasPrintedWhole || Pager.windowOf(question.position, sheet(question, size)).isWhole

/** Keys that only a question on the screen has: plain lines ask about one call until it is decided. */
const extraKeys = [text`Tab decide later`]

/** Returns the reading position after moving one page. */
export const turnPage = (question: Question, to: "More" | "Back", size: Size): Pager.PagerState =>
  (to === "More" ? Pager.next : Pager.previous)(question.position, sheet(question, size))

/** Returns the meaning of a key that was pressed alone; null: the key has no effect. */
export const press = (question: Question, key: Key, size: Size): KeyMeaning | null => {
  if (question.stage === "waiting") return key.name === "tab" ? { _tag: "Ask" } : null
  if (question.stage === "scope") return pressScope(question, key)
  if (question.stage === "asking" && key.name === "tab") return { _tag: "Wait" }
  if (question.stage === "asking" && key.name === "pageDown") return { _tag: "More" }
  if (question.stage === "asking" && key.name === "pageUp") return { _tag: "Back" }
  if (question.stage === "words" || key.name !== "text" || key.ctrl || key.alt) return null
  const isShownWhole = isWhole(question, size)
  switch (key.text.toLowerCase()) {
    case "y":
      return isShownWhole ? { _tag: "Decide", decision: { _tag: "Approved", rule: null } } : null
    case "a":
      return isShownWhole && question.rule !== null ? { _tag: "Scope" } : null
    case "n":
      return { _tag: "Words" }
    case "?":
      return { _tag: "Everything" }
    case " ":
      return { _tag: "More" }
    default:
      return null
  }
}

const pressScope = ({ rule }: Question, key: Key): KeyMeaning | null => {
  if (key.name === "escape") return { _tag: "Ask" }
  if (key.name !== "text" || key.ctrl || key.alt || rule === null) return null
  const pressed = key.text.toLowerCase()
  if (pressed === "b") return { _tag: "Ask" }
  const scope = ApprovalText.scopeOf(pressed)
  return scope === null ? null : { _tag: "Decide", decision: ApprovalText.approvedAlways(rule, scope) }
}

export const denial = (words: string): Approval.Decision => ({
  _tag: "Denied",
  words: words.trim() === "" ? null : words.trim()
})

/** Returns the current page of the question. */
export const body = (question: Question, size: Size): ReadonlyArray<SafeText> => {
  const fullSheet = sheet(question, size)
  return ApprovalText.page(Pager.windowOf(question.position, fullSheet), fullSheet.rows.length, screenOf(size))
}

/** The maximum number of rows of a question that stay on the screen. */
const maxRecorded = 30

/** Returns the rows of the question that stay on the screen. */
export const record = (asked: ApprovalText.PrintedApproval, context: RowContext): ReadonlyArray<SafeText> => {
  const rows = ApprovalText.question(asked, null, screenOf({ ...context, rows: maxRecorded }))
  return rows.length <= maxRecorded
    ? rows
    : [...rows.slice(0, maxRecorded), text`│ … ${rows.length - maxRecorded} more rows`]
}

export const allRows = ({ asked, rule }: Question, size: Size): ReadonlyArray<SafeText> =>
  ApprovalText.allFacts(asked, rule, screenOf(size))

/** Returns the row about the keys that can be pressed now, or about the delay before keys are enabled. */
export const keys = (question: Question, size: Size, mayAnswer: boolean): ReadonlyArray<SafeText> => {
  const { stage } = question
  const shown = pressable(question, size)
  return mayAnswer || stage === "words" || stage === "waiting"
    ? shown
    : ApprovalText.inactiveKeys(shown, screenOf(size))
}

const pressable = (question: Question, size: Size): ReadonlyArray<SafeText> => {
  if (question.stage === "words") return [size.theme.bold(text`└ Reason (optional) · Enter denies · Esc goes back`)]
  if (question.stage === "waiting") return [size.theme.bold(text`└ Tab to decide · Enter sends your message first`)]
  if (question.stage === "scope") return ApprovalText.scopes(screenOf(size))
  const isShownWhole = isWhole(question, size)
  return ApprovalText.keys({ always: question.rule !== null, whole: isShownWhole, more: extraKeys }, screenOf(size))
}

/** Returns the rows about the decision that stay on the screen. `by`: the user to name; null: no user is named. */
export const outcome = (
  { by, decision }: Pick<Extract<Block, { readonly _tag: "Approval" }>, "by" | "decision">,
  { columns, theme }: RowContext
): ReadonlyArray<SafeText> => {
  const name = by === null ? text`` : text` by ${Escape.line(by)}`
  const rows = (words: SafeText): ReadonlyArray<SafeText> =>
    Rows.indent(Rows.wrap(words, Math.max(1, columns - 2)), text`└ `)
  switch (decision._tag) {
    case "Approved":
      return rows(
        decision.rule === null
          ? text`allowed once${name}`
          : text`${Escape.line(DecisionText.formatDecision(decision))}${name}`
      ).map(theme.green)
    case "Denied":
      return rows(
        decision.words === null ? text`denied${name}` : text`denied${name}: ${Escape.line(decision.words)}`
      ).map(theme.red)
    case "Expired":
    case "Withdrawn":
      return rows(text`${Escape.line(decision._tag.toLowerCase())}`).map(theme.dim)
    case "Lapsed":
      return rows(text`${Escape.line(DecisionText.formatDecision(decision))}`).map(theme.dim)
  }
}
