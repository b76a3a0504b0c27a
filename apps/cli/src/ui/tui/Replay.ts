/**
 * The earlier part of a session on the screen: the same fold over its entries as over the live events, with the text of
 * each reply before its entry. Pure.
 */
import { type Entry, type Event } from "@bough/protocol"
import * as SentKey from "../../session/SentKey.ts"
import type { Block } from "./Block.ts"
import * as Transcript from "./Transcript.ts"

const shown = 30

export const replay = (view: Transcript.Transcript, entries: ReadonlyArray<Entry.Entry>): Transcript.Change => {
  const { blocks, view: after } = all(view, entries)
  const earlier = blocks.length - shown
  const first: ReadonlyArray<Block> = earlier > 0 ? [note(`… ${earlier} earlier parts of this session`)] : []
  // The session's total usage is set separately: it includes usage outside of these entries.
  const { contextTokens, isEstimated, usage } = view
  return { view: { ...after, contextTokens, isEstimated, usage }, blocks: [...first, ...blocks.slice(-shown)] }
}

/** Returns the whole replay, for the full-screen transcript. */
export const all = (view: Transcript.Transcript, entries: ReadonlyArray<Entry.Entry>): Transcript.Change => {
  const blocks: Array<Block> = []
  let now = view
  const take = (change: Transcript.Change): void => {
    blocks.push(...change.blocks)
    now = change.view
  }
  let isOver = true
  for (const entry of entries) {
    const { body } = entry
    if (body._tag === "UserMessage") {
      if (isOver) take(Transcript.turnOver(now))
      // A message from another terminal is shown by its own events.
      if (!SentKey.isSent(body.messageId)) take({ view: now, blocks: [{ _tag: "Said", text: body.text, note: "" }] })
    }
    for (const event of eventsOf(entry)) take(Transcript.take(now, event, 0))
    isOver = endsTurn(body) ?? isOver
  }
  if (isOver) take(Transcript.turnOver(now))
  return { view: now, blocks }
}

/** Returns true for an entry that ends a turn, false for one that begins it, null for any other. */
const endsTurn = (body: Entry.Body): boolean | null => {
  if (body._tag === "UserMessage") return false
  if (body._tag === "StateChanged") return body.state !== "Active"
  return body._tag === "ModelReplied" ? body.parts.every(({ _tag }) => _tag !== "ToolCall") : null
}

/** Returns the events that were published live while the entry was made. */
const eventsOf = (entry: Entry.Entry): ReadonlyArray<Event.Event> => {
  const { body, sessionId } = entry
  const replyParts = body._tag === "ModelReplied" ? body.parts : []
  return [
    ...replyParts.flatMap((part): ReadonlyArray<Event.Event> => {
      if (part._tag === "ToolCall") return []
      const delta = part._tag === "Text" ? ("TextDelta" as const) : ("ReasoningDelta" as const)
      return [{ _tag: delta, sessionId, turn: 0, step: 0, text: part.text }]
    }),
    { _tag: "Recorded", sessionId, entry }
  ]
}

const note = (text: string): Block => ({ _tag: "Note", text, tone: "plain" })
