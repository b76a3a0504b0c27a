/** The earlier part of a session on the screen: its newest blocks, its plan, its running children. Pure. */
import { type Entry, OpenCalls, type Session } from "@bough/protocol"
import { Plan } from "@bough/pack-data"
import type { Block } from "./Block.ts"
import * as CollapsedOutputs from "./CollapsedOutputs.ts"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as Transcript from "./Transcript.ts"

const shown = 30

export const replay = (view: Transcript.Transcript, entries: ReadonlyArray<Entry.Entry>): Transcript.Change => {
  const replayed: Replayed = {
    blocks: [],
    calls: OpenCalls.empty(),
    kinds: new Map(),
    branches: new Map(view.branches),
    folds: view.folds
  }
  for (const entry of entries) replayed.blocks.push(...taken(replayed, entry))
  const { blocks, branches, folds } = replayed
  const earlier = blocks.length - shown
  const first: ReadonlyArray<Block> = earlier > 0 ? [note(`… ${earlier} earlier parts of this session`)] : []
  return {
    view: { ...view, branches, folds, plan: Plan.current(entries) },
    blocks: [...first, ...blocks.slice(-shown)]
  }
}

/** The state after the entries so far. */
interface Replayed {
  readonly blocks: Array<Block>
  readonly calls: OpenCalls.OpenCallsState
  /** The sessions that were started, by call. */
  readonly kinds: Map<string, Session.Kind>
  readonly branches: Map<string, Session.SessionState>
  folds: CollapsedOutputs.CollapsedOutputs
}

/** Takes one entry in; what is to be seen of it. */
const taken = (replayed: Replayed, entry: Entry.Entry): ReadonlyArray<Block> => {
  const { body } = entry
  const endedCall = OpenCalls.append(replayed.calls, entry)
  switch (body._tag) {
    case "UserMessage":
      return [{ _tag: "Said", text: body.text, note: "" }]
    case "ModelReplied":
      return body.parts.flatMap((part) => (part._tag === "Text" ? answer(part.text) : []))
    case "CallEnded":
      return [ended(replayed, body, endedCall)]
    case "ChildSpawned":
      if (body.purpose !== undefined) return []
      replayed.branches.set(body.childId, "Active")
      replayed.kinds.set(body.childId, body.kind)
      return []
    case "ChildEnded": {
      replayed.branches.delete(body.childId)
      const kind = replayed.kinds.get(body.childId)
      return kind === undefined ? [] : [{ _tag: "ChildEnded", kind, result: body.result }]
    }
    case "Compacted":
      return [note(`entries ${body.fromSeq} to ${body.throughSeq} are summarised`)]
    case "SessionOpened":
    case "ContextAdded":
    case "StepStarted":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "CallStarted":
    case "CallDeferred":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "StateChanged":
    case "SessionEnded":
      return []
  }
}

/** `open`: the call as the entries before have told it; null: they have not. */
const ended = (
  replayed: Replayed,
  { outcome, receipt, tool }: Entry.BodyOf<"CallEnded">,
  open: OpenCalls.OpenCall | null
): Block => {
  const [folds, fold] = CollapsedOutputs.add(replayed.folds, tool, outcome)
  replayed.folds = folds
  // A call that needs no intent has its tier in its receipt.
  const tier = (open === null ? null : OpenCalls.started(open)?.tier) ?? receipt?.tier ?? null
  const wasAsked = open !== null && OpenCalls.wasAsked(open)
  return { _tag: "Call", tool, arguments: open?.call.arguments ?? "", tier, outcome, wasAsked, fold }
}

const answer = (text: string): ReadonlyArray<Block> =>
  MarkdownStream.end(MarkdownStream.push(MarkdownStream.initial, text)).map((piece) => ({ _tag: "Answer", piece }))

const note = (text: string): Block => ({ _tag: "Note", text, tone: "plain" })
