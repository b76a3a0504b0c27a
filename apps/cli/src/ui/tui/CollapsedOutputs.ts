/** Long output that stays folded until the user shows it: newest first, each once. Pure. */
import type { Entry } from "@bough/protocol"
import * as OutputText from "../../format/OutputText.ts"

export interface Fold {
  readonly id: number
  readonly title: string
  readonly text: string
  /** True for the tool's own text about the call, such as a diff; false for its output. */
  readonly isDetails: boolean
}

export interface CollapsedOutputs {
  readonly nextId: number
  /** Oldest first; what was opened is gone. */
  readonly closed: ReadonlyArray<Fold>
}

export const empty: CollapsedOutputs = { nextId: 1, closed: [] }

const kept = 20

/** Keeps what a call gave back; null: it gave nothing that could be shown. */
export const add = (
  folds: CollapsedOutputs,
  title: string,
  outcome: Entry.Outcome
): readonly [CollapsedOutputs, number | null] => {
  if (outcome._tag !== "Succeeded") return [folds, null]
  const { text } = OutputText.formatOutput(outcome)
  if (text.trim() === "") return [folds, null]
  const fold = { id: folds.nextId, title, text, isDetails: outcome.details !== undefined }
  return [{ nextId: fold.id + 1, closed: [...folds.closed, fold].slice(-kept) }, fold.id]
}

/** Takes the newest one out; null: there is none. */
export const open = (folds: CollapsedOutputs): readonly [CollapsedOutputs, Fold | null] => {
  const fold = folds.closed.at(-1) ?? null
  return fold === null ? [folds, null] : [{ ...folds, closed: folds.closed.slice(0, -1) }, fold]
}
