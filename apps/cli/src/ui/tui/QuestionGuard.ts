/**
 * Decides whether a key answers the open question: only if the last frame showed the question as it is now, and no key
 * was typed for a while since.
 */
import * as AnswerGuard from "@bough/tui/keys/AnswerGuard"
import type * as ApprovalText from "../../format/ApprovalText.ts"
import type { Question } from "./Question.ts"
import type * as TuiState from "./TuiState.ts"

/** A question laid out for a screen size. */
export interface Target extends TuiState.Size {
  readonly asked: ApprovalText.PrintedApproval
  readonly stage: Question["stage"]
}

export interface QuestionGuard {
  /**
   * Called when a frame shows the question; null: none is open. If the question or the size of the screen has changed,
   * earlier keys no longer count.
   */
  readonly onFrame: (target: Target | null) => void
  readonly onTyped: () => void
  /** Returns true if a key answers the question now. */
  readonly isOpen: (target: Target | null) => boolean
  /** Called when the screen was used for other work, and the question has to be shown again. */
  readonly reset: () => void
  readonly stop: () => void
}

/** `onOpen`: called when keys may answer. */
export const make = (onOpen: () => void, schedule?: AnswerGuard.Schedule): QuestionGuard => {
  const guard = AnswerGuard.make(onOpen, schedule)
  let shown: Target | null = null
  return {
    onFrame: (target) => {
      if (isSame(shown, target)) return
      shown = target
      if (target === null) guard.stop()
      else guard.restart()
    },
    onTyped: () => {
      if (shown !== null) guard.restart()
    },
    isOpen: (target) => guard.isOpen() && isSame(shown, target),
    reset: () => {
      shown = null
    },
    stop: guard.stop
  }
}

const isSame = (one: Target | null, other: Target | null): boolean =>
  one === null || other === null
    ? one === other
    : one.asked === other.asked && one.stage === other.stage && one.columns === other.columns && one.rows === other.rows
