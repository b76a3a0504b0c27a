/**
 * One call that a person decides about: what is shown of it, and what a key means. Pure. Nothing is agreed to unread, and
 * a key counts only when it is pressed alone.
 */
import type { Approval } from "@bough/protocol"
import * as Escape from "../Escape.ts"
import { type SafeText, text } from "../SafeText.ts"
import * as ApprovalText from "../terminal/ApprovalText.ts"
import * as DecisionText from "../terminal/DecisionText.ts"
import type { Key } from "./editor/Key.ts"
import type { Theme } from "./Theme.ts"

export interface Question {
  readonly asked: ApprovalText.Asked
  /** The rule that "always" makes; null: none fits this call. */
  readonly rule: string | null
  /** Everything was shown, however long it is. */
  readonly read: boolean
  /**
   * `waiting`: keys belong to the message that is being written, until Tab. `scope`: how far "always" reaches is being
   * chosen. `words`: why not is being written.
   */
  readonly stage: "waiting" | "asking" | "scope" | "words"
}

export interface Size {
  readonly columns: number
  readonly rows: number
  readonly theme: Theme
}

/** `Decide`: answer it. `Everything`: print it whole. `Words`, `Scope`: ask for them. `Wait`: leave it for later. */
export type Meaning =
  | { readonly _tag: "Decide"; readonly decision: Approval.Decision }
  | { readonly _tag: "Everything" }
  | { readonly _tag: "Words" }
  | { readonly _tag: "Scope" }
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Wait" }

export const make = (asked: ApprovalText.Asked, rule: string | null, isWriting: boolean): Question => ({
  asked,
  rule,
  read: false,
  stage: isWriting ? "waiting" : "asking"
})

const screenOf = ({ columns, rows, theme }: Size): ApprovalText.Screen => ({ columns, rows, style: theme })

/** Whether all of it is on the screen, or was. */
const isWhole = (question: Question, size: Size): boolean =>
  question.read || ApprovalText.summary(question.asked, screenOf(size)).whole

/** Null: the key means nothing here. `alone`: nothing else came with it. */
export const press = (question: Question, key: Key, size: Size): Meaning | null => {
  if (question.stage === "waiting") return key.name === "tab" ? { _tag: "Ask" } : null
  if (question.stage === "scope") return pressScope(question, key)
  if (question.stage === "asking" && key.name === "tab") return { _tag: "Wait" }
  if (question.stage === "words" || key.name !== "text" || key.ctrl || key.alt) return null
  const whole = isWhole(question, size)
  switch (key.text.toLowerCase()) {
    case "y":
      return whole ? { _tag: "Decide", decision: { _tag: "Approved", rule: null } } : null
    case "a":
      return whole && question.rule !== null ? { _tag: "Scope" } : null
    case "n":
      return { _tag: "Words" }
    case "?":
      return { _tag: "Everything" }
    default:
      return null
  }
}

const pressScope = ({ rule }: Question, key: Key): Meaning | null => {
  if (key.name === "escape") return { _tag: "Ask" }
  if (key.name !== "text" || key.ctrl || key.alt || rule === null) return null
  const pressed = key.text.toLowerCase()
  if (pressed === "b") return { _tag: "Ask" }
  const scope = ApprovalText.scopeOf(pressed)
  return scope === null ? null : { _tag: "Decide", decision: ApprovalText.approvedAlways(rule, scope) }
}

export const denied = (words: string): Approval.Decision => ({
  _tag: "Denied",
  words: words.trim() === "" ? null : words.trim()
})

/** What is asked. */
export const body = (question: Question, size: Size): ReadonlyArray<SafeText> =>
  ApprovalText.summary(question.asked, screenOf(size)).rows

export const everything = ({ asked }: Question, size: Size): ReadonlyArray<SafeText> =>
  ApprovalText.everything(asked, screenOf(size))

/** What can be pressed now. */
export const keys = (question: Question, size: Size): ReadonlyArray<SafeText> => {
  if (question.stage === "words")
    return [size.theme.bold(text`└ why not? Enter sends it, without words too · Esc back`)]
  if (question.stage === "waiting") return [size.theme.bold(text`└ Tab answers it · Enter sends what you write first`)]
  if (question.stage === "scope" && question.rule !== null) return ApprovalText.scopes(question.rule, screenOf(size))
  const whole = isWhole(question, size)
  return ApprovalText.keys({ rule: question.rule, whole, more: [text`Tab later`] }, screenOf(size))
}

/** What became of it, for the record on the screen. */
export const outcome = (decision: Approval.Decision | null, { theme }: Size): SafeText => {
  if (decision === null) return theme.dim(text`└ closed: nobody answered it here`)
  switch (decision._tag) {
    case "Approved":
      return theme.green(decision.rule === null ? text`└ yes, once` : text`└ ${Escape.line(DecisionText.of(decision))}`)
    case "Denied":
      return theme.red(decision.words === null ? text`└ no` : text`└ no: ${Escape.line(decision.words)}`)
    case "Expired":
    case "Withdrawn":
      return theme.dim(text`└ ${Escape.line(decision._tag.toLowerCase())}`)
  }
}
