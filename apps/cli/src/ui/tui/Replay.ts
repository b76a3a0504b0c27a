/** What a session held before it was opened, as the screen shows it: its newest blocks, its plan, what is at work below. Pure. */
import type { Entry, Session } from "@bough/protocol"
import { Plan } from "@bough/pack-data"
import type { Block } from "./Block.ts"
import * as CollapsedOutputs from "./CollapsedOutputs.ts"
import * as MarkdownStream from "@bough/tui/markdown/MarkdownStream"
import * as Transcript from "./Transcript.ts"

const shown = 30

export const replay = (view: Transcript.Transcript, entries: ReadonlyArray<Entry.Entry>): Transcript.Change => {
  const replayed: Replayed = {
    blocks: [],
    asked: new Map(),
    kinds: new Map(),
    branches: new Map(view.branches),
    folds: view.folds
  }
  for (const { body } of entries) replayed.blocks.push(...taken(replayed, body))
  const { blocks, branches, folds } = replayed
  const earlier = blocks.length - shown
  const first: ReadonlyArray<Block> = earlier > 0 ? [note(`… ${earlier} earlier parts of this session`)] : []
  return {
    view: { ...view, branches, folds, plan: Plan.current(entries) },
    blocks: [...first, ...blocks.slice(-shown)]
  }
}

/** What the entries so far come to. */
interface Replayed {
  readonly blocks: Array<Block>
  /** The arguments of every call. */
  readonly asked: Map<string, string>
  /** Of every session that was started for a call. */
  readonly kinds: Map<string, Session.Kind>
  readonly branches: Map<string, Session.SessionState>
  folds: CollapsedOutputs.CollapsedOutputs
}

/** Takes one entry in; what is to be seen of it. */
const taken = (replayed: Replayed, body: Entry.Body): ReadonlyArray<Block> => {
  switch (body._tag) {
    case "UserMessage":
      return [{ _tag: "Said", text: body.text, note: "" }]
    case "ModelReplied":
      for (const part of body.parts) if (part._tag === "ToolCall") replayed.asked.set(part.toolCallId, part.arguments)
      return body.parts.flatMap((part) => (part._tag === "Text" ? answer(part.text) : []))
    case "CallEnded":
      return [ended(replayed, body)]
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
    default:
      return []
  }
}

const ended = (replayed: Replayed, { outcome, tool, toolCallId }: Entry.BodyOf<"CallEnded">): Block => {
  const [folds, fold] = CollapsedOutputs.add(replayed.folds, tool, outcome)
  replayed.folds = folds
  const given = replayed.asked.get(toolCallId) ?? ""
  return { _tag: "Call", tool, arguments: given, tier: null, outcome, wasAsked: false, fold }
}

const answer = (text: string): ReadonlyArray<Block> =>
  MarkdownStream.end(MarkdownStream.push(MarkdownStream.initial, text)).map((piece) => ({ _tag: "Answer", piece }))

const note = (text: string): Block => ({ _tag: "Note", text, tone: "plain" })
