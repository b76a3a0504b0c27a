/** The ends of turns in the entries of a session, and the blocks that were printed at each. Pure. */
import * as SessionMode from "@bough/host/session/SessionMode"
import type { Entry } from "@bough/protocol"
import { ContextSource } from "@bough/runtime"
import * as LiveText from "../../format/LiveText.ts"
import * as TurnText from "../../format/TurnText.ts"
import type { Block } from "./Block.ts"
import type { Transcript } from "./Transcript.ts"
import * as TurnEnd from "./TurnEnd.ts"

/** The facts of the newest turn that a transcript does not have. */
export interface Turn {
  readonly isOver: boolean
  /** The model of the newest step. */
  readonly model: string
  /** True if the newest step asks for a summary: its reply is not an answer. */
  readonly isSummarising: boolean
  readonly mode: SessionMode.Mode
}

export const initial: Turn = { isOver: true, model: "", isSummarising: false, mode: "auto" }

export const append = (turn: Turn, body: Entry.Body): Turn => {
  switch (body._tag) {
    case "UserMessage":
      return { ...turn, isOver: false }
    case "StepStarted": {
      const isSummarising = body.purpose === "compaction"
      return { ...turn, model: body.model, isSummarising, isOver: isSummarising ? turn.isOver : false }
    }
    case "ModelReplied":
      return turn.isSummarising ? turn : { ...turn, isOver: body.parts.every(({ _tag }) => _tag !== "ToolCall") }
    case "StateChanged":
      return { ...turn, isOver: body.state !== "Active" }
    case "ContextAdded":
      return body.source === ContextSource.environment ? { ...turn, mode: SessionMode.modeIn(body.text) } : turn
    default:
      return turn
  }
}

export type End =
  | { readonly _tag: "Completed" }
  | { readonly _tag: "Failed"; readonly failure: Entry.ReplyFailure }
  /** `reason`: the limit that was reached. */
  | { readonly _tag: "Stopped"; readonly reason: string }
  | { readonly _tag: "Interrupted" }

/** Returns the end of a turn that the entry records; null: it records none. `next`: the body of the next entry. */
export const endOf = (turn: Turn, body: Entry.Body, next: Entry.Body | undefined): End | null => {
  if (body._tag === "StateChanged") {
    if (body.state !== "Suspended" || body.reason === "") return null
    return body.reason === interrupted ? { _tag: "Interrupted" } : { _tag: "Stopped", reason: body.reason }
  }
  if (body._tag !== "ModelReplied") return null
  const { completion, failure, parts } = body
  if (failure !== undefined) return isHandled(turn, failure, next) ? null : { _tag: "Failed", failure }
  const isAnswer = completion === "complete" && !turn.isSummarising && parts.every(({ _tag }) => _tag !== "ToolCall")
  return isAnswer ? { _tag: "Completed" } : null
}

/** The reason with which an interruption closes a turn. */
const interrupted = "interrupted"

/** True if the turn went on: a prompt that is too long is summarised, and a failed summary leaves it as it is. */
const isHandled = ({ isSummarising }: Turn, { reason }: Entry.ReplyFailure, next: Entry.Body | undefined): boolean =>
  isSummarising
    ? reason === "StreamCut" || reason === "TooLong"
    : reason === "TooLong" && next?._tag === "StepStarted" && next.purpose === "compaction"

interface EndContext {
  readonly view: Transcript
  /** The program's name in hints. */
  readonly program: string
}

export const blocks = (end: End, { mode, model }: Turn, { program, view }: EndContext): ReadonlyArray<Block> => {
  switch (end._tag) {
    case "Failed": {
      const text = TurnText.recordedFailure(end.failure, { model, program })
      return [{ _tag: "Note", text, tone: "error" }, note(TurnText.retry)]
    }
    case "Interrupted":
      return [note(TurnText.stopped)]
    case "Stopped":
      return [note(end.reason), ...childrenStillWorking(view), TurnEnd.block(view)]
    case "Completed":
      return [
        ...childrenStillWorking(view),
        TurnEnd.block(view),
        ...(mode === "plan" ? [note(TurnText.planReady)] : [])
      ]
  }
}

const childrenStillWorking = ({ tree: { branches } }: Transcript): ReadonlyArray<Block> => {
  const text = LiveText.runningChildrenNotice(branches.size)
  return text === null ? [] : [note(text)]
}

const note = (text: string): Block => ({ _tag: "Note", text, tone: "plain" })
