/** What a session held before it was opened, as the screen shows it: its newest blocks, its plan, what is at work below. Pure. */
import type { Entry, Session } from "@bough/protocol"
import { Plan } from "@bough/pack-data"
import type { Block } from "./Block.ts"
import * as Folds from "./Folds.ts"
import * as MarkdownStream from "./markdown/MarkdownStream.ts"
import * as View from "./View.ts"

const shown = 30

export const replay = (view: View.View, entries: ReadonlyArray<Entry.Entry>): View.Change => {
  const blocks: Array<Block> = []
  const asked = new Map<string, string>()
  const branches = new Map(view.branches)
  const kinds = new Map<string, Session.Kind>()
  let { folds } = view
  for (const { body } of entries) {
    if (body._tag === "ModelReplied") {
      for (const part of body.parts) if (part._tag === "ToolCall") asked.set(part.toolCallId, part.arguments)
    } else if (body._tag === "ChildSpawned") {
      if (body.purpose !== undefined) continue
      branches.set(body.childId, "Active")
      kinds.set(body.childId, body.kind)
    } else if (body._tag === "ChildEnded") {
      branches.delete(body.childId)
      const kind = kinds.get(body.childId)
      if (kind !== undefined) blocks.push({ _tag: "ChildEnded", kind, result: body.result })
    } else if (body._tag === "CallEnded") {
      const { outcome, tool } = body
      const [kept, fold] = Folds.add(folds, tool, outcome)
      folds = kept
      const given = asked.get(body.toolCallId) ?? ""
      blocks.push({ _tag: "Call", tool, arguments: given, tier: null, outcome, wasAsked: false, fold })
    }
    blocks.push(...blocksOf(body))
  }
  const earlier = blocks.length - shown
  const first: ReadonlyArray<Block> =
    earlier > 0 ? [{ _tag: "Note", text: `… ${earlier} earlier parts of this session`, tone: "plain" }] : []
  return {
    view: { ...view, branches, folds, plan: Plan.current(entries) },
    blocks: [...first, ...blocks.slice(-shown)]
  }
}

const blocksOf = (body: Entry.Body): ReadonlyArray<Block> => {
  if (body._tag === "UserMessage") return [{ _tag: "Said", text: body.text, note: "" }]
  if (body._tag === "Compacted") {
    return [{ _tag: "Note", text: `entries ${body.fromSeq} to ${body.throughSeq} are summarised`, tone: "plain" }]
  }
  if (body._tag !== "ModelReplied") return []
  return body.parts.flatMap((part) =>
    part._tag === "Text"
      ? MarkdownStream.end(MarkdownStream.push(MarkdownStream.initial, part.text)).map((piece): Block => ({
          _tag: "Answer",
          piece
        }))
      : []
  )
}
