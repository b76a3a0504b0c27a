/**
 * The numbered events of one tree in the form in which a reader receives them, and their relation to journal entries.
 */
import * as Schema from "effect/Schema"
import type { Entry } from "./Entry.ts"
import { Event } from "./Event.ts"
import { SessionId } from "./Session.ts"

/**
 * The position of an event in its tree: `number` grows by one from event to event. Events of two epochs are not
 * consecutive, because there may be further events in between.
 */
export const Position = Schema.Struct({ epoch: Schema.Natural, number: Schema.Natural })
export type Position = typeof Position.Type

const positionFields = { treeId: SessionId, ...Position.fields }

export const Item = Schema.TaggedUnion({
  Published: {
    ...positionFields,
    /** The number of entries in the journal of the event's session at that time. */
    entries: Schema.Natural,
    event: Event
  },
  /**
   * Events up to this position are no longer available. The reader reads the journal instead, and skips later events
   * that the journal already contains according to `isTold`.
   */
  Gap: positionFields
})
export type Item = typeof Item.Type
export type PublishedItem = Extract<Item, { readonly _tag: "Published" }>

/** The position as a Last-Event-ID. */
export const format = ({ epoch, number }: Position): string => `${epoch}.${number}`

/** Parses a position; null: the text is not a position. */
export const parse = (text: string): Position | null => {
  const match = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/u.exec(text)
  return match === null ? null : { epoch: Number(match[1]), number: Number(match[2]) }
}

/** True if an entry contains the facts of an event: a reader that has the entry does not need the event. */
export const isTold = ({ entries, event }: PublishedItem, { body, seq, sessionId }: Entry): boolean => {
  if (!("sessionId" in event) || event.sessionId !== sessionId) return false
  switch (event._tag) {
    case "Recorded":
      return event.entry.seq === seq
    case "TextDelta":
    case "ReasoningDelta":
      return body._tag === "ModelReplied" && seq >= entries && isSameStep(event, body)
    case "ToolStarted":
      return (body._tag === "CallStarted" || body._tag === "CallEnded") && body.toolCallId === event.toolCallId
    case "ToolProgressed":
      return body._tag === "CallEnded" && body.toolCallId === event.toolCallId
    case "ApprovalAsked":
      return body._tag === "ApprovalAsked" && body.request.approvalId === event.request.approvalId
    case "ApprovalEnded":
      return body._tag === "ApprovalDecided" && body.approvalId === event.approvalId
    case "TurnStarted":
    case "TurnEnded":
      return seq >= entries && body._tag === "UserMessage"
    case "Attached":
    case "MessageSent":
    case "Notice":
    case "TurnFailed":
      return false
  }
}

interface Step {
  readonly turn: number
  readonly step: number
}

const isSameStep = (a: Step, b: Step): boolean => a.turn === b.turn && a.step === b.step
