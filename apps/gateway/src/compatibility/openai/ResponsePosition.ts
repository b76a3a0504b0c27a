/**
 * The position in the session's journal at which the turn of a response ended, and at which a later response continues.
 */
import { type Entry, OpenCalls } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import type { ResponseId } from "./ResponseId.ts"

export interface ResponsePosition {
  /** The length of the journal when the turn ended. */
  readonly entries: number
  /** True if the session has received no message since. */
  readonly isNewest: boolean
}

/** Null: the turn has not begun, or has not ended. */
export const find = (
  entries: ReadonlyArray<Entry.Entry>,
  { entries: from }: Pick<ResponseId, "entries">,
  messageId: string
): ResponsePosition | null => {
  const state = SessionState.empty()
  const answersMessage = entries.some(({ body }) => body._tag === "UserMessage" && body.messageId === messageId)
  const begins = ({ body, seq }: Entry.Entry): boolean =>
    answersMessage
      ? body._tag === "UserMessage" && body.messageId === messageId
      : seq >= from && body._tag === "ApprovalDecided"
  let isBegun = false
  let end: number | null = null
  for (const entry of entries) {
    // Entries after the end of the turn belong to another turn.
    if (isBegun && entry.body._tag === "UserMessage" && !state.turnOpen) {
      return { entries: end ?? entry.seq, isNewest: false }
    }
    SessionState.append(state, entry)
    isBegun ||= begins(entry)
    if (isBegun && end === null && isOver(state)) end = entry.seq + 1
  }
  return end === null ? null : { entries: end, isNewest: true }
}

const isOver = (state: SessionState.SessionState): boolean =>
  !state.turnOpen &&
  !SessionState.hasWorkingChildren(state) &&
  Array.from(state.openCalls.values()).every((open) => OpenCalls.pendingRequest(open) !== null)
