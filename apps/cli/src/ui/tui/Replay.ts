/**
 * Rebuilds the screen of a session from its journal: folds the entries like live events, and adds the blocks that no
 * event prints, such as the end of a turn. Pure.
 */
import type { Approval, Entry, Event } from "@bough/protocol"
import { ContextSource } from "@bough/runtime"
import * as TurnText from "../../format/TurnText.ts"
import * as SentKey from "../../session/SentKey.ts"
import type { Block } from "./Block.ts"
import * as ReplayedEnd from "./ReplayedEnd.ts"
import * as SentMessage from "./SentMessage.ts"
import * as Transcript from "./Transcript.ts"

/** The number of newest blocks that are printed; the full-screen transcript has all of them. */
export const maxShownBlocks = 100

export const replay = (
  view: Transcript.Transcript,
  entries: ReadonlyArray<Entry.Entry>,
  program = "bough"
): Transcript.Change => {
  const { blocks, view: after } = replayAll(view, entries, program)
  const earlier = blocks.length - maxShownBlocks
  const first: ReadonlyArray<Block> = earlier > 0 ? [note(`… ${earlier} earlier parts of this session`)] : []
  // The session's total usage is set separately: it includes usage outside of these entries.
  return { view: { ...after, usage: view.usage }, blocks: [...first, ...blocks.slice(-maxShownBlocks)] }
}

/** Returns the whole replay, for the full-screen transcript. `program`: the program's name in hints. */
export const replayAll = (
  view: Transcript.Transcript,
  entries: ReadonlyArray<Entry.Entry>,
  program = "bough"
): Transcript.Change => {
  const blocks: Array<Block> = []
  const requests = new Map<string, Approval.Request>()
  let current = view
  let turn = ReplayedEnd.initial
  const take = (change: Transcript.Change): void => {
    blocks.push(...change.blocks)
    current = change.view
  }
  for (const [at, entry] of entries.entries()) {
    const { body } = entry
    if (body._tag === "ApprovalAsked") requests.set(body.request.approvalId, body.request)
    if (body._tag === "ApprovalDecided") blocks.push(...decisionBlocks(body, requests, current))
    if (body._tag === "UserMessage") {
      if (turn.isOver) current = Transcript.turnBegun(current)
      // A message from another terminal is shown by its own events.
      if (!SentKey.isSent(body.messageId)) blocks.push(messageBlock(body.text, turn.isOver))
    }
    if (body._tag === "StepStarted" && body.purpose === "compaction") blocks.push(note(TurnText.summarising))
    if (body._tag === "CallEnded") {
      blocks.push(...SentMessage.blocks(body, current))
      const text = typedCommand(entries, at)
      current = { ...current, userCommand: text === null ? null : { text, progress: [] } }
    }
    for (const event of eventsOf(entry, turn)) take(Transcript.take(current, event, 0))
    current = { ...current, userCommand: view.userCommand }
    const end = ReplayedEnd.endOf(turn, body, entries[at + 1]?.body)
    turn = ReplayedEnd.append(turn, body)
    if (end !== null) {
      take(Transcript.turnOver(current))
      blocks.push(...ReplayedEnd.blocks(end, turn, { view: current, program }))
    }
  }
  return { view: current, blocks }
}

const messageBlock = (text: string, isFirst: boolean): Block =>
  isFirst ? { _tag: "Said", text, note: "" } : Transcript.steeringBlock(text)

/** Returns the record of a question. The command that a user typed was approved without one. */
const decisionBlocks = (
  { approvalId, decision, principal }: Entry.BodyOf<"ApprovalDecided">,
  requests: Map<string, Approval.Request>,
  { calls, reader: { user } }: Transcript.Transcript
): ReadonlyArray<Block> => {
  const request = requests.get(approvalId)
  // An approval that lapses later was already shown.
  if (request === undefined || !requests.delete(approvalId)) return []
  const isAsked = request.reaches !== undefined || calls.some(({ toolCallId }) => toolCallId === request.toolCallId)
  if (!isAsked) return []
  return [{ _tag: "Approval", asked: { request, askedBy: [] }, decision, by: principal === user ? null : principal }]
}

/**
 * Returns the text of a user's command that was never run. It has no receipt, so its text is read from the note that
 * follows; null: the entry is not the end of such a command.
 */
const typedCommand = (entries: ReadonlyArray<Entry.Entry>, at: number): string | null => {
  const ended = entries[at].body
  const next = entries[at + 1]?.body
  if (ended._tag !== "CallEnded" || ended.receipt !== null || next?._tag !== "ContextAdded") return null
  return next.source === ContextSource.userCommand ? (/^\$ (.*)/u.exec(next.text)?.[1] ?? null) : null
}

/** Returns the events that were published live while the entry was made. The text of a summary is not shown. */
const eventsOf = (entry: Entry.Entry, { isSummarising }: ReplayedEnd.Turn): ReadonlyArray<Event.Event> => {
  const { body, sessionId } = entry
  const replyParts = body._tag === "ModelReplied" && !isSummarising ? body.parts : []
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
